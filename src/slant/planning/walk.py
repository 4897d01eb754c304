"""Counting a study's questions without asking them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.records import Answer
from slant.studies.study import Sized

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.records import Item
    from slant.studies.study import Study

_SAMPLE = 400
"""Questions of a round by which all of it is weighed."""

_ROUNDS = 300
_NOT_ASKED = Answer("error", reason="it is planned, and nothing is asked")


@dataclass(frozen=True)
class Round:
    """A round of questions.

    Attributes
    ----------
    size
        How many.
    sample
        Some of them, evenly spread where all are at hand.
    """

    size: int
    sample: tuple[Item, ...]


@dataclass(frozen=True)
class Walked:
    """The questions of a study.

    Attributes
    ----------
    rounds
        In the order in which they would be asked.
    exact
        Whether their number hangs on no answer.
    """

    rounds: tuple[Round, ...]
    exact: bool

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return sum(each.size for each in self.rounds)


def walk(study: Study, limit: int | None = None) -> Walked:
    """Go through the rounds of a study as if no question could be answered.

    Where later rounds hang on the answers of earlier ones, the number is a guess: with answers,
    there may be more or fewer.

    Parameters
    ----------
    study
        Which one; nothing is asked.
    limit
        The most questions that are asked.
    """
    rounds, found, exact = study.rounds(), list[Round](), True
    left = limit
    try:
        items = next(rounds)
        while len(found) < _ROUNDS:
            exact &= isinstance(items, Sized) or not found
            items = items if isinstance(items, Sized) else list(items)
            found.append(_looked_at(items, left))
            left = None if left is None else left - found[-1].size
            if left == 0:
                break
            sized = isinstance(items, Sized)
            items = rounds.send([(item, _NOT_ASKED) for item in items])
            exact &= sized
    except StopIteration:
        pass
    finally:
        rounds.close()
    return Walked(tuple(found), exact or len(found) == 1)


def _looked_at(items: Iterable[Item], left: int | None) -> Round:
    size = len(items) if isinstance(items, Sized | list) else 0
    size = size if left is None else min(size, left)
    step = max(size // _SAMPLE, 1)
    return Round(size, tuple(itertools.islice(items, 0, min(size, step * _SAMPLE), step)))
