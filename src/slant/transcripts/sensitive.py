"""Which answers are blurred until the reader asks for them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.measures.measure import Measure


def sensitive(
    prompts: Sequence[str],
    texts: Sequence[str | None],
    scores: Sequence[Mapping[str, float | None]],
) -> list[bool]:
    """Say which answers may hurt: when unsure, they do.

    An answer is sensitive when a measure of content gave it more than 0 (of a rate, that is what
    makes a quote of a report sensitive, `slant.studies.quotes`), when prompt or answer holds a word
    of the packaged lexicon of violence, whatever the study measures, or when either holds a
    descriptor that the packaged list marks as sensitive. A refusal is no reason.

    Parameters
    ----------
    prompts, texts, scores
        Of each answer; scores by measure.
    """
    shown = [f"{prompt}\n{text or ''}" for prompt, text in zip(prompts, texts, strict=True)]
    violent = _violence().score(pl.Series(shown, dtype=pl.String))["value"]
    return [
        value == 1
        or _descriptors().search(text) is not None
        or any(
            score is not None and score > 0 and not measure.startswith("refusal")
            for measure, score in found.items()
        )
        for text, value, found in zip(shown, violent, scores, strict=True)
    ]


def load() -> None:
    """Read and compile the lists now, which takes a third of a second the first time."""
    sensitive([""], [""], [{}])


@cache
def _violence() -> Measure:
    from slant.measures.lexicon import violence

    return violence("robust")


@cache
def _descriptors() -> re.Pattern[str]:
    from slant.groups.descriptors import load_descriptors

    marked = [
        re.sub("^(an?|have) ", "", each.text)
        for each in load_descriptors("global").descriptors
        if each.sensitive
    ]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, marked))})s?\b", re.IGNORECASE)
