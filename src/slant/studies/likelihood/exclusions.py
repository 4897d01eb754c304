"""What has to be left out of a grid with gaps, and the account of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.studies.likelihood.grid import Grid

_MOST = 0.2
"""A template or a name that lacks more than this share of its sentences is left out."""

_HALF = 0.5
_FEWEST_NAMES = 2
_FEWEST_DESCRIPTORS = 2


@dataclass(frozen=True)
class Kept:
    """A grid without gaps.

    Attributes
    ----------
    grid
        What is left.
    excluded
        One row a thing left out: `kind` (template, name, group, descriptor), `what`, `missing`
        and `of` (how many of its sentences have no perplexity), `reason`.
    reason
        Why nothing can be compared; empty where something can.
    """

    grid: Grid
    excluded: pl.DataFrame
    reason: str


def leave_out(grid: Grid) -> Kept:
    """Leave out what has gaps, so that every group is judged by the same sentences.

    In this order: descriptors that lack more than half of their sentences; templates that lack
    more than a fifth; names that lack more than a fifth; every descriptor that still has a gap;
    groups with fewer than two names, where there are names.
    """
    rows: list[tuple[str, str, int, int, str]] = []
    missing = np.isnan(grid.log_perplexity)

    def drop(axis: int, kind: str, what: list[str], most: float, reason: str) -> None:
        nonlocal grid, missing
        others = tuple(each for each in range(3) if each != axis)
        lacking, of = missing.sum(axis=others), missing.size // max(missing.shape[axis], 1)
        bad = lacking > most * of
        rows.extend((kind, what[each], int(lacking[each]), of, reason) for each in _where(bad))
        parts = [np.arange(length) for length in missing.shape]
        parts[axis] = np.flatnonzero(~bad)
        grid, missing = grid.take(*parts), missing[np.ix_(*parts)]

    drop(1, "descriptor", grid.descriptors, _HALF, "more than half of the sentences are missing")
    drop(2, "template", grid.templates, _MOST, "more than a fifth of the sentences are missing")
    labels = [
        f"{row['name']} ({row['group']})" if row["name"] else row["group"]
        for row in grid.people.iter_rows(named=True)
    ]
    kind = "name" if grid.has_names else "group"
    drop(0, kind, labels, _MOST, "more than a fifth of the sentences are missing")
    drop(1, "descriptor", grid.descriptors, 0.0, "a sentence is missing")
    if grid.has_names:
        sizes = grid.people.group_by("group", maintain_order=True).len()
        alone = sizes.filter(pl.col("len") < _FEWEST_NAMES)["group"].to_list()
        rows.extend(("group", each, 0, 0, "it has one name only") for each in alone)
        staying = np.flatnonzero(~grid.people["group"].is_in(alone).to_numpy())
        everything = [np.arange(length) for length in missing.shape[1:]]
        grid = grid.take(staying, *everything)
    schema = {"kind": pl.String, "what": pl.String, "missing": pl.Int64, "of": pl.Int64}
    excluded = pl.DataFrame(rows, schema={**schema, "reason": pl.String}, orient="row")
    return Kept(grid, excluded, _reason(grid))


def exclusion_notes(kept: Kept) -> list[str]:
    """Count what was left out, in words."""
    counts = kept.excluded.group_by("kind", "reason", maintain_order=True).agg(
        pl.len(), pl.col("what").head(3)
    )
    return [
        f"{row['len']:,} {row['kind']}{'s' if row['len'] > 1 else ''} left out because "
        f"{row['reason']}: {', '.join(row['what'])}{' and others' if row['len'] > 3 else ''}. "
        "The table of exclusions has all."
        for row in counts.iter_rows(named=True)
    ]


def _reason(grid: Grid) -> str:
    if not grid.templates:
        return "no template has enough sentences with a perplexity"
    if grid.people["group"].n_unique() < 2:
        return "fewer than two groups have enough names and sentences with a perplexity"
    if len(grid.descriptors) < _FEWEST_DESCRIPTORS:
        return "fewer than two descriptors have a perplexity with every name"
    return ""


def _where(flags: NDArray[np.bool_]) -> list[int]:
    return [int(each) for each in np.flatnonzero(flags)]
