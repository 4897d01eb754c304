"""The row chart: a row a group, its name on the left, the value in writing on the right.

Pictures differ in the layers that they put between the two.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slant.reports.figures.pixels import fixed
from slant.reports.figures.theme import CHARACTER, label_width
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

ROW = 25
"""Height of a row, in pixels."""

_MARGIN, _BESIDE, _NARROWEST = 28, 14, 70


@dataclass(frozen=True)
class RowChart:
    """Where things stand in a picture with one row a group.

    Attributes
    ----------
    groups
        The rows, from the top.
    label, plot, text
        Widths of the names, of the plot and of the written values, in pixels; no names are
        written when `label` is 0.
    domain
        Ends of the scale.
    axis
        What the scale shows.
    log
        Whether the scale is logarithmic, as ratios need it.
    form
        How the scale's numbers are written, as in `.1f`; by themselves when empty.
    row
        Height of a row, in pixels.
    ticks
        Where the scale has numbers; by itself when empty.
    """

    groups: Sequence[str]
    label: int
    plot: int
    text: int
    domain: tuple[float, float]
    axis: str
    log: bool = False
    form: str = ""
    row: int = ROW
    ticks: Sequence[float] = ()

    @property
    def left(self) -> int:
        """Where the picture begins, in pixels from the plot."""
        return -self.label

    @property
    def width(self) -> int:
        """Width of names, plot and written values, in pixels."""
        return self.label + self.plot + self.text

    @property
    def beside(self) -> int:
        """Where the written values begin, in pixels from the plot's left edge."""
        return self.plot + _BESIDE

    @property
    def y(self) -> alt.Y:
        """Gives every group a row, in the order listed; the names are drawn as marks."""
        import altair as alt

        scale = alt.Scale(domain=list(self.groups), paddingInner=0.3, paddingOuter=0.15)
        return alt.Y("group:N", sort=None, axis=None, scale=scale)

    def at(self, column: str) -> alt.X:
        """Place a column on the scale that all layers share."""
        return across(
            column,
            self.domain,
            self.axis,
            self.plot,
            log=self.log,
            form=self.form,
            ticks=self.ticks,
        )

    def marks(
        self,
        frame: pl.DataFrame,
        kind: str,
        start: str,
        end: str = "",
        *,
        channels: Mapping[str, Any] | None = None,
        **looks: Any,
    ) -> list[alt.Chart]:
        """Draw one mark a row of a table.

        Parameters
        ----------
        frame
            Column `group`, those placed, and those of the further channels.
        kind
            `rule` for an interval, `bar` for a band or a bar, `tick` or `point` for a value,
            `text`.
        start, end
            Columns to draw it at, or from one to the other; rows without either are left out.
        channels
            Further encodings, each with its column.
        **looks
            Of the mark.

        Returns
        -------
        list of altair.Chart
            Empty where no row is left.
        """
        import altair as alt

        more = channels or {}
        placed = [start, end] if end else [start]
        others = [each.shorthand.partition(":")[0] for each in more.values()]
        known = frame.select(list(dict.fromkeys(["group", *placed, *others]))).drop_nulls(placed)
        if known.is_empty():
            return []
        if end:
            more = {"x2": alt.X2(f"{end}:Q"), **more}
        mark = getattr(alt.Chart(known), f"mark_{kind}")(**looks)
        return [mark.encode(x=self.at(start), y=self.y, **more)]

    def line(self, value: float, colour: str, dash: Sequence[int] = (3, 2)) -> alt.Chart:
        """Draw an upright line through all rows."""
        import altair as alt

        spot = alt.Chart(alt.InlineData([{"at": value}]))
        mark = spot.mark_rule(color=LIGHT[colour], strokeWidth=1, strokeDash=list(dash))
        chart: alt.Chart = mark.encode(x=self.at("at"))
        return chart

    def chart(self, told: pl.DataFrame, layers: Iterable[alt.Chart]) -> ChartType:
        """Put layers together with the rows' names and what is written beside them.

        Parameters
        ----------
        told
            Column `group`; and, where they are there, `name` (written in its place), `bold`, and
            `shown` (the value in writing).
        layers
            Whatever else there is.
        """
        import altair as alt

        around = [*layers]
        if self.label:
            around += self._names(told)
        if "shown" in told.columns:
            written = alt.Chart(told.select("group", "shown")).mark_text(
                align="left", baseline="middle", fontSize=11, color=LIGHT["ink"]
            )
            text = alt.Text("shown:N")
            around.append(written.encode(y=self.y, text=text, **fixed(x=self.beside)))
        return alt.layer(*around, width=self.plot, height=self.row * len(self.groups))

    def _names(self, told: pl.DataFrame) -> list[alt.Chart]:
        """Write the rows' names at the left edge."""
        import altair as alt
        import polars as pl

        layers = []
        column = "name" if "name" in told.columns else "group"
        bold = pl.col("bold") if "bold" in told.columns else pl.lit(False)
        for heavy in (False, True):
            part = told.filter(bold == heavy).select(list(dict.fromkeys(["group", column])))
            if part.is_empty():
                continue
            mark = alt.Chart(part).mark_text(
                align="left",
                baseline="middle",
                fontWeight=700 if heavy else 400,
                limit=self.label - 10,
                color=LIGHT["ink"],
            )
            layers.append(mark.encode(y=self.y, text=alt.Text(f"{column}:N"), **fixed(x=self.left)))
        return layers


