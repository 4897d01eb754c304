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
_NAMESPACE = "http://www.w3.org/2000/svg"


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
    """Render a chart for a page: `drawing`, then `labelled`."""
    return labelled(drawing(chart), name=name, title=title, description=description)


def drawing(chart: ChartType) -> str:
    """Render a chart so that it can be kept and stand in any page.

    Only drawing elements and attributes pass; whatever a picture kind of somebody else's or a
    hostile label brings along is dropped. Colours of the light palette become CSS variables, which
    fall back on themselves, so that the file is a picture on its own as well.
    """
    return cleaned(svg_of(chart))


def labelled(drawn: str, *, name: str, title: str, description: str) -> str:
    """Give a drawing the words that screen readers say instead.

    Parameters
    ----------
    drawn
        What `drawing` or `cleaned` gave.
    name
        Prefix of ids, unique in the page.
    title, description
        What screen readers say instead.
    """
    opening, rest = drawn.split(">", 1)
    opening = opening.replace(f' xmlns="{_NAMESPACE}"', "")
    return (
        f'{opening} role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(visible(title))}</title>'
        f'<desc id="{name}-d">{escape(visible(description))}</desc>'
        f"{rest}"
    )


def cleaned(text: str) -> str:
    """Let only drawing elements and attributes of an SVG pass.

    Returns
    -------
    str
        Empty if the text is no SVG, or if nothing of it is left.
    """
    if "<!" in text:  # a declaration of entities, or something else that no drawing has
        return ""
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - without declarations nothing expands
    except ElementTree.ParseError:
        return ""
    _clean(root)
    if root.tag != "svg" or not len(root):
        return ""
    for attribute in ("width", "height"):
        root.attrib.pop(attribute, None)
    root.set("xmlns", _NAMESPACE)
    return ElementTree.tostring(root, encoding="unicode")


def _clean(element: Element) -> None:
    element.tag = element.tag.rpartition("}")[2]
    element.attrib = {
        key: _value(value)
        for key, value in element.attrib.items()
        if key in _ATTRIBUTES and "url(" not in value
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
