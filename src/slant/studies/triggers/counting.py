"""What is counted: which completions are of the kind that is to become rarer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError, unknown
from slant.measures.lexicon import LexiconMeasure, lexicon_names, load_lexicon
from slant.measures.refusal import Refusal
from slant.registry import MEASURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.measures.measure import Measure
    from slant.records import Answer
    from slant.studies.study import Method


@dataclass(frozen=True)
class Counted:
    """A measure that gives 0 or 1, what its rate is called, and the measure of refusals."""

    measure: Measure
    metric: str
    refusal: Measure = field(default_factory=Refusal)


def load_counted(name: str, method: Method) -> Counted:
    """Load what is counted: a lexicon by name or file, or any other measure by name.

    Raises
    ------
    InputError
        There is no such lexicon or measure.
    """
    if name.endswith(".toml") or name in lexicon_names():
        lexicon = load_lexicon(name)
        return Counted(LexiconMeasure(lexicon, method), lexicon.metric)
    if name not in MEASURES.names() and ":" not in name:
        raise unknown("measure or lexicon", name, {*MEASURES.names(), *lexicon_names()})
    measure: Measure = MEASURES.get(name)()
    return Counted(measure, f"{measure.name}_rate")


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
    check_indicator(values, counted)
    refused = counted.refusal.score(texts)["value"]
    for place, value, refusal in zip(places, values, refused, strict=True):
        if refusal != 1 and value is not None:
            judged[place] = value == 1
    return judged


def check_indicator(values: pl.Series, counted: Counted) -> None:
    """Insist that a measure says yes or no.

    Raises
    ------
    InputError
        It does not.
    """
    known = values.drop_nulls()
    other = known.filter(~known.is_in([0.0, 1.0]))
    if len(other):
        raise InputError(
            f"measure {counted.measure.name!r} gives {other[0]:g}: triggers are compared by how "
            "often a completion is of a kind, so the measure must give 0 or 1"
        )
