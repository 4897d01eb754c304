"""The values of the units that both sides were measured on, from the tables that findings name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slant.records import Finding, Units
    from slant.studies.section import Section


@dataclass(frozen=True)
class UnitValues:
    """A metric's values on both sides; arrays have shape (groups, units)."""

    groups: list[str]
    unit: str
    first: NDArray[np.float64]
    second: NDArray[np.float64]


def unit_values(own: Finding, sections: tuple[Section | None, Section | None]) -> UnitValues | None:
    """Find the units that a metric is the mean over, where all groups of both sides have them.

    Parameters
    ----------
    own
        A group's own mean: it says where the values are kept, and on which axis it is.
    sections
        What the study concluded on either side.

    Returns
    -------
    UnitValues or None
        `None` where no values are kept, or a side has no such table.
    """
    if own.units is None:
        return None
    frames = []
    for section in sections:
        table = None if section is None else section.analysis.tables.get(own.units.table)
        try:
            frames.append(None if table is None else _wide(table, own.units, own))
        except pl.exceptions.PolarsError:  # of another make: other columns
            return None
    one, two = frames
    if one is None or two is None:
        return None
    groups = one.columns[1:]
    if set(groups) != set(two.columns[1:]) or not groups:
        return None
    both = one.join(two, on="unit", how="full", coalesce=True, maintain_order="left")
    if both.null_count().sum_horizontal().item():
        return None
    return UnitValues(
        groups, own.unit,
        both.select(groups).to_numpy().T,
        both.select(f"{group}_right" for group in groups).to_numpy().T,
    )  # fmt: skip


def _wide(table: pl.DataFrame, units: Units, whose: Finding) -> pl.DataFrame:
    """Lay out a column `unit`, then one for every group."""
    unit = pl.concat_str(list(units.key), separator="\n").alias("unit")
    if not units.value:
        return table.select(unit, pl.exclude(units.key)).sort("unit")
    own = table
    for name, value in units.where.items():
        own = own.filter(pl.col(name) == value)
    if "axis" in table.columns:
        own = own.filter(pl.col("axis") == whose.axis)
    if "group" not in table.columns:
        own = own.with_columns(pl.lit(whose.group).alias("group"))
    return (
        own.drop_nulls(units.value)
        .with_columns(unit)
        .pivot("group", index="unit", values=units.value, aggregate_function="mean")
        .sort("unit")
    )
