"""Several models: what is found of each, group by group, and how strongly each leans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.reports.figures.layers import RowChart, ends_of, heading, plot_width, text_width
from slant.reports.figures.layers import domain as span_of
from slant.reports.figures.select import drawable, require
from slant.reports.figures.theme import CHARACTER, WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

_SHAPES = {
    "circle": "circle", "square": "square", "triangle-up": "triangle", "diamond": "diamond",
    "triangle-down": "triangle upside down", "cross": "cross",
}  # fmt: skip
"""Shapes of models, and what they are called."""

_LANE, _SPACING, _PANEL = 12, 24, 230
_RANK_ROW = 24
_BILLIONS = "replace(format(datum.value, '~s'), 'G', 'B')"


def models(table: pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    """Draw a panel a theme, a row a group, and in it a dot a model with its interval.

    Shapes tell models apart; a dot is orange where a measure is sure that it is worse for the
    group than for the others, blue where it is sure that it is better, and hollow where it could be
    chance.

    Parameters
    ----------
    table
        Columns `theme`, `group`, `model`, `strength`, `low`, `high` and `sure`.
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels; decides how many panels stand side by side.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    require(table, "theme", "group", "model", "strength", "low", "high", "sure")
    frame = drawable(table).drop_nulls("strength")
    if frame.is_empty():
        raise InputError("no model has a figure to draw")
    names = frame["model"].unique(maintain_order=True).to_list()
    themes = frame["theme"].unique(maintain_order=True).to_list()
    groups = frame["group"].unique(maintain_order=True).to_list()
    label = label_width(groups, width)
    across = max(1, min(len(themes), (width - label) // _PANEL))
    plot = plot_width(width, label, 0, across)
    ends = span_of([0.0, *ends_of(frame, "strength", "low", "high")])
    panels = []
    for number, theme in enumerate(themes):
        rows = RowChart(
            groups, 0 if number % across else label, plot, 0, ends, "standard deviations",
            row=_LANE * len(names) + 8,
        )  # fmt: skip
        panels.append(_panel(frame.filter(pl.col("theme") == theme), rows, theme, names))
    lines = [
        alt.hconcat(*panels[at : at + across], spacing=_SPACING)
        for at in range(0, len(panels), across)
    ]
    chart: ChartType = lines[0] if len(lines) > 1 or across > 1 else panels[0]
    if len(lines) > 1:
        chart = alt.vconcat(*lines, spacing=24)
    called = list(_SHAPES.values())
    told = ", ".join(f"{name} ({called[n % len(called)]})" for n, name in enumerate(names))
    key = (
        f"From above: {told}. Right: worse for the group than for the others, left: better. "
        "Orange and blue, filled: sure; grey, hollow: could be chance. Lines are 95% intervals."
    )
    return themed(chart, title, [key], width)


def _panel(part: pl.DataFrame, rows: RowChart, theme: str, names: Sequence[str]) -> ChartType:
    import altair as alt
    import polars as pl

    lane = alt.YOffset("model:N", scale=alt.Scale(domain=list(names), paddingOuter=0.3))
    channels, shapes = {"yOffset": lane}, list(_SHAPES)
    layers = [rows.line(0.0, "ink"), heading(theme, rows.left, -14)]
    way = (
        pl.when(~pl.col("sure"))
        .then(pl.lit("within"))
        .when(pl.col("strength") > 0)
        .then(pl.lit("above"))
        .otherwise(pl.lit("below"))
    )
    part = part.with_columns(way.alias("way"))
    for sign in ("within", "above", "below"):
        own = part.filter(pl.col("way") == sign)
        ink = LIGHT[sign]
        layers += rows.marks(own, "rule", "low", "high", channels=channels, color=ink)
        for place, name in enumerate(names):
            looks: dict[str, Any] = {
                "shape": shapes[place % len(shapes)], "size": 55, "filled": False, "opacity": 1,
                "strokeWidth": 1.5, "stroke": ink,
                "fill": LIGHT["paper"] if sign == "within" else ink,
            }  # fmt: skip
            only = own.filter(pl.col("model") == name)
            layers += rows.marks(only, "point", "strength", channels=channels, **looks)
    return rows.chart(pl.DataFrame({"group": rows.groups}), layers)


def ranks(table: pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    """Draw a panel a theme, a row a model: its rank with an interval, and how strongly it leans.

    Parameters
    ----------
    table
        Columns `theme`, `model`, `rank`, `rank_low`, `rank_high`, and `shown`, the lean in writing.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    require(table, "theme", "model", "rank", "rank_low", "rank_high", "shown")
    frame = drawable(table).with_columns(pl.col("model").alias("group"))
    if frame.is_empty():
        raise InputError("there are no models to rank")
    count = frame["group"].n_unique()
    label = label_width(frame["group"].to_list(), width)
    text = text_width(frame["shown"].to_list())
    across = max(1, min(frame["theme"].n_unique(), (width - label) // (_PANEL + text // 2)))
    label = min(label, round(width / (3 * across)) + 20)
    plot = plot_width(width, label * across, text, across)
    panels = []
    for theme in frame["theme"].unique(maintain_order=True).to_list():
        own = frame.filter(pl.col("theme") == theme)
        rows = RowChart(
            own["group"].to_list(), label, plot, text, (1.0, float(max(count, 2))), "rank",
            form="d", row=_RANK_ROW, ticks=_places(count),
        )  # fmt: skip
        looks: dict[str, Any] = {"color": LIGHT["within"], "strokeWidth": 2}
        layers = [
            heading(theme, rows.left, -14),
            *rows.marks(own, "rule", "rank_low", "rank_high", **looks),
            *rows.marks(own, "point", "rank", size=70, filled=True, opacity=1,
                        color=LIGHT["within"]),
        ]  # fmt: skip
        panels.append(rows.chart(own, layers))
    lines = [
        alt.hconcat(*panels[at : at + across], spacing=_SPACING)
        for at in range(0, len(panels), across)
    ]
    chart: ChartType = alt.vconcat(*lines, spacing=24)
    key = (
        "Rank 1 leans most. Lines: ranks that are possible, for all models at once with 95% "
        "confidence. Beside: the typical lean in standard deviations, without what chance adds, "
        "with its 95% interval."
    )
    return themed(chart, title, [key], width)


def _places(count: int) -> list[float]:
    """List the ranks that are numbered, as many as have room."""
    step = max(1, round(count / 6))
    return [1.0, *(float(at) for at in range(1 + step, count + 1, step))]


def against(
    table: pl.DataFrame, *, what: str = "size", title: str = "", width: int = WIDE
) -> ChartType:
    """Draw how strongly models lean against their size, or the date they are of.

    Parameters
    ----------
    table
        Columns `model`, `lean`, `low`, `high`, and `at`: parameters, or an ISO date.
    what
        `size`, drawn on a logarithmic scale, or `date`.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt

    require(table, "model", "lean", "low", "high", "at")
    frame = drawable(table).drop_nulls(["at", "lean"]).select("model", "lean", "low", "high", "at")
    if frame.is_empty():
        raise InputError(f"no model has a {what}")
    left = 46
    longest = max(len(name) for name in frame["model"].to_list())
    margin = min(round(longest * CHARACTER * 0.95) + 12, width // 3)
    y = alt.Y("lean:Q", title="typical lean, SD", scale=alt.Scale(domain=_reach(frame)))
    x: alt.X
    if what == "date":
        x = alt.X("at:T", title=what, axis=alt.Axis(format="%Y-%m", tickCount=5))
    else:
        scale = alt.Scale(type="log", nice=False, padding=24)
        axis = alt.Axis(labelExpr=_BILLIONS, tickCount=4, grid=False)
        x = alt.X("at:Q", title="parameters, logarithmic scale", axis=axis, scale=scale)
    base = alt.Chart(frame)
    names: dict[str, Any] = {"align": "left", "baseline": "middle", "dx": 8, "fontSize": 11}
    chart = alt.layer(
        base.mark_rule(color=LIGHT["within"], strokeWidth=1.5).encode(
            x=x, y=alt.Y("low:Q"), y2=alt.Y2("high:Q")
        ),
        base.mark_point(filled=True, size=70, opacity=1, color=LIGHT["within"]).encode(x=x, y=y),
        *(
            base.mark_text(limit=margin, **names, **ink).encode(x=x, y=y, text=alt.Text("model:N"))
            for ink in ({"stroke": LIGHT["paper"], "strokeWidth": 4}, {"color": LIGHT["ink"]})
        ),
        width=width - left - margin,
        height=220,
    )
    key = "Lines are 95% intervals; 0 is a model that does not lean."
    return themed(chart, title, [key], width)


def _reach(frame: pl.DataFrame) -> list[float]:
    return [0.0, max(*ends_of(frame, "lean", "high"), 0.1) * 1.05]
