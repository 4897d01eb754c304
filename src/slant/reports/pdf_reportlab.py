"""The PDF as reportlab sets it, where no browser prints it: typeface, styles, contents."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from slant.errors import missing_extra
from slant.reports.printed import Heading, NewPage, Paragraph, Picture, Table

if TYPE_CHECKING:
    from slant.reports.printed import Block, Printed

_POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")
_POWER = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_FACES = {"": "Vera", "-Bold": "VeraBd", "-Italic": "VeraIt"}
_MARGIN = 56
_TOP = 64
_TALLEST = 312

REPLACED = """\
Letters that the typeface of this document lacks stand as question marks; report.html has them, \
and so has this document where Chromium prints it."""


def set_by_reportlab(printed: Printed) -> bytes:
    """Set a document as a PDF in a typeface that comes with reportlab.

    Letters which this typeface lacks stand as question marks, and the last lines say so.

    Raises
    ------
    InputError
        reportlab is not installed.
    """
    try:
        import reportlab  # noqa: F401 - an optional dependency
    except ImportError as error:
        raise missing_extra("pdf", error) from error
    _register()
    return _Setting(printed).written()


class _Setting:
    """Turns what a document holds into what reportlab sets."""

    def __init__(self, printed: Printed):
        self._printed, self._styles = printed, _styles()
        self._replaced = False

    def written(self) -> bytes:
        """Set everything, twice, so that the contents know the pages."""
        from reportlab.lib.pagesizes import A4
        from reportlab.platypus import Spacer, TableStyle
        from reportlab.platypus.tableofcontents import TableOfContents

        contents = TableOfContents()
        contents.levelStyles = [self._styles["Contents1"], self._styles["Contents2"]]
        contents.tableStyle = TableStyle([
            (f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")
        ])  # fmt: skip
        title = self._shown(self._printed.title)
        flow = [
            self._set(title, "Title"), self._set(self._printed.subtitle, "Subtitle"),
            Spacer(1, 18), self._set("Contents", "ContentsHead"), contents, Spacer(1, 18),
            *(self._block(block) for block in self._printed.blocks),
        ]  # fmt: skip
        if self._replaced:
            flow.append(self._set(REPLACED, "Small"))
        buffer = BytesIO()
        document = _document(
            buffer, title, pagesize=A4, leftMargin=_MARGIN, rightMargin=_MARGIN,
            topMargin=_TOP, bottomMargin=_TOP, title=title, author="slant", invariant=1,
        )  # fmt: skip
        document.multiBuild(flow)
        return buffer.getvalue()

    def _block(self, block: Block) -> Any:
        from reportlab.platypus import PageBreak

        match block:
            case Heading(text, level):
                return self._set(text, f"Heading{level}")
            case Paragraph(text, style):
                return self._set(text, style)
            case Table():
                return self._table(block)
            case Picture():
                return self._picture(block)
            case NewPage():
                return PageBreak()

    def _table(self, table: Table) -> Any:
        from reportlab.lib import colors
        from reportlab.platypus import LongTable

        head = [[self._set(text, "Head") for text in table.header]] if any(table.header) else []
        cells = head + [[self._set(text, "Cell") for text in row] for row in table.rows]
        made = LongTable(cells, [share * _width() for share in table.widths], repeatRows=len(head))
        made.setStyle([
            ("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.Color(0.8, 0.8, 0.8)),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ])  # fmt: skip
        return made

    def _picture(self, picture: Picture) -> Any:
        from reportlab.platypus import Image

        made = Image(BytesIO(picture.png))
        scale = min(_width() / made.imageWidth, _TALLEST / made.imageHeight)
        made.drawWidth, made.drawHeight = scale * made.imageWidth, scale * made.imageHeight
        made.hAlign = "LEFT"
        return made

    def _set(self, text: str, style: str) -> Any:
        from reportlab.platypus import Paragraph as Set

        marked = _POWER.sub(
            lambda found: f"<super>{found[0].translate(_POWERS)}</super>",
            escape(self._shown(text)),
        )
        return Set(marked, self._styles[style])

    def _shown(self, text: str) -> str:
        """Replace letters that the typeface lacks."""
        from reportlab.pdfbase.pdfmetrics import getFont

        known = getFont("Vera").face.charWidths
        shown = "".join(each if ord(each) in known or _POWER.match(each) else "?" for each in text)
        self._replaced |= shown != text
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
        # Not kept with what is next: all of the contents would leave page 1 bare.
        style("ContentsHead", fontName="Vera-Bold", fontSize=12, leading=16),
        style("Contents1", leading=13),
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
