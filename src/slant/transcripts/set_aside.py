"""What of replies was set aside, for the answers of a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMES = {
    "thought": "thought",
    "preamble": "preamble",
    "afterword": "afterword",
    "reply": "the whole reply, with its mark-up",
}
"""The parts of what is set aside, as readers call them, in the order of a reply."""

_NEAR = 50_000
"""Rows among which the answers of a page must lie to be read without keeping anybody waiting."""


def set_aside(
    answers: pl.LazyFrame, numbers: Sequence[int], longest: int
) -> Mapping[int, Mapping[str, str]] | None:
    """Read what was set aside of some replies.

    Parameters
    ----------
    answers
        The table of answers.
    numbers
        Rows of it.
    longest
        Characters after which a part is cut.

    Returns
    -------
    mapping or None
        Parts by name, of those answers that have any; `None` where the answers lie too far apart
        to be read at once.
    """
    if not numbers or "aside" not in answers.collect_schema():
        return {}
    first, last = min(numbers), max(numbers)
    if last - first >= _NEAR:
        return None
    part = answers.select("aside").slice(first, last - first + 1).with_row_index("row", first)
    wanted = pl.col("row").is_in(list(numbers)) & pl.col("aside").is_not_null()
    found = part.filter(wanted).collect(engine="streaming")
    return {row: _parts(text, longest) for row, text in found.iter_rows()}


def _parts(text: str, longest: int) -> dict[str, str]:
    """Part what is stored; a run may come from anybody, so that it may be anything."""
    try:
        held = json.loads(text)
    except (ValueError, RecursionError):
        held = None
    if not isinstance(held, dict):
        held = {"reply": text}
    return {
        said: part[:longest]
        for name, said in NAMES.items()
        if isinstance(part := held.get(name), str) and part.strip()
    }
