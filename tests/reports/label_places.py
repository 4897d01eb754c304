"""Where the words of a picture stand, so that a test can tell when they are printed over."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_MOVED = re.compile(r"translate\(([-\d.]+),\s*([-\d.]+)\)")
_TURNED = re.compile(r"rotate\(")
_LETTER = 0.5
"""Width of a letter on average, in units of its height: a bit less than it is, to be fair."""

Box = tuple[float, float, float, float, str]


def overprinted(svg: str) -> list[tuple[str, str]]:
    """List pairs of different words that share more than a tenth of the smaller one's place."""
    boxes = list(_boxes(ElementTree.fromstring(svg), 0.0, 0.0))  # noqa: S314 - our own drawing
    return [
        (one[4], other[4])
        for one, other in combinations(boxes, 2)
        if one[4] != other[4] and _shared(one, other) > 0.1
    ]


def _boxes(element: Element, left: float, top: float) -> list[Box]:
    for x, y in _MOVED.findall(element.get("transform", "")):
        left, top = left + float(x), top + float(y)
    if _TURNED.search(element.get("transform", "")):
        return []
    found = []
    text = "".join(element.itertext()).strip()
    if element.tag.endswith("text") and text:
        size = float(element.get("font-size", "11px").removesuffix("px"))
        width = size * _LETTER * len(text)
        start = {"middle": width / 2, "end": width}.get(element.get("text-anchor", "start"), 0.0)
        found.append((left - start, top - 0.75 * size, left - start + width, top, text))
        return found
    for child in element:
        found += _boxes(child, left, top)
    return found


def _shared(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return wide * high / smaller
