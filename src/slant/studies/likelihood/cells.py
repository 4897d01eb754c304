"""The table of all cells: one row a view, group and descriptor, the two methods side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.likelihood.affinity import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Collection

    from slant.stats.arrays import Floats
    from slant.studies.likelihood.affinity import Contrasts
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.paper import PaperScores

SCHEMA = pl.Schema(
    {
        "view": pl.String(),
        "group": pl.String(),
        "gender": pl.String(),
        "ethnicity": pl.String(),
        "descriptor": pl.String(),
        "axis": pl.String(),
        "sensitive": pl.Boolean(),
        "n": pl.Int64(),
        "value": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
        "p": pl.Float64(),
        "q": pl.Float64(),
        "effect": pl.Float64(),
        "chance_low": pl.Float64(),
        "chance_high": pl.Float64(),
        "agreement": pl.Float64(),
        "unadjusted_value": pl.Float64(),
        "unadjusted_q": pl.Float64(),
        "perplexity": pl.Float64(),
        "apx": pl.Float64(),
        "bias_score": pl.Float64(),
        "paper_flag": pl.Boolean(),
    }
)
"""`value` to `chance_high` are the robust contrast with the median of the other groups, in nats
per token; `agreement` is the share of templates with its sign; `unadjusted_…` is the same contrast
of plain perplexities; the last four are the paper's, for groups of gender and ethnicity."""


@dataclass(frozen=True)
class Side:
    """What stands beside the contrasts of a view, each of shape (groups, descriptors).

    Attributes
    ----------
    agreement
        Share of the templates with the same sign.
    unadjusted_value, unadjusted_q
        The contrasts of plain perplexities; `None` where only APX is known.
    """

    agreement: Floats
    unadjusted_value: Floats | None
    unadjusted_q: Floats | None


def cell_table(
    grid: Grid,
    contrasts: Contrasts,
    side: Side,
    paper: PaperScores,
    sensitive: Collection[str],
) -> pl.DataFrame:
    """Lay a view out as a table with the columns of `SCHEMA`."""
    groups, descriptors = contrasts.view.groups, grid.descriptors
    columns: dict[str, object] = {
        "view": [contrasts.view.name] * (len(groups) * len(descriptors)),
        "n": np.repeat(contrasts.n, len(descriptors)),
        **{name: contrasts.cells[name].ravel() for name in (*COLUMNS, "q")},
        "agreement": side.agreement.ravel(),
    }
    for name in ("group", "gender", "ethnicity"):
        columns[name] = np.repeat([getattr(group, name) for group in groups], len(descriptors))
    marks = [each in sensitive for each in descriptors]
    for name, values in (("descriptor", descriptors), ("axis", grid.axes), ("sensitive", marks)):
        columns[name] = np.tile(np.array(values), len(groups))
    if side.unadjusted_value is not None and side.unadjusted_q is not None:
        columns["unadjusted_value"] = side.unadjusted_value.ravel()
        columns["unadjusted_q"] = side.unadjusted_q.ravel()
    if contrasts.view.name == "intersectional":
        rows = [paper.groups.index(group.group) for group in groups]
        if paper.perplexity is not None:
            columns["perplexity"] = paper.perplexity[rows].ravel()
        columns["apx"] = paper.apx[rows].ravel()
        columns["bias_score"] = paper.score[rows].ravel()
        columns["paper_flag"] = paper.flagged[rows].ravel()
    table = pl.DataFrame(columns)
    lacking = [pl.lit(None).alias(name) for name in SCHEMA if name not in table.columns]
    table = table.with_columns(lacking).select(list(SCHEMA)).cast(SCHEMA)
    return table.with_columns(pl.col(pl.Float64).fill_nan(None))
