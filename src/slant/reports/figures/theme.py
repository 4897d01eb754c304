"""How every picture looks: quiet axes, one typeface, the light palette."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from altair.typing import ChartType

FONT = "Helvetica Neue, Helvetica, Arial, sans-serif"
WIDE = 640
"""Width of a picture on a laptop, in pixels, labels included."""
NARROW = 350
"""Width of a picture on a phone."""

CHARACTER = 6.2
"""Mean width of a character of a 12 pixel label, in pixels."""

_TITLE_CHARACTER = 8.0

OUTCOME_COLOURS = {name: LIGHT[name] for name in ("answered", "refused", "unparseable", "error")}


def themed(chart: ChartType, title: str, subtitle: Sequence[str], width: int) -> ChartType:
    """Give a chart its title and its looks.

    Parameters
    ----------
    chart
        Any chart that has no configuration yet; it is changed.
    title
        One sentence; wrapped to the width. May be empty.
    subtitle
        Lines beneath it, wrapped too.
    width
        Width of the whole picture, in pixels.
    """
    import altair as alt

    if title:
        lines = textwrap.wrap(title, int(width / _TITLE_CHARACTER)) or [""]
        beneath = [part for line in subtitle for part in _wrapped(line, width)]
        chart.title = alt.TitleParams(text=lines, subtitle=beneath)
    # Set and not by `properties` and `configure`, which copy every layer each time.
    chart.config = alt.Config(**_config())
    return chart


def _wrapped(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, int(width / CHARACTER)) or [""]


def _config() -> dict[str, Any]:
    axis = {
        "domain": False,
        "ticks": False,
        "gridColor": LIGHT["grid"],
        "labelColor": LIGHT["muted"],
        "labelFlush": False,
        "labelFontSize": 11,
        "labelPadding": 6,
        "titleColor": LIGHT["muted"],
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "titlePadding": 8,
    }
    title = {
        "anchor": "start",
        "frame": "bounds",
        "color": LIGHT["ink"],
        "fontSize": 15,
        "fontWeight": 600,
        "lineHeight": 20,
        "subtitleColor": LIGHT["muted"],
        "subtitleFontSize": 12,
        "subtitleLineHeight": 16,
        "subtitlePadding": 5,
        "offset": 12,
    }
    return {
        "background": LIGHT["paper"],
        "font": FONT,
        "padding": 4,
        "view": {"stroke": None},
        "axis": axis,
        "title": title,
        "text": {"color": LIGHT["ink"], "fontSize": 12},
    }


def label_width(groups: Sequence[str], width: int) -> int:
    """Say how many pixels the names of groups may take: at most a third of the picture."""
    longest = max((len(group) for group in groups), default=0)
    return round(min(longest * CHARACTER * 1.06 + 14, width / 3))
