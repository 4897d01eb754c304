"""Slopes: where each group's mean stands in the references, and where in what a model wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.records import SURE
from slant.reports.figures.select import Choice, require, select
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_HEIGHT, _NAMES = 260, 110
_MOST_ACROSS, _COLUMN = 3, 200
_SIDES = ["reference", "model"]


def slope(
    table: pl.DataFrame,
    *,
    level: Choice = None,
    measure: str = "mean",
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw a line a group from its mean in the references to its mean in the generated texts.

    Parameters
    ----------
    table
        Columns `group`, `condition`, `reference`, `generated`, `low`, `high` (95% interval of the
        latter around the former), `q` (null if not tested) and `n`; one panel a condition.
    level
        Which of the table's levels to show.
    measure
        What the axis says.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    require(table, "group", "condition", "reference", "generated", "low", "high", "q", "n")
    rows = select(table, level=level) if level is not None else table
    if rows.is_empty():
        raise InputError("there are no means to draw")
    conditions = rows["condition"].unique(maintain_order=True).to_list()
    across = max(1, min(_MOST_ACROSS, len(conditions), width // _COLUMN))
    panels = [
        _panel(rows.filter(pl.col("condition") == condition), condition, measure,
               width // across - _NAMES)
        for condition in conditions
    ]  # fmt: skip
    chart = panels[0] if len(panels) == 1 else alt.concat(*panels, columns=across)
    key = (
        "Each line is a group, with the 95% interval of its change; grey lines could be chance "
        "(q ≥ .05). n = "
        f"{int(rows['n'].max() or 0):,} pairs of articles."  # type: ignore[arg-type] # a count
    )
    return themed(chart, title, [key], width)


def _panel(rows: pl.DataFrame, condition: str, measure: str, width: int) -> ChartType:
    import altair as alt
    import polars as pl

    sides = pl.concat(
        [
            rows.select("group", pl.lit(side).alias("side"), pl.col(column).alias("value"))
            for side, column in zip(_SIDES, ("reference", "generated"), strict=True)
        ]
    )
    moved = rows.with_columns(
        pl.when(pl.col("q").fill_null(1.0) >= SURE)
        .then(pl.lit("level"))
        .when(pl.col("generated") > pl.col("reference"))
        .then(pl.lit("up"))
        .otherwise(pl.lit("down"))
        .alias("way")
    ).select("group", "way", "low", "high", pl.lit(_SIDES[1]).alias("side"))
    data = sides.join(moved.select("group", "way"), on="group", how="left", maintain_order="left")
    x = alt.X("side:N", sort=_SIDES, title=None).axis(labelAngle=0, grid=False).scale(padding=0.3)
    y = alt.Y("value:Q", title=measure).scale(zero=False)
    colour = alt.Color("way:N", legend=None).scale(
        domain=["up", "down", "level"], range=[LIGHT["above"], LIGHT["below"], LIGHT["within"]]
    )
    base = alt.Chart(data).encode(x=x, y=y, color=colour, detail=alt.Detail("group:N"))
    ends = alt.Chart(moved).mark_rule(strokeWidth=5, opacity=0.35)
    names = base.transform_filter(alt.datum.side == _SIDES[1]).mark_text(
        align="left", dx=9, fontSize=11
    )
    return alt.layer(
        ends.encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high:Q"), color=colour),
        base.mark_line(strokeWidth=2),
        base.mark_point(filled=True, size=55, opacity=1),
        names.encode(text=alt.Text("group:N")),
    ).properties(width=max(120, width), height=_HEIGHT, title=condition)
