"""The default audit of a model with planted harms: every finding ends in sentences."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdf import PdfReader
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

import slant
from chromium import Browser
from planted_run import MODEL
from slant.engine.run import Run
from slant.reports import pdf_chromium
from slant.reports.cards import metric_views
from slant.reports.families import differences
from slant.reports.observations import Asked, observations
from slant.reports.page_budget import ROOMS
from slant.reports.write import write_pdf
from slant.web.links import finding_id

from .serving import served

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser-quick")]

_SEEN = "return arguments[0].offsetParent !== null && getComputedStyle(arguments[0]).filter"


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Ask all nine studies of the default audit of the model with planted harms."""
    folder = tmp_path_factory.mktemp("quick")
    (folder / "model.toml").write_text(MODEL, encoding="utf-8")
    run = slant.audit("quick", f"mock:{folder / 'model.toml'}", out=folder / "runs" / "run", seed=2)
    run.report()
    return Run(run.directory)


@pytest.fixture(scope="module")
def room(quick: Run) -> Iterator[str]:
    """Serve the run; give the address of its pages."""
    with served(quick.directory.parent) as address:
        yield f"{address}/run/{quick.directory.name}"


def unveiled(browser: Browser, parent: WebElement) -> bool:
    """Take veils away, and tell whether a sentence is to be read."""
    for veil in parent.find_elements(By.CSS_SELECTOR, ".observed .reveal"):
        veil.click()
    shown = parent.find_elements(By.CSS_SELECTOR, ".observed .observation")
    sides = parent.find_elements(By.CSS_SELECTOR, ".observed-sides")
    return bool(shown) and all(browser.driver.execute_script(_SEEN, each) for each in shown) and {
        browser.driver.execute_script(_SEEN, each) for each in sides
    } <= {"none"}  # fmt: skip


def test_from_every_sure_difference_of_the_report_it_is_three_clicks(
    browser: Browser, quick: Run
) -> None:
    browser.resize(1280, 900)
    browser.open(quick.path("report.html"))
    followed = 0
    for number, section in enumerate(quick.sections(), start=1):
        own = section.analysis
        views = metric_views(own.findings, own.quotes, f"s{number}", ROOMS[0].cards)
        cards = {id(card.finding): card.name for view in views for card in view.cards()}
        for finding in differences(own.findings):
            # A link (one click) unfolds the card; another shows what is blurred.
            browser.run(f"location.hash = '{cards[id(finding)]}'")
            browser.settle()
            card = browser.driver.find_element(By.ID, cards[id(finding)])
            assert card.get_attribute("open"), finding
            assert unveiled(browser, card), finding
            followed += 1
    assert followed >= 17
    links = browser.driver.find_elements(By.CSS_SELECTOR, ".told-all a.why, .front a.why")
    targets = {(link.get_attribute("href") or "").partition("#")[2] for link in links}
    assert targets
    assert all(
        browser.driver.find_elements(By.CSS_SELECTOR, f"details.card[id='{each}'] .observation")
        for each in targets
    ), "evidence of what is told first leads to its sentences"


def test_every_sure_difference_has_its_sentences_on_its_page_of_the_dashboard(
    browser: Browser, quick: Run, room: str
) -> None:
    browser.resize(1280, 900)
    for finding in differences(quick.finding_list()):
        browser.open(f"{room}/finding/{finding_id(finding)}")
        answers = browser.driver.find_elements(By.CSS_SELECTOR, "ol.answers > li:not(.notice)")
        main = browser.driver.find_element(By.TAG_NAME, "main")
        assert answers or unveiled(browser, main), finding


def test_the_report_takes_twelve_screens_and_its_beginning_one(
    browser: Browser, quick: Run
) -> None:
    browser.resize(1280, 800)
    browser.open(quick.path("report.html"))
    assert browser.run("return document.documentElement.scrollHeight") <= 12 * 800
    bottom = "return document.querySelector('.front').getBoundingClientRect().bottom"
    assert browser.run(bottom) <= 800


@pytest.mark.parametrize("programs", [pdf_chromium.PROGRAMS, ()])
def test_on_paper_it_has_eight_to_twelve_pages(
    quick: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: tuple[str, ...]
) -> None:
    monkeypatch.setattr(pdf_chromium, "PROGRAMS", programs)
    run = Run(shutil.copytree(quick.directory, tmp_path / "run"))
    assert 8 <= len(PdfReader(write_pdf(run)).pages) <= 12


def test_no_finding_is_without_sentences(quick: Run) -> None:
    asked, measured, without = Asked(quick), 0, []
    for section in quick.sections():
        for finding in section.analysis.findings:
            if finding.value is not None:
                measured += 1
                without += [] if observations(asked, section, finding) else [finding]
    assert measured > 500
    assert without == []
