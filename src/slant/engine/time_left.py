"""How long a run still takes, as far as its studies know before they ask."""

from __future__ import annotations

import itertools
from collections.abc import Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.records import Generate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.engine.progress import Step
    from slant.records import Item
    from slant.studies.study import Study

_WALKED, _WEIGHED = 4_000, 100
"""Questions of a study's first round that are gone through, and those that are weighed of them."""


@dataclass(frozen=True)
class Load:
    """What some questions ask of a model.

    Attributes
    ----------
    tokens
        How many tokens it may write in answer to them.
    scored
        How many of them it only has to find probable or not.
    """

    tokens: float = 0.0
    scored: float = 0.0

    def __add__(self, other: Load) -> Load:
        return Load(self.tokens + other.tokens, self.scored + other.scored)

    def times(self, factor: float) -> Load:
        """Give what so many times as many questions ask."""
        return Load(self.tokens * factor, self.scored * factor)


@dataclass(frozen=True)
class Expected:
    """What a study is going to ask a model, as far as it knows.

    Attributes
    ----------
    study, model
        Who asks whom.
    questions
        Of its first round; `None` where even that turns out as it goes.
    each
        What one question asks on average.
    """

    study: str
    model: str
    questions: int | None
    each: Load


def expected(study: Study, limit: int | None = None) -> Expected:
    """Look at a study's first round of questions, and ask none of them.

    Parameters
    ----------
    study
        Which one.
    limit
        The most questions that are asked.
    """
    size, sample = _looked_at(study)
    if size is not None and limit is not None:
        size = min(size, limit)
    each = load(sample).times(1 / max(len(sample), 1))
    return Expected(study.label, study.circumstances.model, size, each)


def _looked_at(study: Study) -> tuple[int | None, list[Item]]:
    """Give the number of a study's first questions, and some of them."""
    rounds = study.rounds()
    try:
        items = next(rounds, [])
        size = len(items) if isinstance(items, Sized) else None
        step = max(1, min(size or 0, _WALKED) // _WEIGHED)
        return size, list(itertools.islice(items, 0, step * _WEIGHED, step)) if size else []
    except Exception:  # what is wrong with a study is told when it is asked
        return None, []
    finally:
        rounds.close()


def load(items: Iterable[Item]) -> Load:
    """Weigh questions."""
    tokens = scored = 0
    for item in items:
        if isinstance(item.request, Generate):
            tokens += item.request.sampling.max_tokens
        else:
            scored += 1
    return Load(tokens, scored)


class TimeLeft:
    """Counts what is asked, and how long that takes.

    Answers that were there already count neither as work done nor as time: a run that goes on
    would otherwise seem to be as fast as its replay. What a study takes is judged by itself as soon
    as it has asked something; one that has not begun, by what writing and scoring took so far.

    Parameters
    ----------
    studies
        All that are to ask, in any order.
    """

    def __init__(self, studies: Sequence[Expected]):
        self._ahead = {(each.study, each.model): each for each in studies}
        self._left, self._each = 0, Load()
        self._took, self._asked = 0.0, 0
        self._seconds, self._done = Load(), Load()

    def begin(self, study: str, model: str, questions: int | None) -> None:
        """Begin a study; what was expected of it gives way to what it says."""
        known = self._ahead.pop((study, model), None)
        self._each = Load() if known is None else known.each
        self._left, self._took, self._asked = questions or 0, 0.0, 0

    def grow(self, questions: int | None) -> None:
        """Expect this many more questions of the study that is asking."""
        self._left += questions or 0

    def advance(self, step: Step, seconds: float) -> None:
        """Count a batch, and the time since the one before it.

        Parameters
        ----------
        step
            What it brought.
        seconds
            How long that took; it does not count where nothing was asked.
        """
        self._left = max(0, self._left - step.size)
        if not step.asked:
            return
        self._took, self._asked = self._took + seconds, self._asked + step.size
        whole = load(step.asked).times(step.size / len(step.asked))
        self._done += whole
        part = whole.tokens / ((whole.tokens + whole.scored) or 1.0)
        self._seconds += Load(seconds * part, seconds * (1 - part))

    @property
    def rate(self) -> float | None:
        """Questions of the present study a second; `None` before it has asked any."""
        return self._asked / self._took if self._took else None

    @property
    def seconds(self) -> float | None:
        """How long all studies still take, in seconds; `None` before any question was asked."""
        of_tokens, of_scored = (
            time / count if count else None
            for time, count in (
                (self._seconds.tokens, self._done.tokens),
                (self._seconds.scored, self._done.scored),
            )
        )
        if of_tokens is None and of_scored is None:
            return None
        # A kind of question that was not asked yet is taken to cost as a token of the other does.
        a_token = of_tokens if of_tokens is not None else of_scored or 0.0
        a_score = of_scored if of_scored is not None else a_token

        def takes(each: Load) -> float:
            return each.tokens * a_token + each.scored * a_score

        own = 1 / self.rate if self.rate else takes(self._each)
        ahead = sum(takes(each.each) * (each.questions or 0) for each in self._ahead.values())
        return self._left * own + ahead


def time_words(seconds: float) -> str:
    """Write a stretch of time as it is said: `40 s`, `12 min`, `3.5 h`.

    Examples
    --------
    >>> time_words(40.2), time_words(725), time_words(12_600)
    ('40 s', '12 min', '3.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6_000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
