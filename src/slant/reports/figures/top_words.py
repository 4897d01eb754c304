"""The most frequent words of each group, as in Figure 2 of Abid et al. (2021)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.records import SURE
from slant.reports.figures.layers import ROW, across, figures
from slant.reports.figures.pixels import fixed
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import CHARACTER, WIDE, label_width, themed
from slant.reports.numbers import is_narrow, quantity, span
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

_COLUMNS = ("group", "word", "value", "low", "high", "difference", "q")
_REST = "other words"
_INDENT = 14


def top_words(
    table: Rows, *, group: Choice = None, title: str = "", width: int = WIDE
) -> ChartType:
    """Draw a bar for each word under its group's name, with interval and value.

    Words that come more or less often than about the others (q < .05) are coloured; "other
    words", the rest of the answers, are pale.

    Parameters
    ----------
    table
        Columns group, word, value (a share), low, high, difference (from the others) and q; in
        the order to be drawn.
    group
        Which groups to show.
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    chosen = drawable(select(table, group=group))
    require(chosen, *_COLUMNS)
    lines = _lines(chosen.select(_COLUMNS).drop_nulls("value"))
    if lines.is_empty():
        raise InputError("there are no words to draw")
    y = _rows(lines)
    labels = label_width([f"   {label}" for label in lines["label"]], width)
    text = round(max(map(len, lines["shown"])) * CHARACTER * 0.95) + 14
    plot = max(80, width - labels - text - 28)
    bars = lines.drop_nulls("value")
    ends = [1.0, *(100 * end for end in (*bars["value"], *bars["high"].drop_nulls()))]
    domain = (0.0, max(ends))
    layers = [
        *_bars(bars, domain, plot, y),
        *_labels(lines, labels, y),
        figures(bars.select(pl.col("row").alias("group"), "shown"), y, plot + 14),
    ]
    chart = alt.layer(*layers, width=plot, height=ROW * lines.height)
    key = "Orange: more often than about the other groups, blue: less often (q < .05)."
    return themed(chart, title, [key], width)


def _lines(chosen: pl.DataFrame) -> pl.DataFrame:
    """Put a line with the group's name before its words; every line has a number of its own."""
    import polars as pl

    lines, before = [], None
    for row in chosen.iter_rows(named=True):
        if row["group"] != before:
            before = row["group"]
            lines.append({"label": before, "kind": "group", "shown": ""})
        fine = is_narrow(row["low"], row["high"])
        shown = quantity(row["value"], "share", fine=fine)
        if row["low"] is not None and row["high"] is not None:
            shown += f" ({span(row['low'], row['high'], 'share', fine=fine)})"
        lines.append(
            {"label": row["word"], "kind": _kind(row), "shown": shown,
             **{name: row[name] for name in ("value", "low", "high")}}
        )  # fmt: skip
    schema = {
        "label": pl.String, "kind": pl.String, "shown": pl.String, "value": pl.Float64,
        "low": pl.Float64, "high": pl.Float64,
    }  # fmt: skip
    frame = pl.DataFrame(lines, schema=schema)
    return frame.with_columns(row=pl.int_range(pl.len()).cast(pl.String))


def _kind(row: dict[str, Any]) -> str:
    if row["word"] == _REST:
        return "rest"
    if row["q"] is None or row["difference"] is None or row["q"] >= SURE:
        return "word"
    return "above" if row["difference"] > 0 else "below"


def _rows(lines: pl.DataFrame) -> alt.Y:
    import altair as alt

    scale = alt.Scale(domain=lines["row"].to_list(), paddingInner=0.3, paddingOuter=0.15)
    return alt.Y("group:N", sort=None, axis=None, scale=scale)


def _bars(bars: pl.DataFrame, domain: tuple[float, float], plot: int, y: alt.Y) -> list[alt.Chart]:
    import altair as alt
    import polars as pl

    percent = bars.select(
        pl.col("row").alias("group"), "kind", pl.col("value", "low", "high") * 100
    )
    layers = []
    for kind, colour in (("rest", "band"), ("word", "bar"), ("below", "below"), ("above", "above")):
        part = percent.filter(pl.col("kind") == kind).select("group", "value")
        if part.height:
            bar = alt.Chart(part).mark_bar(color=LIGHT[colour])
            layers.append(bar.encode(x=across("value", domain, "% of answers", plot), y=y))
    spans = percent.select("group", "low", "high").drop_nulls()
    if spans.height:
        line = alt.Chart(spans).mark_rule(color=LIGHT["ink"], strokeWidth=1.5)
        at = across("low", domain, "% of answers", plot)
        layers.append(line.encode(x=at, x2=alt.X2("high:Q"), y=y))
    return layers


def _labels(lines: pl.DataFrame, width: int, y: alt.Y) -> list[alt.Chart]:
    import altair as alt
    import polars as pl

    layers = []
    for bold in (True, False):
        part = lines.filter((pl.col("kind") == "group") == bold)
        mark = alt.Chart(part.select(pl.col("row").alias("group"), "label")).mark_text(
            align="left", baseline="middle", fontWeight=700 if bold else 400, limit=width - 10,
            color=LIGHT["ink"],
        )  # fmt: skip
        indent = 0 if bold else _INDENT
        layers.append(mark.encode(y=y, text=alt.Text("label:N"), **fixed(x=indent - width)))
    return layers
