"""The key above a picture: what its marks stand for, in pixels above the plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.reports.figures.pixels import fixed
from slant.reports.figures.theme import CHARACTER, OUTCOME_COLOURS
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt

Sign: TypeAlias = Literal[
    "above", "below", "within", "plain", "chance", "target",
    "answered", "refused", "unparseable", "error",
]  # fmt: skip

_SYMBOL = 24
_GAP = 18
_LINE = 19


@dataclass(frozen=True)
class KeyEntry:
    """One mark and what it means."""

    sign: Sign
    words: str


def key_layers(
    entries: Sequence[KeyEntry], left: float, width: float, bottom: float = -14
) -> list[alt.Chart]:
    """Draw a key that wraps.

    Parameters
    ----------
    entries
        What to explain.
    left
        Where the picture's left edge is, relative to the plot's.
    width
        Of the picture.
    bottom
        Where the key's last line is, relative to the plot's top.
    """
    places, lines = _places(entries, width)
    layers: list[alt.Chart] = []
    for entry, (x, line) in zip(entries, places, strict=True):
        y = bottom - _LINE * (lines - 1 - line)
        layers += _symbol(entry.sign, left + x, y)
        layers.append(_text(entry.words, left + x + _SYMBOL, y))
    return layers


def _places(entries: Sequence[KeyEntry], width: float) -> tuple[list[tuple[float, int]], int]:
    x, line, places = 0.0, 0, []
    for entry in entries:
        needed = _SYMBOL + len(entry.words) * CHARACTER * 0.92
        if x and x + needed > width:
            x, line = 0.0, line + 1
        places.append((x, line))
        x += needed + _GAP
    return places, line + 1


def _symbol(sign: Sign, x: float, y: float) -> list[alt.Chart]:
    one = _one()
    if sign in OUTCOME_COLOURS:
        square = one.mark_rect(color=OUTCOME_COLOURS[sign])
        return [square.encode(**fixed(x=x + 4, x2=x + 15, y=y - 5.5, y2=y + 5.5))]
    if sign == "chance":
        band = one.mark_rect(color=LIGHT["band"])
        tick = one.mark_rule(color=LIGHT["tick"], strokeWidth=1.5)
        return [
            band.encode(**fixed(x=x, x2=x + 18, y=y - 6, y2=y + 6)),
            tick.encode(**fixed(x=x + 9, y=y - 6, y2=y + 6)),
        ]
    if sign == "target":
        rule = one.mark_rule(color=LIGHT["ink"], strokeWidth=1, strokeDash=[3, 2])
        return [rule.encode(**fixed(x=x + 9, y=y - 7, y2=y + 7))]
    line = one.mark_rule(color=stroke(sign), strokeWidth=2)
    point = one.mark_point(
        size=70, opacity=1, strokeWidth=2, filled=False, fill=fill(sign), stroke=stroke(sign)
    )
    return [line.encode(**fixed(x=x, x2=x + 18, y=y)), point.encode(**fixed(x=x + 9, y=y))]


def stroke(sign: Sign) -> str:
    """Name the colour of a point's outline and of its interval."""
    return LIGHT[sign] if sign in ("above", "below") else LIGHT["within"]


def fill(sign: Sign) -> str:
    """Name the colour inside a point: hollow where chance is explanation enough."""
    return LIGHT["paper"] if sign == "within" else stroke(sign)


def _text(words: str, x: float, y: float) -> alt.Chart:
    mark = _one().mark_text(align="left", baseline="middle", fontSize=11, color=LIGHT["muted"])
    chart: alt.Chart = mark.encode(**fixed(x=x, y=y, text=words))
    return chart


def _one() -> alt.Chart:
    import altair as alt

    return alt.Chart(alt.InlineData([{"one": 1}]))
