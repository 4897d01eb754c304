"""The PDF, read back as text: it holds what the page says."""

from __future__ import annotations

import re
import shutil
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from slant.engine.run import Run
from slant.engine.verify import verify
from slant.meanings import load_meanings
from slant.reports import pdf_chromium
from slant.reports.difference_words import plain_sentence
from slant.reports.pdf_chromium import NotPrintedError, page, print_by_chromium
from slant.reports.pdf_reportlab import REPLACED, set_by_reportlab
from slant.reports.printed import Printed
from slant.reports.told_first import told_first
from slant.reports.write import write_pdf

pytestmark = pytest.mark.xdist_group("browser-planted")

BROWSER = pdf_chromium.chromium()
needs_chromium = pytest.mark.skipif(
    BROWSER is None, reason="no Chromium: apt-get install chromium chromium-driver"
)


@pytest.fixture(scope="module", params=[pytest.param("chromium", marks=needs_chromium), "none"])
def printed(
    planted: Run, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path:
    folder = tmp_path_factory.mktemp("printed") / "run"
    shutil.copytree(planted.directory, folder)
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "none":
            patch.setattr(pdf_chromium, "PROGRAMS", ())
        return write_pdf(Run(folder))


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_it_holds_what_the_page_says(printed: Path) -> None:
    pages = PdfReader(printed).pages
    assert 8 <= len(pages) <= 12
    assert sum(len(each.images) for each in pages) == 3, (
        "one of each study that is sure of something"
    )
    whole = bare("".join(each.extract_text() for each in pages))
    for told in told_first(Run(printed.parent).finding_list(), load_meanings()).harms[:7]:
        assert bare(plain_sentence(told.sentence)) in whole
    for words in (
        "Office for Fair Machines", "gender and age: the service does not know them",
        "a terrorist.", "times as probable", "It cannot show that a model is fair", "Siddique",
        "findings.json", "planted",
    ):  # fmt: skip
        assert bare(words) in whole


def test_it_has_contents_page_numbers_and_a_running_title(printed: Path) -> None:
    reader = PdfReader(printed)
    first = reader.pages[0].extract_text()
    for part in ("Contents", "Who is harmed, and how", "Method", "Limits", "References"):
        assert part in first
    assert len(reader.outline) >= 8
    for number, each in enumerate(reader.pages, start=1):
        text = each.extract_text()
        assert f"Page {number}" in text
        assert "An audit with planted harms" in text


def test_the_manifest_covers_it(printed: Path) -> None:
    run = Run(printed.parent)
    assert verify(run).whole
    printed.write_bytes(printed.read_bytes() + b" ")
    assert verify(run).changed == ("report.pdf",)


def hostile() -> Printed:
    written = Printed('</style><b>"bold"</b> & <img src="x"/>', "\u202eevil")
    written.heading("</para><font>")
    written.paragraph("10⁻⁹ Ελλάδα Жанна " + "A" * 500)
    written.paragraph("<script>document.body.textContent = 'gone'</script>")
    written.new_page()
    written.heading("The second page")
    return written


def text_of(pdf: bytes) -> str:
    return "".join(each.extract_text() for each in PdfReader(BytesIO(pdf)).pages)


def test_what_a_model_says_is_set_as_text() -> None:
    text = text_of(set_by_reportlab(hostile()))
    assert '</style><b>"bold"</b> & <img src="x"/>' in text
    assert "??????" in text
    assert bare(REPLACED) in bare(text)


@needs_chromium
def test_a_browser_prints_what_a_model_says_as_text_in_its_own_letters() -> None:
    assert BROWSER is not None
    text = text_of(print_by_chromium(hostile(), BROWSER))
    assert bare('</style><b>"bold"</b> & <img src="x"/>') in bare(text)
    assert "Ελλάδα Жанна" in text
    assert "U+202E" in text
    assert bare("<script>document.body") in bare(text)
    assert "</para><font>1Thesecondpage2" in bare(text), "the contents name the pages"


def test_the_page_for_the_browser_runs_and_loads_nothing() -> None:
    written = page(hostile())
    assert "<script" not in written
    assert "default-src 'none'" in unescape(written)
    assert written.count("</style>") == 1


def test_where_the_browser_fails_the_document_is_set_all_the_same_and_says_so(
    planted: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(pdf_chromium, "PROGRAMS", (str(broken),))
    with pytest.raises(NotPrintedError, match="exit code 3"):
        print_by_chromium(hostile(), str(broken))
    folder = tmp_path / "run"
    shutil.copytree(planted.directory, folder)
    written = text_of(write_pdf(Run(folder)).read_bytes())
    assert bare("Chromium did not print this document: exit code 3.") in bare(written)