def row_chart(
    told: pl.DataFrame, width: int, axis: str, ends: Iterable[float], **more: Any
) -> RowChart:
    """Divide the width of a picture among names, plot and written values.

    Parameters
    ----------
    told
        As `RowChart.chart` takes it: one row a group, in the order to be drawn.
    width
        Of the whole picture, in pixels.
    axis
        What the scale shows.
    ends
        What the scale must hold.
    **more
        Attributes of `RowChart`.
    """
    groups = told["group"].to_list()
    label = label_width(told["name" if "name" in told.columns else "group"].to_list(), width)
    text = text_width(told["shown"].to_list()) if "shown" in told.columns else 0
    return RowChart(
        groups, label, plot_width(width, label, text), text, domain(ends), axis, **more
    )  # fmt: skip


def text_width(texts: Iterable[str]) -> int:
    """Say how many pixels the written values take."""
    return round(max(map(len, texts), default=0) * CHARACTER * 0.95) + _BESIDE


def plot_width(width: int, label: int, text: int, plots: int = 1) -> int:
    """Say how wide a plot is, of several that stand side by side and share their names."""
    return max(_NARROWEST, (width - label - plots * (text + _MARGIN)) // plots)


def domain(ends: Iterable[float]) -> tuple[float, float]:
    """Span a scale around what it must hold, wide enough to be one."""
    every = list(ends)
    low, high = min(every), max(every)
    return (low, high) if low < high else (low - 1, high + 1)


def stacks(frame: pl.DataFrame, part: str, parts: Sequence[str], size: str) -> pl.DataFrame:
    """Stack each group's parts in the order given: columns `start` and `end` are added."""
    import polars as pl

    order = {name: place for place, name in enumerate(parts)}
    ordered = frame.sort("group", pl.col(part).replace_strict(order), maintain_order=True)
    end = pl.col(size).cum_sum().over("group")
    return ordered.with_columns((end - pl.col(size)).alias("start"), end.alias("end"))


def ends_of(frame: pl.DataFrame, *columns: str) -> list[float]:
    """List what is known of columns, for a scale to hold."""
    return [each for name in columns for each in frame[name].drop_nulls().to_list()]


def heading(words: str, left: float, y: float, **looks: Any) -> alt.Chart:
    """Write a panel's heading above it."""
    import altair as alt

    looks = {"fontWeight": 600, "color": LIGHT["ink"], **looks}
    mark = alt.Chart(alt.InlineData([{"one": 1}])).mark_text(
        align="left", baseline="middle", **looks
    )
    chart: alt.Chart = mark.encode(**fixed(x=left, y=y, text=words))
    return chart


def across(
    column: str,
    domain: tuple[float, float],
    words: str,
    plot: int,
    *,
    log: bool = False,
    form: str = "",
    ticks: Sequence[float] = (),
) -> alt.X:
    """Place a column on a scale that all layers of a plot share.

    Parameters
    ----------
    column
        What to place.
    domain
        Ends of the scale, widened to round numbers.
    words
        What the scale shows.
    plot
        Width in pixels, which decides how many numbers fit.
    log
        Whether the scale is logarithmic.
    form
        How its numbers are written, as in `.1f`.
    ticks
        Where its numbers stand; by itself when empty.
    """
    import altair as alt

    # A title that is wider than the plot would make the whole picture wider.
    lines = textwrap.wrap(words, max(12, int(plot / CHARACTER)))
    title = lines if len(lines) > 1 else words
    return alt.X(
        f"{column}:Q",
        scale=alt.Scale(domain=list(domain), nice=True, type="log" if log else "linear"),
        axis=alt.Axis(
            title=title,
            tickCount=max(3, plot // 75),
            format=form or alt.Undefined,
            values=list(ticks) or alt.Undefined,
        ),
    )
