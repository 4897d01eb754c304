"""A chart as SVG that can stand inside a page: harmless, described, and in the page's colours."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from slant.reports.figures.theme import FONT
from slant.reports.palette import LIGHT
from slant.reports.safe_text import safe_text

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
_PLACES = {
    "viewBox", "transform", "d", "x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "cx", "cy", "r",
    "width", "height",
}  # fmt: skip
_PAINTS = ("fill", "stroke")
_INHERITED = (
    *_PAINTS, "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
    "font-size", "font-weight", "font-style", "text-anchor",
)  # fmt: skip
_NOTHING = {"opacity": "1", "font-weight": "normal", "transform": "translate(0,0)"}
"""Attributes that say what would hold without them."""

_COLOURS = {value: f"var(--{name},{value})" for name, value in LIGHT.items()}
_ARCS = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0")
_MOVED = re.compile(r"translate\(([-\d.]+),([-\d.]+)\)")
_DECIMAL = re.compile(r"\d+\.\d+")
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


def png_of(svg: str, scale: float = 2) -> bytes:
    """Turn what `svg_of` gave into a picture of pixels, by default at twice the size, for print."""
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg, scale=scale))


def pdf_of(svg: str) -> bytes:
    """Turn what `svg_of` gave into a page of PDF of the same size, its text as text."""
    import vl_convert

    return bytes(vl_convert.svg_to_pdf(svg))


def inline_svg(chart: ChartType, *, name: str, title: str, description: str) -> str:
    """Render a chart for a page: `drawing`, then `labelled`."""
    return labelled(drawing(chart), name=name, title=title, description=description)


def drawing(chart: ChartType) -> str:
    """Render a chart so that it can be kept and stand in any page.

    Only drawing elements and attributes pass; whatever a picture kind of somebody else's or a
    hostile label brings along is dropped. Colours of the light palette become CSS variables, which
    fall back on themselves, so that the file is a picture on its own as well.
    """
    root = _harmless(svg_of(chart))
    if root is None:
        return ""
    _lighten(root)
    root.set("font-family", FONT)
    return ElementTree.tostring(root, encoding="unicode")


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
        f'<title id="{name}-t">{escape(safe_text(title))}</title>'
        f'<desc id="{name}-d">{escape(safe_text(description))}</desc>'
        f"{rest}"
    )


def cleaned(text: str) -> str:
    """Let only drawing elements and attributes of an SVG pass.

    Returns
    -------
    str
        Empty if the text is no SVG, or if nothing of it is left.
    """
    root = _harmless(text)
    return "" if root is None else ElementTree.tostring(root, encoding="unicode")


def _harmless(text: str) -> Element | None:
    if "<!" in text:  # a declaration of entities, or something else that no drawing has
        return None
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - without declarations nothing expands
    except ElementTree.ParseError:
        return None
    _clean(root)
    if root.tag != "svg" or not len(root):
        return None
    for attribute in ("width", "height"):
        root.attrib.pop(attribute, None)
    root.set("xmlns", _NAMESPACE)
    return root


def _clean(element: Element) -> None:
    element.tag = element.tag.rpartition("}")[2]
    element.attrib = {
        key: value
        for key, value in element.attrib.items()
        if key in _ATTRIBUTES and "url(" not in value
    }
    for child in list(element):
        if child.tag.rpartition("}")[2] in _ELEMENTS:
            _clean(child)
        else:
            element.remove(child)


def _lighten(element: Element) -> None:
    """Drop what changes nothing in the picture; say once what all parts of a group share."""
    element.attrib = {
        key: _value(key, value)
        for key, value in element.attrib.items()
        if value != _NOTHING.get(key) and key != "font-family"
    }
    for child in list(element):
        if _is_invisible(child):
            element.remove(child)
            continue
        _as_circle(child)
        _lighten(child)
        if child.tag == "g" and not child.attrib:
            place = list(element).index(child)
            element[place : place + 1] = list(child)
        elif child.tag == "g" and not len(child):
            element.remove(child)
    if element.tag == "g" and len(element):
        for key in _INHERITED:
            values = {child.get(key) for child in element}
            if len(values) == 1 and (shared := values.pop()) is not None:
                element.set(key, shared)
                for child in element:
                    del child.attrib[key]


def _as_circle(element: Element) -> None:
    """Write a circle that Vega draws as two arcs as what it is."""
    arcs = _ARCS.fullmatch(element.get("d", ""))
    place = _MOVED.fullmatch(element.get("transform", "translate(0,0)"))
    if arcs and place:
        del element.attrib["d"]
        element.attrib.pop("transform", None)
        element.tag = "circle"
        for key, value in zip(("cx", "cy", "r"), (*place.groups(), arcs[1]), strict=True):
            element.set(key, value)


def _is_invisible(element: Element) -> bool:
    """Tell the backgrounds and foregrounds that Vega leaves everywhere: nothing paints them."""
    if element.tag != "path":
        return False
    painted = any(element.get(key, "none") not in ("none", "transparent") for key in _PAINTS)
    return not painted or element.get("d", "") in ("", "M0,0h0v0h0Z")


def _value(key: str, value: str) -> str:
    if value in _COLOURS:
        return _COLOURS[value]
    if "." not in value or key not in _PLACES:
        return value
    return _DECIMAL.sub(_rounded, value)


def _rounded(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 1):g}"
