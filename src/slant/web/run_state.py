"""How a run stands: going on, stopped, done; and what to type next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.engine.progress_file import read_progress
from slant.errors import InputError

if TYPE_CHECKING:
    from slant.engine.progress_file import RunProgress
    from slant.engine.run import Run

Kind: TypeAlias = Literal["going", "stopped", "empty", "shard", "done", "damaged"]

KINDS: dict[Kind, str] = {
    "going": "going on",
    "stopped": "unfinished",
    "empty": "no findings",
    "shard": "shard",
    "done": "done",
    "damaged": "cannot be read",
}
"""Kinds of states, as a reader knows them."""


@dataclass(frozen=True)
class RunState:
    """How a run stands.

    Attributes
    ----------
    kind
        What a list is filtered by.
    words
        The same in a few words, with how far it is.
    reason
        Why it is not done, in a sentence; empty where there is nothing to say.
    command
        What to type to go on; may be empty.
    progress
        How far it is, or was when it stopped; `None` where that is not known.
    """

    kind: Kind
    words: str
    reason: str = ""
    command: str = ""
    progress: RunProgress | None = None


def state_of(run: Run) -> RunState:
    """Tell how a run stands, from its small files alone."""
    in_use = run.in_use
    try:
        progress, everything = read_progress(run), run.asked_everything
    except InputError as error:
        if in_use:
            return RunState("going", "going on")
        return RunState("damaged", KINDS["damaged"], str(error))
    if in_use:
        return _going(run, progress)
    where, concluded = run.directory, run.path("findings.json").exists()
    resume = "" if run.config.kind == "measure" else f"slant resume {where}"
    if everything is False:
        return RunState("stopped", _left(run, progress), _why(progress), resume, progress)
    if concluded:
        return RunState("done", "done")
    if run.config.shard is not None and everything:
        reason = "All questions of this shard are asked. When all shards are, merge them."
        command = f"slant merge {where} … --out DIRECTORY"
        return RunState("shard", f"shard {run.config.shard}", reason, command)
    reason = "This run has not come to conclusions."
    return RunState("empty", KINDS["empty"], reason, resume or f"slant rescore {where}", progress)


def share_done(run: Run, progress: RunProgress) -> float | None:
    """Say which share of a run's studies is asked, each counting the same; `None` if unknown."""
    done = 0.0
    for study in progress.studies:
        if study.ended:
            done += 1
        elif study.total:
            done += min(study.done / study.total, 1.0)
        else:
            return None
    return done / planned(run, progress)


def planned(run: Run, progress: RunProgress) -> int:
    """Count the studies that a run asks, each once for every model."""
    return max(len(run.config.study) * max(len(run.config.models), 1), len(progress.studies))


def _going(run: Run, progress: RunProgress | None) -> RunState:
    if progress is None or progress.phase == "stopped":
        return RunState("going", "being worked on", "Another command is writing to this run.")
    if progress.phase == "concluding":
        return RunState("going", "drawing conclusions", progress=progress)
    if not progress.studies:
        return RunState("going", "starting", progress=progress)
    return RunState("going", f"going on, {_far(run, progress)}", progress=progress)


def _far(run: Run, progress: RunProgress) -> str:
    share = share_done(run, progress)
    count = f"study {len(progress.studies)} of {planned(run, progress)}"
    return count if share is None else f"{share:.0%}"


def _left(run: Run, progress: RunProgress | None) -> str:
    if progress is None or not progress.studies or progress.phase == "concluding":
        return KINDS["stopped"]
    return f"stopped, {_far(run, progress)}"


def _why(progress: RunProgress | None) -> str:
    start = "Some questions have not been asked yet"
    if progress is None:
        return f"{start}."
    if progress.phase == "stopped":
        return f"{start}. It stopped: {progress.reason.rstrip('.')}."
    return f"{start}: its process ended without a word, perhaps killed."
