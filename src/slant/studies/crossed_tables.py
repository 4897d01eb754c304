"""Tables, pictures and notes of groups that were asked about in several wordings and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import VS_REST
from slant.stats.crossed_wordings import FEWEST
from slant.stats.filled_cells import filled_cells
from slant.stats.variance_shares import variance_shares
from slant.studies.hangs_on import left_out_figure, left_out_table
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from slant.stats.crossed_wordings import CrossedMeans
    from slant.studies.crossed_result import Crossed
    from slant.studies.filing import Quantity
    from slant.studies.worded import Worded

_FEW_CELLS = 12
_COVERED = "86 to 99%"
"""Of 95% intervals of means of scores over six cells, as simulated for `story` and `knowledge`."""


def crossed_tables(metric: str, every: Sequence[Crossed]) -> dict[str, pl.DataFrame]:
    """Lay out the values, where their variance comes from, and what placebo groups differ by.

    Parameters
    ----------
    metric
        Its name begins those of the tables.
    every
        What could be compared.
    """
    if not every:
        return {}
    values = [_of(each.held.real.table(), each, every) for each in every]
    tables = {
        f"{metric}_wordings": pl.concat(values),
        f"{metric}_variance": variance_table([each.held.real for each in every]),
    }
    without = [_of(left_out_table(each.held.real), each, every) for each in every]
    tables[f"{metric}_left_out"] = pl.concat(without)
    placebos = [_of(placebo_table(each.placebos), each, every) for each in every]
    known = pl.concat(placebos).unique(maintain_order=True)
    return tables if known.is_empty() else tables | {f"{metric}_placebos": known}


def _of(table: pl.DataFrame, mine: Crossed, every: Sequence[Crossed]) -> pl.DataFrame:
    """Say what a table is of, where there are several things."""
    if not any(each.held.condition for each in every):
        return table
    return table.with_columns(pl.lit(mine.held.condition).alias("of"))


def variance_table(every: Sequence[Worded]) -> pl.DataFrame:
    """Say where the values' variance comes from, by parts and as shares of the whole.

    Variances of several things are added up.
    """
    shares = [variance_shares(each.values) for each in every]
    parts = {name: sum(each[name] for each in shares) for name in shares[0]}
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
        (worded.axis, group, *found.vs_rest.ends(row))
        for worded, found in placebo
        for row, group in enumerate(worded.groups)
    ]
    names = ("value", "low", "high")
    schema: dict[str, pl.DataType] = {"axis": pl.String(), "group": pl.String()}
    schema |= {name: pl.Float64() for name in names}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.col(names).fill_nan(None)
    )


def crossed_figures(
    own: Quantity, tables: Mapping[str, pl.DataFrame], every: Sequence[Crossed]
) -> list[Figure]:
    """Draw the groups' differences, those of placebo groups, and the shares of the variance."""
    if not every:
        return []
    last = variance_figures(own, tables)
    if any(each.held.condition for each in every):  # a picture of each would be too many
        return last
    hangs_on = left_out_figure(own, [each.held.real for each in every])
    return [*_forests(own, every), *_placebo_bars(own, tables), *hangs_on, *last]


def variance_figures(own: Quantity, tables: Mapping[str, pl.DataFrame]) -> list[Figure]:
    """Draw the shares of the variance, if anything varies."""
    table = f"{own.metric}_variance"
    if tables[table]["value"].null_count():
        return []
    title = "Where the differences between answers come from: shares of their variance"
    return [Figure("bars", title, table, {"unit": "share"})]


def _forests(own: Quantity, every: Sequence[Crossed]) -> Iterator[Figure]:
    title = "How much each group differs from the median of the others, over its wordings"
    options = {"metric": own.metric, "contrast": VS_REST}
    if len(every) == 1:
        yield Figure("forest", title, options=options)
        return
    for each in every:
        axis = each.held.real.axis
        yield Figure(
            "forest", f"{title}: {axis.replace('_', ' ')}", options={**options, "axis": axis}
        )


def _placebo_bars(own: Quantity, tables: Mapping[str, pl.DataFrame]) -> Iterator[Figure]:
    name = f"{own.metric}_placebos"
    if name in tables:
        axes = " and ".join(tables[name]["axis"].unique(maintain_order=True))
        yield Figure(
            "bars",
            f"Control: what groups differ by that cannot matter ({axes})",
            name,
            {"unit": "share" if own.scale == "share" else "number"},
        )


def crossed_notes(own: Quantity, found: Crossed) -> list[str]:
    """Say what was left out, what is too few, and whether there is a control."""
    notes, real = [], found.held.real
    size = real.asked
    if found.result is not None and found.result.cells < size:
        notes.append(
            f"{own.metric}: {size - found.result.cells} of {size} combinations of wording and "
            "prompt lack an answer for half of the groups or more and were left out for all."
        )
    filled = np.isfinite(filled_cells(real.values)) & ~np.isfinite(real.values)
    if holes := int(filled.sum()):
        notes.append(
            f"{own.metric}: {holes} combinations of group, wording and prompt have no answer; what "
            "the group has elsewhere, and other groups there, stands for it."
        )
    if min(len(real.kinds), len(real.prompts)) < FEWEST:
        notes.append(
            f"{own.metric}: {len(real.kinds)} kinds of wordings and {len(real.prompts)} prompts "
            f"say too little about wordings and prompts in general: intervals, but no p. At least "
            f"{FEWEST} of each are needed."
        )
    if own.scale != "share" and found.result is not None and found.result.cells < _FEW_CELLS:
        notes.append(
            f"Means of scores over {found.result.cells} combinations of wording and prompt: where "
            "most answers score alike and few far from them, intervals of so few are not "
            f"calibrated. Of those of 95%, {_COVERED} held the truth (docs/calibration.md)."
        )
    if found.known is None or found.known.spread is None:
        notes.append(
            f"{own.metric}: no placebo. Nothing says what this model makes of mere words, and "
            "differences may be due to them."
        )
    return notes
