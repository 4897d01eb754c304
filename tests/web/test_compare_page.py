"""The page that compares runs, as the server gives it and as Chromium shows it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import patience
from chromium import Browser, waiting
from slant.engine.run import Run
from slant.engine.run_config import RunConfig, StudyConfig
from slant.records import Finding
from slant.signature import Signature
from slant.studies.section import Section
from slant.studies.study import Analysis

from .serving import served

pytestmark = pytest.mark.xdist_group("browser-compare_page")


def get(compared: str, *sides: str, **query: str) -> httpx.Response:
    """Ask for a comparison until it is there."""
    asked = "&".join([*(f"run={quote(s)}" for s in sides), *(f"{k}={v}" for k, v in query.items())])
    while "refresh" in (answer := patience.get(f"{compared}/compare?{asked}")).headers:
        assert "being compared" in answer.text
        time.sleep(0.25)
    return answer


def test_runs_to_compare_can_be_chosen(compared: str) -> None:
    page = patience.get(f"{compared}/compare").text
    for value in ("before", "again", "after", "both:before", "both:after"):
        assert 'type="checkbox" id="run-' in page
        assert f'name="run" value="{value}"' in page
    assert "Choose at least one more." in patience.get(f"{compared}/compare?run=before").text


def test_what_changed_is_told(compared: str) -> None:
    page = get(compared, "before", "after").text
    assert "4 of 24 figures changed" in page
    assert "Sure changes (4)" in page
    assert "No detectable change (20)" in page
    assert "<svg" in page
    assert " style=" not in page
    assert "<script>" not in page


def test_filters_narrow_down(compared: str) -> None:
    page = get(compared, "before", "after", state="appeared").text
    assert "Sure changes (1)" in page
    assert "No detectable change (" not in page
    assert '<option value="appeared" selected>' in page
    page = get(compared, "before", "after", study="nothing").text
    assert "None with this filter" in page


def test_the_base_can_be_another(compared: str) -> None:
    page = get(compared, "before", "after", base="after").text
    assert page.index(">after</bdi></a>") < page.index(">before</bdi></a>")
    assert '<a href="/compare?run=before&amp;run=after">Swap the sides</a>' in page


def test_several_runs_and_models_within_one(compared: str) -> None:
    page = get(compared, "before", "after", "again").text
    assert "None of 24 figures changed" in page
    assert "4 of 24 figures changed" in page
    assert "Models beside each other" in page
    for name in ("before · before", "after · after", "before · again"):
        assert name in page.split("strongest first:")[1].split("</li>")[0]
    assert "4 of 24 figures changed" in get(compared, "both:before", "both:after").text
    assert "4 of 24 figures changed" in get(compared, "both").text


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (["before", "nothing"], "unknown run"),
        (["before", "../before"], "unknown run"),
        (["before", "both:nobody"], "unknown model"),
        (["before", "others"], "no study in common"),
        ([f"run{number}" for number in range(9)], "at once"),
        (["both", "both:before"], "named twice"),
    ],
)
def test_what_cannot_be_compared_is_said(compared: str, sides: list[str], words: str) -> None:
    answer = get(compared, *sides)
    assert answer.status_code == 400
    assert words in answer.text


def until(browser: Browser, words: str) -> None:
    waiting(browser.driver).until(
        lambda driver: words in driver.find_element(By.TAG_NAME, "main").text
    )


def test_from_choosing_to_the_finding_with_the_keyboard(browser: Browser, compared: str) -> None:
    browser.resize(1366, 900)
    browser.open(f"{compared}/compare")
    keys = {"before": Keys.SPACE, "after": Keys.SPACE}
    for value, key in keys.items():
        box = browser.driver.find_element(By.CSS_SELECTOR, f'[type=checkbox][value="{value}"]')
        box.send_keys(key)
    browser.driver.find_element(By.CSS_SELECTOR, '[type=radio][value="before"]').send_keys(
        Keys.SPACE
    )
    browser.driver.find_element(By.CSS_SELECTOR, ".chooser button").send_keys(Keys.ENTER)
    until(browser, "4 of 24 figures changed")
    row = browser.driver.find_element(By.CSS_SELECTOR, ".card summary")
    row.send_keys(Keys.ENTER)
    link = browser.driver.find_element(By.CSS_SELECTOR, ".card[open] dd a")
    assert link.is_displayed()
    link.send_keys(Keys.ENTER)
    until(browser, "Violent completions")
    assert "/run/before/finding/" in browser.driver.current_url
    browser.driver.back()
    until(browser, "4 of 24 figures changed")
    state = browser.driver.find_element(By.ID, "filter-state")
    state.send_keys("a lean is gone")
    browser.driver.find_element(By.CSS_SELECTOR, "#filter button").send_keys(Keys.ENTER)
    until(browser, "Sure changes (1)")
    assert "state=vanished" in browser.driver.current_url


@pytest.mark.parametrize(
    ("width", "dark"), [pytest.param(1366, False, marks=pytest.mark.slow), (390, True)]
)
def test_it_fits_everybody_and_nothing_leaves(
    browser: Browser, compared: str, axe: Callable[[], None], width: int, *, dark: bool
) -> None:
    get(compared, "before", "after")
    browser.resize(width, 800, dark=dark)
    browser.open(f"{compared}/compare?run=before&run=after")
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    axe()
    assert browser.complaints() == []
    assert browser.requests_out(compared) == []


def test_runs_are_chosen_by_everybody(
    browser: Browser, compared: str, axe: Callable[[], None]
) -> None:
    browser.resize(390, 800)
    browser.open(f"{compared}/compare")
    assert browser.run("return document.documentElement.scrollWidth") <= 390
    axe()


def test_hostile_names_do_nothing(
    browser: Browser, tmp_path: Path, hostile_texts: tuple[str, ...]
) -> None:
    for name, value in (("one", 0.1), ("two", 0.8)):
        findings = [
            Finding(
                study="s", metric=text[:200], model="m", axis=text[:200], group=text[:2000],
                contrast="vs_rest", condition=text[:2000], value=value, low=value - 0.1,
                high=value + 0.1, n=10, outcomes={}, p=0.01, q=0.01, effect=None, chance=None,
                target=0.0, direction="closer_to_target",
                signature=Signature(study=f"{text[:200]}{name}"),
            )
            for text in hostile_texts
        ]  # fmt: skip
        config = RunConfig(
            kind="audit", command=hostile_texts[0], name=name, title=hostile_texts[1],
            study=[StudyConfig(use="completion")],
        )  # fmt: skip
        run = Run.create(tmp_path / name, config)
        run.conclude([Section("s", "s", "m", "", "", Analysis(findings))])
    with served(tmp_path) as site:
        page = get(site, "one", "two")
        assert page.status_code == 200
        browser.resize(1366, 900)
        browser.open(f"{site}/compare?run=one&run=two")
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        browser.settle()
        assert browser.run("return window.pwned") is None
        assert browser.run("return document.images.length") == 0
        assert browser.run("return document.documentElement.scrollWidth") <= 1366
        assert browser.complaints() == []
        assert browser.requests_out(site) == []
