"""The report as a document: contents, folds, one first screen, and how long it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from slant.engine.run import Run
from slant.meanings import load_meanings
from slant.records import Finding
from slant.reports import drawings
from slant.studies.section import Section
from slant.studies.study import Figure

from .conftest import Browser
from .fake import about, completion, render

pytestmark = pytest.mark.xdist_group("browser-planted")

_STUDIES = 9
_PART = "return document.getElementById(arguments[0]).getBoundingClientRect().top"


def nine(folder: Path, scale: float) -> Path:
    """Write the report of as many studies as the default audit has."""
    page = folder / "report.html"
    sections = [replace(completion(scale=scale), label=f"study {n}") for n in range(_STUDIES)]
    page.write_text(render(sections, about()), encoding="utf-8")
    return page


@pytest.fixture
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw a picture once for all sections that are alike."""
    known: dict[tuple[str, int], str] = {}
    draw = drawings._drawn

    def once(figure: Figure, section: Section, width: int) -> str:
        key = (figure.title, width)
        known[key] = known.get(key) or draw(figure, section, width)
        return known[key]

    monkeypatch.setattr(drawings, "_drawn", once)


def screens(browser: Browser) -> float:
    height = browser.run("return document.documentElement.scrollHeight")
    return float(height) / float(browser.run("return innerHeight"))


@pytest.mark.usefixtures("drawn_once")
@pytest.mark.parametrize("scale", [1.0, pytest.param(0.2, marks=pytest.mark.slow)])
def test_nine_studies_take_twelve_screens_at_most(
    browser: Browser, tmp_path: Path, scale: float
) -> None:
    browser.resize(1280, 800)
    browser.open(nine(tmp_path, scale))
    assert 3 < screens(browser) <= 12
    # What is folded is in the page all the same, a click away.
    folds = browser.driver.find_elements(By.CSS_SELECTOR, ".study > details.whole")
    assert len(folds) == _STUDIES
    folds[0].find_element(By.TAG_NAME, "summary").click()
    assert folds[0].find_element(By.CSS_SELECTOR, ".cards").is_displayed()


def test_the_planted_audit_takes_twelve_screens_at_most(browser: Browser, planted: Run) -> None:
    browser.resize(1280, 800)
    browser.open(planted.path("report.html"))
    assert screens(browser) <= 12


def test_a_study_is_as_high_as_it_seems_before_it_is_seen(browser: Browser, planted: Run) -> None:
    """A placeholder for what is out of sight would make the page longer than it is."""
    browser.resize(1280, 800)
    browser.open(planted.path("report.html"))
    before = screens(browser)
    browser.run("scrollTo(0, document.documentElement.scrollHeight)")
    browser.settle()
    assert screens(browser) == before


def test_contents_stand_at_the_side_and_lead_everywhere(browser: Browser, planted: Run) -> None:
    browser.resize(1280, 800)
    browser.open(planted.path("report.html"))
    links = browser.driver.find_elements(By.CSS_SELECTOR, ".contents a")
    assert len(links) >= 7
    for link in links:
        target = (link.get_attribute("href") or "").partition("#")[2]
        link.click()  # it is in sight wherever the reader is
        browser.settle()
        top = browser.driver.execute_script(_PART, target)
        last = browser.run("return scrollY + innerHeight >= document.body.scrollHeight - 2")
        assert 0 <= top <= 120 or last, target
    side = browser.run("return document.querySelector('.contents').getBoundingClientRect().right")
    main = browser.run("return document.querySelector('main').getBoundingClientRect().left")
    assert side <= main


def test_on_a_phone_contents_drop_down_and_fold_again(browser: Browser, planted: Run) -> None:
    browser.resize(390, 844)
    browser.open(planted.path("report.html"))
    links = browser.driver.find_elements(By.CSS_SELECTOR, ".contents a")
    assert not links[-1].is_displayed()
    browser.driver.find_element(By.CSS_SELECTOR, ".contents summary").click()
    assert links[-1].is_displayed()
    assert browser.run("return document.documentElement.scrollWidth") <= 390
    links[-1].click()
    browser.settle()
    assert not links[-1].is_displayed()
    assert browser.driver.execute_script(_PART, "words-h") < 844
    bar = "return [...document.querySelectorAll('.bar button, .contents summary, .brand')]"
    places = browser.run(bar + ".map(each => each.getBoundingClientRect().toJSON())")
    rows = sorted((each["left"], each["right"]) for each in places)
    assert all(end <= start for (_, end), (start, _) in pairwise(rows))


@pytest.mark.usefixtures("undrawn")
def test_seven_harms_and_five_answers_stand_on_one_screen(
    browser: Browser, planted: Run, tmp_path: Path
) -> None:
    page = tmp_path / "seven.html"
    section = worse(planted)
    page.write_text(render([section], about()), encoding="utf-8")
    browser.resize(1280, 800)
    browser.open(page)
    told = browser.driver.find_elements(By.CSS_SELECTOR, ".front > .tolds > .told")
    assert len(told) == 7
    bottom = "return document.querySelector('.front').getBoundingClientRect().bottom"
    assert browser.run(bottom) <= 800


def worse(planted: Run) -> Section:
    """Give a planted study in which seven groups are harmed."""
    section = planted.section(1)
    meanings = load_meanings()
    findings: list[Finding] = section.analysis.findings
    harm = next(
        f
        for f in findings
        if f.is_sure and f.contrast == "vs_rest" and meanings.of(f).kind == "harm"
    )
    many = [replace(harm, group=f"Group {n}", axis="religion") for n in range(9)]
    return replace(section, analysis=replace(section.analysis, findings=[*findings, *many]))


def test_a_word_leads_to_what_it_means(browser: Browser, planted: Run) -> None:
    browser.resize(1280, 800)
    browser.open(planted.path("report.html"))
    term = browser.driver.find_element(By.CSS_SELECTOR, ".front a.term")
    target = (term.get_attribute("href") or "").partition("#")[2]
    term.click()
    browser.settle()
    entry = browser.driver.find_element(By.ID, target)
    assert entry.is_displayed()
    assert len(entry.text.split()) >= 8


def test_a_headline_has_the_colour_of_its_picture(browser: Browser, planted: Run) -> None:
    browser.resize(1280, 800)
    browser.open(planted.path("report.html"))
    headlines = browser.driver.find_elements(By.CSS_SELECTOR, ".headline.above, .headline.below")
    assert headlines
    for headline in headlines:
        way = "above" if "above" in (headline.get_attribute("class") or "") else "below"
        colour = (
            f"return getComputedStyle(document.documentElement).getPropertyValue('--{way}-text')"
        )
        wanted = browser.run(colour)
        name = headline.find_element(By.TAG_NAME, "strong")
        shown = browser.driver.execute_script("return getComputedStyle(arguments[0]).color", name)
        assert tuple(int(part) for part in shown[4:-1].split(",")) == tuple(
            int(wanted.strip()[place : place + 2], 16) for place in (1, 3, 5)
        )
