"""What a document for paper holds before anybody has set it: headings, texts, tables, pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from slant.reports.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 6_000


@dataclass(frozen=True)
class Heading:
    """The beginning of a part (level 1) or of a part of one (2); both stand in the contents."""

    text: str
    level: int


@dataclass(frozen=True)
class Paragraph:
    """Running text, in a style: Body, Item, Sentence (what a model said) or Small."""

    text: str
    style: str


@dataclass(frozen=True)
class Table:
    """Rows of cells under a header; `widths` are shares of the line."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    widths: Sequence[float]


@dataclass(frozen=True)
class Picture:
    """A drawing in pixels (PNG) with its title in it, and the title for who cannot see it."""

    png: bytes
    title: str


@dataclass(frozen=True)
class NewPage:
    """What follows begins on a new page."""


Block: TypeAlias = "Heading | Paragraph | Table | Picture | NewPage"


@dataclass
class Printed:
    """A document for paper.

    Every text in it is on one line, bounded, and shows all its characters.

    Attributes
    ----------
    title
        Stands on the first page, and at the head of every other.
    subtitle
        Stands under it.
    blocks
        What follows the contents, in order.
    """

    title: str
    subtitle: str
    blocks: list[Block] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.title, self.subtitle = _plain(self.title), _plain(self.subtitle)

    def heading(self, text: str, level: int = 1) -> None:
        """Begin a part, or with level 2 a part of one."""
        self.blocks.append(Heading(_plain(text), level))

    def paragraph(self, text: str, style: str = "Body") -> None:
        """Add a paragraph."""
        self.blocks.append(Paragraph(_plain(text), style))

    def items(self, texts: Sequence[str]) -> None:
        """Add a list."""
        self.blocks += [Paragraph(_plain(f"•  {text}"), "Item") for text in texts]

    def table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
    ) -> None:
        """Add a table, unless it has no rows."""
        if rows:
            cells = [[_plain(cell) for cell in row] for row in rows]
            self.blocks.append(Table([_plain(cell) for cell in header], cells, widths))

    def picture(self, png: bytes, title: str) -> None:
        """Add a picture."""
        self.blocks.append(Picture(png, _plain(title)))

    def new_page(self) -> None:
        """Begin a new page."""
        self.blocks.append(NewPage())


def _plain(text: str) -> str:
    return " ".join(safe_text(text[:_LONGEST]).split())
