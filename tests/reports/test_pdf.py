"""The PDF, read back as text: it holds what the page says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from pypdf import PdfReader

from slant.engine.run import Run
from slant.engine.verify import verify
from slant.meanings import load_meanings
from slant.reports.difference_words import plain_sentence
from slant.reports.pdf_pages import Pages
from slant.reports.told_first import told_first
from slant.reports.write import write_pdf

pytestmark = pytest.mark.xdist_group("browser-planted")


@pytest.fixture(scope="module")
def printed(planted: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("printed") / "run"
    shutil.copytree(planted.directory, folder)
    return write_pdf(Run(folder))


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_it_holds_what_the_page_says(printed: Path) -> None:
    pages = [page.extract_text() for page in PdfReader(printed).pages]
    assert 5 <= len(pages) <= 14
    whole = bare("".join(pages))
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
    for number, page in enumerate(reader.pages, start=1):
        text = page.extract_text()
        assert f"Page {number}" in text
        assert "An audit with planted harms" in text


def test_the_manifest_covers_it(printed: Path) -> None:
    run = Run(printed.parent)
    assert verify(run).whole
    printed.write_bytes(printed.read_bytes() + b" ")
    assert verify(run).changed == ("report.pdf",)


def test_what_a_model_says_is_set_as_text(tmp_path: Path) -> None:
    pages = Pages('<b>"bold"</b> & <img src="x"/>', "\u202eevil")
    pages.heading("</para><font>")
    pages.paragraph("10⁻⁹ مرحبا " + "A" * 500)
    file = tmp_path / "hostile.pdf"
    file.write_bytes(pages.written())
    text = "".join(page.extract_text() for page in PdfReader(file).pages)
    assert '<b>"bold"</b> & <img src="x"/>' in text
    assert "?????" in text
    assert pages.replaced
