"""How the PDF is set: typeface, styles, contents, running title and page numbers."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from slant.errors import missing_extra
from slant.reports.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")
_POWER = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_FACES = {"": "Vera", "-Bold": "VeraBd", "-Italic": "VeraIt"}
_LONGEST = 6_000
_MARGIN = 56
_TOP = 64


class Pages:
    """Collects what a PDF holds, and sets it.

    Parameters
    ----------
    title
        Stands on the first page, and at the head of every other.
    subtitle
        Stands under it.

    Raises
    ------
    InputError
        reportlab is not installed.
    """

    def __init__(self, title: str, subtitle: str):
        try:
            import reportlab  # noqa: F401 - an optional dependency
        except ImportError as error:
            raise missing_extra("pdf", error) from error
        _register()
        self._title, self._subtitle = title, subtitle
        self._styles, self._flow = _styles(), list[Any]()
        self.replaced = False

    def heading(self, text: str, level: int = 1) -> None:
        """Begin a part, or with level 2 a part of one; parts stand in the contents."""
        self._add(text, f"Heading{level}")

    def paragraph(self, text: str, style: str = "Body") -> None:
        """Set a paragraph of plain text."""
        self._add(text, style)

    def items(self, texts: Sequence[str]) -> None:
        """Set a list."""
        for text in texts:
            self._add(f"•  {text}", "Item")

    def table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
    ) -> None:
        """Set a table; widths are shares of the line."""
        from reportlab.lib import colors
        from reportlab.platypus import LongTable

        if not rows:
            return
        cells = [[self._set(text, "Head") for text in header]]
        cells += [[self._set(text, "Cell") for text in row] for row in rows]
        whole = _width()
        made = LongTable(cells, [share * whole for share in widths], repeatRows=1)
        made.setStyle([
            ("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.Color(0.8, 0.8, 0.8)),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ])  # fmt: skip
        self._flow.append(made)

    def new_page(self) -> None:
        """Begin a new page."""
        from reportlab.platypus import PageBreak

        self._flow.append(PageBreak())

    def written(self) -> bytes:
        """Set everything, twice, so that the contents know the pages."""
        from reportlab.lib.pagesizes import A4
        from reportlab.platypus import Spacer
        from reportlab.platypus.tableofcontents import TableOfContents

        contents = TableOfContents()
        contents.levelStyles = [self._styles["Contents1"], self._styles["Contents2"]]
        first = [
            self._set(self._title, "Title"), self._set(self._subtitle, "Subtitle"), Spacer(1, 18),
            self._set("Contents", "ContentsHead"), contents, Spacer(1, 18),
        ]  # fmt: skip
        buffer = BytesIO()
        document = _document(
            buffer, self._shown(self._title), pagesize=A4, leftMargin=_MARGIN, rightMargin=_MARGIN,
            topMargin=_TOP, bottomMargin=_TOP, title=self._shown(self._title),
            author="slant", invariant=1,
        )  # fmt: skip
        document.multiBuild([*first, *self._flow])
        return buffer.getvalue()

    def _add(self, text: str, style: str) -> None:
        self._flow.append(self._set(text, style))

    def _set(self, text: str, style: str) -> Any:
        from reportlab.platypus import Paragraph

        marked = _POWER.sub(
            lambda found: f"<super>{found[0].translate(_POWERS)}</super>",
            escape(self._shown(text)),
        )
        return Paragraph(marked, self._styles[style])

    def _shown(self, text: str) -> str:
        """Leave nothing hidden or endless, and replace letters that the typeface lacks."""
        from reportlab.pdfbase.pdfmetrics import getFont

        known = getFont("Vera").face.charWidths
        plain = " ".join(safe_text(text[:_LONGEST]).split())
        shown = "".join(each if ord(each) in known or _POWER.match(each) else "?" for each in plain)
        self.replaced |= shown != plain
        return shown


@cache
def _register() -> None:
    from reportlab.pdfbase.pdfmetrics import registerFont, registerFontFamily
    from reportlab.pdfbase.ttfonts import TTFont

    for ending, file in _FACES.items():
        registerFont(TTFont(f"Vera{ending}", f"{file}.ttf"))
    registerFontFamily("Vera", "Vera", "Vera-Bold", "Vera-Italic", "Vera-Bold")


def _width() -> float:
    from reportlab.lib.pagesizes import A4

    return float(A4[0]) - 2 * _MARGIN


def _styles() -> dict[str, Any]:
    from reportlab.lib.colors import Color
    from reportlab.lib.styles import ParagraphStyle

    muted = Color(0.35, 0.37, 0.42)
    body = ParagraphStyle("Body", fontName="Vera", fontSize=9, leading=13, spaceAfter=5)

    def style(name: str, **more: Any) -> ParagraphStyle:
        return ParagraphStyle(name, parent=body, **more)

    bold = {"fontName": "Vera-Bold", "keepWithNext": 1}
    made = [
        body,
        style("Title", fontName="Vera-Bold", fontSize=20, leading=25, spaceAfter=8),
        style("Subtitle", textColor=muted, fontSize=10, leading=14),
        style("Heading1", fontSize=14, leading=18, spaceBefore=14, spaceAfter=6, **bold),
        style("Heading2", fontSize=10, leading=14, spaceBefore=8, spaceAfter=3, **bold),
        style("ContentsHead", fontSize=12, leading=16, **bold),
        style("Contents1", leading=14),
        style("Contents2", leftIndent=14, fontSize=8, leading=11, textColor=muted),
        style("Item", leftIndent=12, firstLineIndent=-12, spaceAfter=3),
        style("Sentence", leftIndent=14, fontName="Vera-Italic", spaceAfter=1),
        style("Small", fontSize=7.5, leading=10.5, textColor=muted),
        style("Cell", fontSize=7.5, leading=10, spaceAfter=0),
        style("Head", fontSize=7.5, leading=10, spaceAfter=0, fontName="Vera-Bold"),
    ]
    return {each.name: each for each in made}


def _document(buffer: BytesIO, running: str, **layout: Any) -> Any:
    """Make a document whose headings go into the contents, with running title and page number."""
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

    class Document(BaseDocTemplate):  # type: ignore[misc] # reportlab has no types
        def afterFlowable(self, flowable: Any) -> None:  # noqa: N802 - reportlab's name
            name = getattr(getattr(flowable, "style", None), "name", "")
            if name in ("Heading1", "Heading2"):
                level, text = int(name[-1]) - 1, flowable.getPlainText()
                key = f"part-{self.seq_of_part}"
                self.seq_of_part += 1
                self.canv.bookmarkPage(key)
                self.canv.addOutlineEntry(text, key, level, closed=level)
                self.notify("TOCEntry", (level, escape(text), self.page, key))

        def beforeDocument(self) -> None:  # noqa: N802 - reportlab's name
            self.seq_of_part = 0

    def furniture(canvas: Any, document: Any) -> None:
        canvas.saveState()
        canvas.setFont("Vera", 7.5)
        canvas.setFillGray(0.4)
        if document.page > 1:
            canvas.drawString(_MARGIN, document.pagesize[1] - 40, running[:110])
        canvas.drawRightString(document.pagesize[0] - _MARGIN, 36, f"Page {document.page}")
        canvas.drawString(_MARGIN, 36, "Written by slant")
        canvas.restoreState()

    document = Document(buffer, **layout)
    frame = Frame(
        document.leftMargin, document.bottomMargin, document.width, document.height, 0, 0, 0, 0
    )
    document.addPageTemplates([PageTemplate("page", [frame], onPage=furniture)])
    return document
