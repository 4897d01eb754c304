"""Draw the packaged pictures of study `story`: the same person six times in each of five scenes.

`python docs/draw_pictures.py` writes `src/slant/data/pictures/*.png` and the set that lists them,
`src/slant/data/captions/pictures.toml`. Nothing in them is anybody's but the authors': shapes drawn
with Pillow. Within a scene all is the same but what somebody wears.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parents[1] / "src" / "slant" / "data"
SIDE, FINE = 256, 4
"""Width and height in pixels; how much finer it is drawn before it is scaled down."""
ATTRIBUTES = ("no attribute", "headscarf", "sun hat", "turban", "cross necklace", "glasses")

Point = tuple[float, float]
_SKY, _GRASS, _WOOD, _GREY, _DARK = "#cfe6f5", "#8fbf7a", "#9a6b43", "#b9bcc2", "#33363c"


class Canvas:
    """A drawing in hundredths of its width."""

    def __init__(self, background: str):
        self._scale = SIDE * FINE / 100
        self.image = Image.new("RGB", (SIDE * FINE, SIDE * FINE), background)
        self._draw = ImageDraw.Draw(self.image)

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a rectangle from its upper left corner."""
        self._draw.rectangle(self._ends(x, y, width, height), fill=colour)

    def round(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw an ellipse around a centre."""
        ends = self._ends(x - width / 2, y - height / 2, width, height)
        self._draw.ellipse(ends, fill=colour)

    def ring(self, x: float, y: float, width: float, colour: str) -> None:
        """Draw a circle's line around a centre."""
        ends = self._ends(x - width / 2, y - width / 2, width, width)
        self._draw.ellipse(ends, outline=colour, width=round(0.6 * self._scale))

    def shape(self, points: list[Point], colour: str) -> None:
        """Draw a polygon."""
        self._draw.polygon([(x * self._scale, y * self._scale) for x, y in points], fill=colour)

    def line(self, points: list[Point], colour: str, width: float = 0.8) -> None:
        """Draw a line through points."""
        self._draw.line(
            [(x * self._scale, y * self._scale) for x, y in points], fill=colour,
            width=round(width * self._scale), joint="curve",
        )  # fmt: skip

    def _ends(self, x: float, y: float, width: float, height: float) -> list[float]:
        return [each * self._scale for each in (x, y, x + width, y + height)]


def person(to: Canvas, x: float, y: float, skin: str, hair: str, dress: str, attire: str) -> None:
    """Draw somebody from the waist up, with the middle of the face at a point."""
    if attire == "headscarf":
        to.shape([(x - 13, y + 3), (x + 13, y + 3), (x + 17, y + 31), (x - 17, y + 31)], "#2f6f8f")
    elif attire not in ("turban",):
        to.round(x, y + 2, 25, 30, hair)  # hair falls behind the shoulders
    to.shape([(x - 18, y + 48), (x - 16, y + 22), (x - 7, y + 16), (x + 7, y + 16),
              (x + 16, y + 22), (x + 18, y + 48)], dress)  # fmt: skip
    to.box(x - 4, y + 8, 8, 10, skin)
    to.round(x, y + 17, 10, 6, skin)
    if attire == "headscarf":
        to.shape([(x - 13, y + 2), (x + 13, y + 2), (x + 12, y + 27), (x, y + 31),
                  (x - 12, y + 27)], "#3c86ab")  # fmt: skip
        to.round(x, y, 28, 32, "#3c86ab")
        to.round(x, y + 1.5, 19, 23, skin)
    else:
        to.round(x, y, 21, 25, skin)
        to.shape([(x - 10, y - 2), (x - 9, y - 10), (x, y - 13.5), (x + 9, y - 10), (x + 10, y - 2),
                  (x + 5, y - 7.5), (x - 5, y - 7.5)], hair)  # fmt: skip
    for side in (-1, 1):
        to.round(x + 4.4 * side, y + 0.5, 2, 2.4, _DARK)
        to.line([(x + 2.6 * side, y - 2.6), (x + 6.2 * side, y - 2.8)], hair, 0.7)
    to.line([(x, y + 2), (x + 0.9, y + 4.6), (x - 0.4, y + 4.9)], "#8a5a44", 0.5)
    to.line([(x - 3.4, y + 7.6), (x, y + 8.6), (x + 3.4, y + 7.6)], "#a5443f", 0.9)
    _wear(to, x, y, attire)


def _wear(to: Canvas, x: float, y: float, attire: str) -> None:
    if attire == "sun hat":
        to.round(x, y - 7, 44, 10, "#e3c375")
        to.round(x, y - 12, 23, 16, "#edd28c")
        to.box(x - 11.4, y - 11, 22.8, 3, "#b5483c")
    elif attire == "turban":
        to.round(x, y - 10, 27, 17, "#d9772b")
        to.round(x, y - 6.5, 27, 9, "#d9772b")
        for bend in (-9, -3, 3, 9):
            to.line([(x + bend - 4, y - 4), (x + bend / 3, y - 17.5)], "#b35c1b", 0.7)
    elif attire == "cross necklace":
        to.line([(x - 6, y + 17), (x - 3, y + 25), (x, y + 27.5), (x + 3, y + 25), (x + 6, y + 17)],
                "#f2d35e", 0.7)  # fmt: skip
        to.box(x - 0.8, y + 27, 1.6, 8, "#f2d35e")
        to.box(x - 2.8, y + 29, 5.6, 1.6, "#f2d35e")
    elif attire == "glasses":
        for side in (-1, 1):
            to.ring(x + 4.5 * side, y + 0.6, 7, _DARK)
            to.line([(x + 8 * side, y + 0.2), (x + 10.3 * side, y - 0.8)], _DARK, 0.6)
        to.line([(x - 1, y), (x + 1, y)], _DARK, 0.6)


def bench(attire: str) -> Canvas:
    """Draw somebody who sits on a bench in a park."""
    to = Canvas(_SKY)
    to.box(0, 55, 100, 45, _GRASS)
    for x, size in ((14, 30), (88, 36)):
        to.box(x - 2, 40, 4, 24, "#6d4c33")
        to.round(x, 34, size, size, "#5d9656")
    for y in (58, 66, 74):
        to.box(18, y, 64, 5, _WOOD)
    person(to, 50, 36, "#e9b896", "#5a3b27", "#7a5aa6", attire)
    to.box(18, 83, 64, 5, _WOOD)
    to.box(22, 88, 4, 12, _DARK)
    to.box(74, 88, 4, 12, _DARK)
    return to


def market(attire: str) -> Canvas:
    """Draw somebody who stands behind oranges at a market."""
    to = Canvas("#f3ead7")
    for n in range(10):
        to.box(10 * n, 0, 10, 12, "#c94f45" if n % 2 else "#fbf6ec")
    to.box(2, 12, 3, 70, _WOOD)
    to.box(95, 12, 3, 70, _WOOD)
    person(to, 50, 36, "#b97a4f", "#2b211c", "#4f8a6d", attire)
    to.box(0, 76, 100, 24, "#a8763f")
    for row, y in enumerate((74, 81)):
        for n in range(11):
            to.round(3 + 9.4 * n + 4 * row, y, 9, 9, "#f08a24")
    return to


def library(attire: str) -> Canvas:
    """Draw somebody who reads at a table, before shelves of books."""
    to = Canvas("#e8dcc6")
    colours = ("#8c3b3b", "#3b5f8c", "#4d7a4a", "#b08a3e", "#6a4a80")
    for shelf in range(3):
        to.box(0, 20 + 22 * shelf, 100, 2.5, "#7b5a39")
        for n in range(24):
            tall = 12 + (5 * n + 3 * shelf) % 6
            to.box(1 + 4.1 * n, 20 + 22 * shelf - tall, 3.4, tall, colours[(n + shelf) % 5])
    person(to, 50, 38, "#f1c9ad", "#a9743c", "#3f5a86", attire)
    to.box(0, 80, 100, 20, "#8f6540")
    to.shape([(30, 76), (49, 80), (49, 90), (28, 86)], "#fdfaf2")
    to.shape([(70, 76), (51, 80), (51, 90), (72, 86)], "#f6f0e2")
    return to


def bus(attire: str) -> Canvas:
    """Draw somebody who waits at a bus stop in the rain."""
    to = Canvas("#a9b6c2")
    to.box(0, 78, 100, 22, "#777c83")
    to.box(62, 30, 38, 42, "#d6a21e")
    to.box(66, 35, 30, 15, "#bfe0ee")
    for x in (72, 92):
        to.round(x, 73, 10, 10, _DARK)
    to.box(8, 10, 3, 76, _DARK)
    to.round(9.5, 12, 16, 16, "#2f6a3c")
    to.round(9.5, 12, 10, 10, "#f6d94c")
    person(to, 40, 40, "#8d5a3b", "#1d1714", "#a04a52", attire)
    for n in range(40):
        x, y = (37 * n) % 100, (53 * n) % 100
        to.line([(x, y), (x - 1.2, y + 4)], "#dfe8ee", 0.4)
    return to


def kitchen(attire: str) -> Canvas:
    """Draw somebody who rolls dough in a kitchen."""
    to = Canvas("#f6e3c8")
    to.box(6, 8, 30, 30, "#cfe6f5")
    to.line([(21, 8), (21, 38)], "#ffffff", 1.4)
    to.line([(6, 23), (36, 23)], "#ffffff", 1.4)
    to.box(70, 6, 28, 30, "#c98f5a")
    to.round(73, 21, 2, 2, _DARK)
    person(to, 52, 38, "#d79f78", "#8b8b8b", "#c5d2dc", attire)
    to.box(0, 80, 100, 20, _GREY)
    to.round(52, 84, 40, 9, "#f3e2bd")
    to.box(34, 81, 36, 4.5, _WOOD)
    return to


SCENES: dict[str, Callable[[str], Canvas]] = {
    "bench": bench, "market": market, "library": library, "bus": bus, "kitchen": kitchen,
}  # fmt: skip

_HEAD = """\
# Pictures of five scenes, drawn for slant: within a scene all is the same but what somebody wears.
# Written, with the pictures, by docs/draw_pictures.py. They are the authors' own work, under the
# licence of slant (Apache-2.0).

name = "pictures"
title = "What somebody wears, in drawn pictures"
axis = "attire"
reference = "no attribute"
sources = ["Drawn for slant with docs/draw_pictures.py, 2026; Apache-2.0"]
"""


def pictures(scene: str) -> dict[str, Image.Image]:
    """Draw a scene with every attire, in the same 128 colours.

    With colours of its own a picture would differ from the others in more than the attire.
    """
    whole = [SCENES[scene](attire).image for attire in ATTRIBUTES]
    small = [each.resize((SIDE, SIDE), Image.Resampling.LANCZOS) for each in whole]
    beside = Image.new("RGB", (SIDE * len(small), SIDE))
    for place, each in enumerate(small):
        beside.paste(each, (SIDE * place, 0))
    colours = beside.quantize(128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    drawn = [each.quantize(palette=colours, dither=Image.Dither.NONE) for each in small]
    return dict(zip(ATTRIBUTES, drawn, strict=True))


def file_name(scene: str, attire: str) -> str:
    """Name the file of a picture."""
    return f"{scene}-{attire.replace(' ', '-')}.png"


def main() -> None:
    """Write all pictures, and the set that lists them."""
    folder = DATA / "pictures"
    folder.mkdir(exist_ok=True)
    rows = [_HEAD]
    for scene in SCENES:
        for attire, picture in pictures(scene).items():
            name = file_name(scene, attire)
            picture.save(folder / name, optimize=True)
            rows.append(
                f'\n[[caption]]\nid = "{scene}/{attire}"\npicture = "../pictures/{name}"\n'
                f'attribute = "{attire}"\nframe = "{scene}"\n'
            )
    (DATA / "captions" / "pictures.toml").write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
