"""Texts of answers, read from a table as long as there is no index of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from slant.transcripts.index import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_SCATTERED = 50_000
"""Rows that are read at once to find some of them."""


def held_texts(table: pl.DataFrame, numbers: Sequence[int], longest: int) -> dict[int, Text]:
    """Take the texts of answers, by their rows, up to so many characters each."""
    columns = table.select(_cut(longest))
    return {each: _text(columns.row(each)) for each in numbers}


def unindexed_texts(answers: Path, numbers: Sequence[int], longest: int) -> dict[int, Text]:
    """Read texts from a file; their rows ascend, and it takes longer the further they lie apart."""
    found: dict[int, Text] = {}
    columns = pl.scan_parquet(answers).select(_cut(longest))
    at = 0
    while at < len(numbers):
        first = numbers[at]
        near = [each for each in numbers[at:] if each < first + _SCATTERED]
        part = columns.slice(first, near[-1] - first + 1).with_row_index("row", first)
        wanted = part.filter(pl.col("row").is_in(near)).collect(engine="streaming")
        found |= {row: _text(rest) for row, *rest in wanted.iter_rows()}
        at += len(near)
    return found


def given_numbers(table: pl.LazyFrame, numbers: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Read `logprobs` and `slots` of answers, by row, of as many as lie near the first."""
    near = [each for each in sorted(numbers) if each < min(numbers) + _SCATTERED]
    if not near:
        return {}
    part = table.select("logprobs", "slots").slice(near[0], near[-1] - near[0] + 1)
    held = part.with_row_index("row", near[0]).filter(pl.col("row").is_in(near))
    return {row["row"]: row for row in held.collect(engine="streaming").iter_rows(named=True)}


def _cut(longest: int) -> pl.Expr:
    return pl.col("prompt", "text").str.slice(0, longest)


def _text(row: Sequence[Any]) -> Text:
    prompt, text = row
    return Text(prompt or "", text, {})
