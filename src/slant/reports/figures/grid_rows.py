"""Choosing cells of a grid of groups and descriptors for a picture: never all, always told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.records import SURE
from slant.reports.figures.select import drawable, require, select

if TYPE_CHECKING:
    import polars as pl

    from slant.reports.figures.select import Choice, Rows


def grid_cells(table: Rows, view: Choice) -> pl.DataFrame:
    """Give the cells of a view that have a value, with the column `significance`.

    Raises
    ------
    InputError
        A column is missing, or there is no value to draw.
    """
    import polars as pl

    cells = select(table, view=view) if view is not None else select(table)
    require(cells, "group", "descriptor", "value", "q", "effect")
    cells = drawable(cells).drop_nulls("value")
    if cells.is_empty():
        raise InputError("there is no value to draw")
    significant = pl.col("q").fill_null(1.0) < SURE
    more = pl.when(significant & (pl.col("value") > 0)).then(pl.lit("above"))
    significance = more.when(significant).then(pl.lit("below")).otherwise(pl.lit("within"))
    return cells.with_columns(significance.alias("significance"))


def strongest(cells: pl.DataFrame, count: int) -> list[str]:
    """Name the descriptors with the strongest cells: those beyond chance first."""
    import polars as pl

    size = pl.coalesce("effect", "value").abs()
    order = cells.with_columns(
        (pl.col("significance") != "within").alias("sure"), size.alias("size")
    )
    order = order.sort("sure", "size", descending=[True, True], maintain_order=True)
    return order["descriptor"].unique(maintain_order=True).head(count).to_list()


def told(cells: pl.DataFrame, shown: int, what: str = "descriptor") -> list[str]:
    """Say how much of a grid a picture shows, and how much of it is beyond chance."""
    total, sure = cells.height, cells.filter(cells["significance"] != "within").height
    every = cells["descriptor"].n_unique()
    some = f"{shown} of {every} {what}s, those with the strongest cells; the table has all."
    pairs = f"{sure:,} of {total:,} pairs of group and {what} have q < .05."
    return [some, pairs] if shown < every else [pairs]
