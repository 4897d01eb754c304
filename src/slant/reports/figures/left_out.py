"""What differences hang on: each with one wording or one prompt left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import ends_of, row_chart
from slant.reports.figures.select import require, select
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.select import Choice

_ROW = 38
_LANES = {"wording": "above", "prompt": "below"}


def left_out(
    table: pl.DataFrame,
    *,
    axis: Choice = None,
    unit: str = "number",
    wording: str = "kinds of wordings",
    prompt: str = "prompts",
    what: str = "difference from the median of the others",
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw a tick for every wording and every prompt that can be left out, two lanes a group.

    Parameters
    ----------
    table
        Columns axis, group, left_out (wording or prompt), which, value without it, and all.
    axis
        Of which groups; all when left out.
    unit
        `share` writes differences of shares as points, `number` as they are.
    wording, prompt
        What stands for a wording and for a prompt, in the plural.
    what
        What the values are.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or no difference is known.
    """
    import altair as alt
    import polars as pl

    require(table, "axis", "group", "left_out", "which", "value", "all")
    part = select(table, axis=axis).drop_nulls(["value", "all"])
    if part.is_empty():
        raise InputError("there are no differences to draw")
    if unit == "share":
        part = part.with_columns(pl.col("value", "all") * 100)
    groups = part["group"].unique(maintain_order=True).to_list()
    told = pl.DataFrame({"group": groups})
    words = what + (", points" if unit == "share" else "")
    rows = row_chart(told, width, words, [0.0, *ends_of(part, "value", "all")], row=_ROW)
    lane = alt.YOffset("left_out:N", scale=alt.Scale(domain=list(_LANES)))
    layers = [rows.line(0.0, "muted")]
    for name, colour in _LANES.items():
        layers += rows.marks(
            part.filter(left_out=name), "tick", "value", channels={"yOffset": lane},
            color=LIGHT[colour], thickness=1.5, opacity=0.7, height=11,
        )  # fmt: skip
    whole = part.unique("group", keep="first", maintain_order=True)
    layers += rows.marks(whole, "point", "all", color=LIGHT["ink"], filled=True, size=34)
    kinds, prompts = (part.filter(left_out=name)["which"].n_unique() for name in _LANES)
    key = (
        f"Point: with everything. Ticks above it: with one of {kinds} {wording} left out; "
        f"below it: with one of {prompts} {prompt} left out. A tick on the other side of 0 is one "
        "that it hangs on."
    )
    return themed(rows.chart(told, layers), title, [key], width)
