"""Intervals of cells that became findings because they are the largest of many."""

from __future__ import annotations

import numpy as np
import polars as pl

from slant.stats.multiple import selected_width

SELECTED = "selected"
"""What signatures say of such intervals."""


def for_selected(chosen: pl.DataFrame, tested: int, freedom: pl.Expr | None = None) -> pl.DataFrame:
    """Widen the intervals of chosen cells, since they were chosen (`selected_width`).

    Parameters
    ----------
    chosen
        `value`, `low` and `high`, 95% intervals.
    tested
        From how many cells they were chosen.
    freedom
        Degrees of freedom of each interval; as good as normal when left out.
    """
    if chosen.is_empty():
        return chosen
    degrees = pl.lit(1e9) if freedom is None else freedom.cast(pl.Float64)
    known = chosen.select(degrees=degrees.clip(1.0))["degrees"].to_numpy()
    width = selected_width(chosen.height, tested, np.broadcast_to(known, chosen.height))
    return chosen.with_columns(
        (pl.col("value") + (pl.col(end) - pl.col("value")) * pl.Series(width)).alias(end)
        for end in ("low", "high")
    )
