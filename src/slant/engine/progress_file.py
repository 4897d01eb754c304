"""How far a run is, written into its directory while it goes on: `progress.json`.

Whoever watches a run reads this one small file, and so never touches the journal that the run is
writing to. It is there while a run asks and after one that stopped; a run that has come to its end
has none.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from slant.engine.tables import shown_prompt
from slant.errors import InputError
from slant.records import request_to_json
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slant.engine.progress import Progress, Step
    from slant.engine.run import Run
    from slant.engine.time_left import Expected
    from slant.records import Answer, Item

NAME = "progress.json"

_PAUSE = 1.0
"""Seconds between two writings."""

_NEWEST = 4
_LONGEST = 600


class StudyProgress(BaseModel):
    """How far one study is with one model.

    Attributes
    ----------
    study, model
        What is asked, and who.
    done, total
        Questions answered, and how many there are as far as is known; `None` where a study finds
        out as it goes.
    asked, seconds
        Questions asked by this process, and how long that has taken: their ratio is the rate.
    outcomes
        How many of the questions done ended in each outcome.
    ended
        Whether the study has come to its end.
    """

    model_config = ConfigDict(extra="forbid")

    study: str
    model: str
    done: int = 0
    total: int | None = None
    asked: int = 0
    seconds: float = 0.0
    outcomes: dict[str, int] = Field(default_factory=dict)
    ended: bool = False


class Heard(BaseModel):
    """An answer that has just come in; texts are cut to what a reader takes in."""

    model_config = ConfigDict(extra="forbid")

    study: str
    model: str
    group: str
    condition: str
    prompt: str
    outcome: str
    text: str


class RunProgress(BaseModel):
    """What `progress.json` holds.

    Attributes
    ----------
    phase
        `asking`; `concluding`, once everything is asked; `stopped`, for the `reason` given. A
        process that was killed leaves `asking` behind: whether one is at work, `Run.in_use` tells.
    pid
        Number of the process.
    started, written
        When it began, and when it wrote this.
    spent
        US dollars, over all models.
    studies
        In the order in which they began.
    newest
        The last answers, newest first.
    """

    model_config = ConfigDict(extra="forbid")

    phase: Literal["asking", "concluding", "stopped"] = "asking"
    reason: str = ""
    pid: int
    started: datetime
    written: datetime
    spent: float = 0.0
    studies: list[StudyProgress] = Field(default_factory=list)
    newest: list[Heard] = Field(default_factory=list)


def read_progress(run: Run) -> RunProgress | None:
    """Read how far a run is, or was when it stopped; `None` where nothing is written.

    Raises
    ------
    InputError
        The file is damaged.
    """
    path = run.path(NAME)
    try:
        return RunProgress.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    except ValidationError as error:
        raise InputError("is damaged; it can be removed without loss", file=path) from error


class WrittenProgress:
    """Progress that is shown as before, and written into the run directory.

    Parameters
    ----------
    run
        A run that this process holds.
    shown
        Who else is told.
    """

    def __init__(self, run: Run, shown: Progress):
        self._path, self._shown = run.path(NAME), shown
        now = datetime.now(UTC)
        self._now = RunProgress(pid=os.getpid(), started=now, written=now)
        self._spent: dict[str, float] = {}
        self._newest: deque[tuple[str, Item, Answer]] = deque(maxlen=_NEWEST)
        self._began = self._wrote = time.monotonic()
        self._write()

    def expect(self, count: int, studies: Callable[[], Sequence[Expected]]) -> None:
        """Pass it on."""
        self._shown.expect(count, studies)

    def start(self, study: str, model: str, total: int | None) -> None:
        """Begin a study."""
        self._shown.start(study, model, total)
        self._end_study()
        begun = StudyProgress(study=_valid(study), model=_valid(model), total=total)
        self._now.studies.append(begun)
        self._began = time.monotonic()
        self._write()

    def grow(self, total: int | None) -> None:
        """Expect this many more items."""
        self._shown.grow(total)
        current = self._now.studies[-1]
        known = current.total is not None and total is not None
        current.total = (current.total or 0) + (total or 0) if known else None

    def advance(self, step: Step) -> None:
        """Count a batch."""
        self._shown.advance(step)
        current = self._now.studies[-1]
        current.done += step.size
        current.asked += len(step.asked)
        for outcome, count in step.outcomes.items():
            current.outcomes[outcome] = current.outcomes.get(outcome, 0) + count
        self._spent[current.model] = step.spent
        heard = zip(step.asked[-_NEWEST:], step.answers[-_NEWEST:], strict=True)
        self._newest.extendleft((current.model, item, answer) for item, answer in heard)
        if time.monotonic() - self._wrote >= _PAUSE:
            self._write()

    def work(self, what: str, steps: int) -> None:
        """Pass it on."""
        self._shown.work(what, steps)

    def worked(self, steps: int = 1) -> None:
        """Pass it on."""
        self._shown.worked(steps)

    def note(self, message: str) -> None:
        """Pass it on."""
        self._shown.note(message)

    def conclude(self) -> None:
        """Say that everything is asked, and conclusions are drawn."""
        self._end_study()
        self._now.phase = "concluding"
        self._write()

    def stop(self, reason: str) -> None:
        """Say that the run stopped early, and why."""
        self._now.phase, self._now.reason = "stopped", _valid(reason)
        self._write()

    def finish(self) -> None:
        """Leave nothing behind: the run has come to its end."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _end_study(self) -> None:
        self._time()
        if self._now.studies:
            self._now.studies[-1].ended = True

    def _time(self) -> None:
        """Stop the time of the study that is going on."""
        if self._now.studies and not self._now.studies[-1].ended:
            self._now.studies[-1].seconds = round(time.monotonic() - self._began, 3)

    def _write(self) -> None:
        now = self._now
        now.written = datetime.now(UTC)
        now.spent = sum(self._spent.values())
        now.newest = [_heard(*each) for each in self._newest]
        self._time()
        # A run does not stop because nobody can watch it: whatever is wrong with the disk, the
        # journal will say.
        with suppress(OSError):
            write_whole(self._path, json.dumps(now.model_dump(mode="json")) + "\n")
        self._wrote = time.monotonic()


def _heard(model: str, item: Item, answer: Answer) -> Heard:
    texts: dict[str, Any] = {
        "study": item.study,
        "model": model,
        "group": item.group,
        "condition": item.condition,
        "prompt": shown_prompt(request_to_json(item.request)),
        "outcome": answer.outcome,
        "text": answer.text or answer.reason or "",
    }
    return Heard(**{name: _valid(text[:_LONGEST]) for name, text in texts.items()})


def _valid(text: str) -> str:
    """Replace what UTF-8 cannot hold, as the tables do."""
    return text.encode("utf-8", "replace").decode()
