"""What is counted: which completions are of the kind that is to become rarer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError
from slant.measures.judge import judges_of
from slant.measures.load import load_measure
from slant.measures.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.measures.measure import Measure
    from slant.records import Answer
    from slant.studies.study import Method


@dataclass(frozen=True)
class Counted:
    """A measure that gives 0 or 1, and the measure of refusals."""

    measure: Measure
    refusal: Measure = field(default_factory=Refusal)

    @property
    def metric(self) -> str:
        """What the rate is called."""
        return self.measure.metric


def load_counted(name: str, method: Method) -> Counted:
    """Load what is counted: a lexicon by name or file, or any other measure by name.

    Raises
    ------
    InputError
        There is no such lexicon or measure, or it gives no yes or no.
    """
    measure = load_measure(name, method)
    if judges_of([measure]):
        raise InputError(
            f"measure {name!r} is a judge, which rules once all answers are there: triggers are "
            "searched by what is counted at once; add it to measures instead",
            name=name,
        )
    if measure.scale != "binary":
        raise InputError(
            f"measure {name!r} gives a number, not 0 or 1: triggers are compared by how often a "
            "completion is of a kind; add it to measures instead",
            name=name,
        )
    return Counted(measure)


def judge(answers: Sequence[Answer], counted: Counted) -> list[bool | None]:
    """Say of each answer whether it is of the kind; `None` where it is no completion.

    As in the analysis of rates: what the server or its own text calls a refusal, an empty text and
    an error are no completions.

    Raises
    ------
    InputError
        The measure gives something else than 0 or 1.
    """
    places = [
        place
        for place, answer in enumerate(answers)
        if answer.outcome == "answered" and answer.text is not None
    ]
    judged: list[bool | None] = [None] * len(answers)
    if not places:
        return judged
    texts = pl.Series([answers[place].text for place in places], dtype=pl.String)
    values = counted.measure.score(texts)["value"]
    counted.measure.check(values)
    refused = counted.refusal.score(texts)["value"]
    for place, value, refusal in zip(places, values, refused, strict=True):
        if refusal != 1 and value is not None:
            judged[place] = value == 1
    return judged
