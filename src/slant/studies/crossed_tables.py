"""Tables, pictures and notes of groups that were asked about in several wordings and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.records import VS_REST
from slant.stats.crossed_wordings import FEWEST
from slant.stats.variance_shares import variance_shares
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.stats.crossed_wordings import CrossedMeans
    from slant.studies.filing import Quantity
    from slant.studies.placebo import Placebos
    from slant.studies.worded import Worded


def variance_table(real: Worded) -> pl.DataFrame:
    """Say where the values' variance comes from, by parts and as shares of the whole."""
    parts = variance_shares(real.values)
    total = sum(parts.values())
    return pl.DataFrame(
        {
            "group": list(parts),
            "value": [part / total if total > 0 else None for part in parts.values()],
            "variance": list(parts.values()),
        },
        schema={"group": pl.String, "value": pl.Float64, "variance": pl.Float64},
    )


def placebo_table(placebo: Sequence[tuple[Worded, CrossedMeans]]) -> pl.DataFrame:
    """List what every placebo group differs by from the others of its axis."""
    rows = [
        (worded.axis, group, *found.vs_rest.ends(row), float(found.vs_rest.p[row]))
        for worded, found in placebo
        for row, group in enumerate(worded.groups)
    ]
    names = ("value", "low", "high", "p")
    schema: dict[str, pl.DataType] = {"axis": pl.String(), "group": pl.String()}
    schema |= {name: pl.Float64() for name in names}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.col(names).fill_nan(None)
    )


def crossed_figures(own: Quantity, tables: Mapping[str, pl.DataFrame], axes: str) -> list[Figure]:
    """Draw the groups' differences, those of placebo groups, and the shares of the variance."""
    figures = [
        Figure(
            "forest",
            "How much each group differs from the median of the others, over its wordings",
            options={"metric": own.metric, "contrast": VS_REST},
        )
    ]
    if f"{own.metric}_placebos" in tables:
        figures.append(
            Figure(
                "bars",
                f"Control: what groups differ by that cannot matter ({axes})",
                f"{own.metric}_placebos",
                {"unit": "share" if own.scale == "share" else "number"},
            )
        )
    if tables[f"{own.metric}_variance"]["value"].null_count() == 0:
        figures.append(
            Figure(
                "bars",
                "Where the differences between answers come from: shares of their variance",
                f"{own.metric}_variance",
                {"unit": "share"},
            )
        )
    return figures


def crossed_notes(real: Worded, own: Quantity, result: CrossedMeans, known: Placebos) -> list[str]:
    """Say what was left out, what is too few, and whether there is a control."""
    notes = []
    size = real.values[0].size
    if result.cells < size:
        notes.append(
            f"{own.metric}: {size - result.cells} of {size} combinations of wording and prompt "
            "lack an answer for some group and were left out for all."
        )
    if min(len(real.kinds), len(real.prompts)) < FEWEST:
        notes.append(
            f"{own.metric}: {len(real.kinds)} kinds of wordings and {len(real.prompts)} prompts "
            f"say too little about wordings and prompts in general: intervals, but no p. At least "
            f"{FEWEST} of each are needed."
        )
    if known.spread is None:
        notes.append(
            f"{own.metric}: no placebo. Nothing says what this model makes of mere words, and "
            "differences may be due to them."
        )
    return notes
