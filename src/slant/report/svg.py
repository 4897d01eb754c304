"""A chart as SVG that can stand inside a page: harmless, described, and in the page's colours."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from slant.report.palette import LIGHT
from slant.report.visible import visible

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from altair.typing import ChartType

_ELEMENTS = {"svg", "g", "path", "rect", "line", "circle", "text", "tspan"}
_ATTRIBUTES = {
    "viewBox", "transform", "d", "x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "cx", "cy", "r",
    "width", "height", "fill", "stroke", "opacity", "fill-opacity", "stroke-opacity",
    "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "text-anchor", "font-size", "font-weight", "font-style", "font-family",
}  # fmt: skip
_COLOURS = {value: f"var(--{name},{value})" for name, value in LIGHT.items()}
_LONG = re.compile(r"(\d+\.\d{2})\d+")


def svg_of(chart: ChartType) -> str:
    """Render a chart as an SVG file, without a browser and without the network."""
    import altair as alt
    import vl_convert

    version = "_".join(alt.SCHEMA_VERSION.split(".")[:2])
    svg: str = vl_convert.vegalite_to_svg(
        chart.to_dict(validate=False), vl_version=version, allowed_base_urls=[]
    )
    return svg


def inline_svg(chart: ChartType, *, name: str, title: str, description: str) -> str:
    """Render a chart for a page.

    Only drawing elements and attributes pass; whatever a picture kind of somebody else's or a
    hostile label brings along is dropped. Colours of the light palette become CSS variables.

    Parameters
    ----------
    chart
        What to draw.
    name
        Prefix of ids, unique in the page.
    title, description
        What screen readers say instead.
    """
    # The XML is vl-convert's own serialisation, in which there are no entities to expand.
    root = ElementTree.fromstring(svg_of(chart))  # noqa: S314
    _clean(root)
    for attribute in ("width", "height"):
        root.attrib.pop(attribute, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-t {name}-d")
    inner = "".join(ElementTree.tostring(child, encoding="unicode") for child in root)
    opening = " ".join(f'{key}="{escape(value)}"' for key, value in root.attrib.items())
    return (
        f"<svg {opening}>"
        f'<title id="{name}-t">{escape(visible(title))}</title>'
        f'<desc id="{name}-d">{escape(visible(description))}</desc>'
        f"{inner}</svg>"
    )


def _clean(element: Element) -> None:
    element.tag = element.tag.rpartition("}")[2]
    element.attrib = {
        key: _value(value) for key, value in element.attrib.items() if key in _ATTRIBUTES
    }
    for child in list(element):
        if child.tag.rpartition("}")[2] in _ELEMENTS and not _is_empty(child):
            _clean(child)
        else:
            element.remove(child)


def _is_empty(element: Element) -> bool:
    """Tell the invisible backgrounds and foregrounds that Vega leaves everywhere."""
    if element.tag.rpartition("}")[2] == "path":
        return element.get("d", "") in ("", "M0,0h0v0h0Z") or element.get("display") == "none"
    return False


def _value(value: str) -> str:
    if value in _COLOURS:
        return _COLOURS[value]
    return _LONG.sub(r"\1", value) if "." in value else value
