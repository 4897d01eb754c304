"""Heat map of groups and descriptors: the larger the dot, the stronger the lean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.figures.grid_rows import grid_cells, strongest, told
from slant.reports.figures.theme import WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.select import Choice, Rows

_CELL, _MARGIN = 16, 20
_MOST = 40


def heatmap(
    table: Rows,
    *,
    view: Choice = None,
    key: str = "",
    what: str = "descriptor",
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw groups × descriptors, with a dot for every cell.

    The area of a dot is the size of the difference; its colour says more or less than the other
    groups where q < .05, and is grey where it could be chance. Descriptors and groups that behave
    alike stand together (average linkage on their values).

    Parameters
    ----------
    table
        Columns group, descriptor, value, q, effect and, if there are several, view.
    view
        Which view to show.
    key
        What the colours say, if not what they say of likelihoods.
    what
        What one descriptor is called.
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels; decides how many descriptors fit.

    Raises
    ------
    InputError
        A column is missing, or there is no value to draw.
    """
    import altair as alt
    import polars as pl

    cells = grid_cells(table, view)
    groups = cells["group"].unique(maintain_order=True).to_list()
    left = label_width(groups, width)
    fits = min(_MOST, max(4, (width - left - _MARGIN) // _CELL))
    names = strongest(cells, fits)
    part = cells.filter(pl.col("descriptor").is_in(names))
    part = part.select("group", "descriptor", "value", "significance")
    rows, columns = _order(part, "group"), _order(part, "descriptor")
    size = part.with_columns(pl.col("value").abs().alias("size"))
    x = alt.X("descriptor:N", sort=None, scale=alt.Scale(domain=columns)).axis(
        labelAngle=-90, labelLimit=130, title=None, orient="top"
    )
    y = alt.Y("group:N", sort=None, scale=alt.Scale(domain=rows)).axis(labelLimit=left, title=None)
    largest = float(size["size"].max() or 1.0)  # type: ignore[arg-type] # a column of floats
    area = alt.Size("size:Q", legend=None, scale=alt.Scale(domain=[0, largest], range=[2, 190]))
    layers = [
        alt.Chart(size.filter(significance=name))
        .mark_circle(color=LIGHT[colour], opacity=1)
        .encode(x=x, y=y, size=area)
        for name, colour in (("within", "band"), ("below", "below"), ("above", "above"))
        if not size.filter(significance=name).is_empty()
    ]
    chart = alt.layer(*layers, width=_CELL * len(columns), height=_CELL * len(rows))
    key = key or (
        "Orange: more probable with this group's names than with the median of the others; "
        "blue: less; grey: could be chance. Larger: further apart."
    )
    return themed(chart, title, [key, *told(cells, len(columns), what)], width)


def _order(part: pl.DataFrame, by: str) -> list[str]:
    """Put rows or columns that have like values next to each other."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    other = "descriptor" if by == "group" else "group"
    wide = part.pivot(other, index=by, values="value", aggregate_function="first").fill_null(0.0)
    labels: list[str] = wide[by].to_list()
    if len(labels) < 3:
        return labels
    leaves = leaves_list(linkage(wide.drop(by).to_numpy(), "average", optimal_ordering=True))
    return [labels[place] for place in leaves]
