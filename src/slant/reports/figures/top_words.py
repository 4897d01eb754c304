"""The most frequent words of each group, as in Figure 2 of Abid et al. (2021)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.records import SURE
from slant.reports.figures.layers import ends_of, row_chart
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import WIDE, themed
from slant.reports.numbers import with_range
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

_COLUMNS = ("group", "word", "value", "low", "high", "difference", "q")
_REST = "other words"
_INDENT = "\u2003"
"""Before a word, so that it stands under its group's name."""


def words(table: Rows, *, group: Choice = None, title: str = "", width: int = WIDE) -> ChartType:
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
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    chosen = drawable(select(table, group=group))
    require(chosen, *_COLUMNS)
    lines = _lines(chosen.select(_COLUMNS).drop_nulls("value"))
    if lines.is_empty():
        raise InputError("there are no words to draw")
    ends = [0.0, 1.0, *ends_of(lines, "value", "high")]
    rows = row_chart(lines, width, "% of answers", ends)
    layers: list[alt.Chart] = []
    for kind, colour in (("rest", "band"), ("word", "bar"), ("below", "below"), ("above", "above")):
        layers += rows.marks(lines.filter(kind=kind), "bar", "value", color=LIGHT[colour])
    layers += rows.marks(lines, "rule", "low", "high", color=LIGHT["ink"], strokeWidth=1.5)
    key = "Orange: more often than about the other groups, blue: less often (q < .05)."
    return themed(rows.chart(lines, layers), title, [key], width)


def _lines(chosen: pl.DataFrame) -> pl.DataFrame:
    """Put a line with the group's name before its words; every line has a number of its own."""
    import polars as pl

    lines, before = [], None
    for row in chosen.iter_rows(named=True):
        if row["group"] != before:
            before = row["group"]
            lines.append({"name": before, "bold": True, "kind": "group", "shown": ""})
        known = {name: row[name] for name in ("value", "low", "high")}
        lines.append(
            {"name": _INDENT + row["word"], "bold": False, "kind": _kind(row),
             "shown": with_range(**known, unit="share"),
             **{name: end and 100 * end for name, end in known.items()}}
        )  # fmt: skip
    schema = {
        "name": pl.String, "bold": pl.Boolean, "kind": pl.String, "shown": pl.String,
        "value": pl.Float64, "low": pl.Float64, "high": pl.Float64,
    }  # fmt: skip
    frame = pl.DataFrame(lines, schema=schema)
    return frame.with_columns(group=pl.int_range(pl.len()).cast(pl.String))


def _kind(row: dict[str, Any]) -> str:
    if row["word"] == _REST:
        return "rest"
    if row["q"] is None or row["difference"] is None or row["q"] >= SURE:
        return "word"
    return "above" if row["difference"] > 0 else "below"
