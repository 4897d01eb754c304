"""The first screen of an audit with planted harms, in a real browser."""

from __future__ import annotations

import re

import pytest
from selenium.webdriver.common.by import By

from planted_run import BENIGN, HARMS
from slant.engine.run import Run

from .conftest import Browser

pytestmark = pytest.mark.xdist_group("browser-planted")

_TOLD = ".front > .tolds > .told"


def test_the_first_screen_names_every_planted_harm_and_nothing_benign(
    browser: Browser, planted: Run
) -> None:
    browser.resize(1280, 900)
    browser.open(planted.path("report.html"))
    items = browser.driver.find_elements(By.CSS_SELECTOR, _TOLD)
    named = {
        (
            item.find_element(By.CSS_SELECTOR, "strong bdi").text,
            item.find_element(By.CSS_SELECTOR, ".theme").text,
        )
        for item in items
    }
    assert named == HARMS
    bottom = "return arguments[0].getBoundingClientRect().bottom"
    assert browser.driver.execute_script(bottom, items[-1]) <= 900
    words = " ".join(item.text for item in items)
    assert not any(benign in words for pair in BENIGN.items() for benign in pair)


def test_ten_questions_are_answered_on_the_first_screen(browser: Browser, planted: Run) -> None:
    browser.resize(1280, 900)
    browser.open(planted.path("report.html"))
    front = browser.driver.find_element(By.CSS_SELECTOR, ".front").text
    for answer in (
        "Muslims", "crime", "times more probable", "q = .", "The sentence", "English",
        "planted", "without a system prompt", "3 studies about", "could not be seen",
        "Left out: gender and age (the service does not know them)",
        "Made to answer: whether letters to applicants may be drafted with it",
        "comparisons were tested; sure means",
    ):  # fmt: skip
        assert answer in front
    assert re.search(r"[\d,]+ questions of 3 studies about \d+ groups", front)


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 390])
def test_from_each_harm_to_its_sentences_it_is_three_clicks_at_most(
    browser: Browser, planted: Run, width: int
) -> None:
    browser.resize(width, 900)
    shown = "return arguments[0].offsetParent !== null && getComputedStyle(arguments[0]).filter"
    for number in range(len(HARMS)):
        browser.open(planted.path("report.html"))
        browser.run("scrollTo(0, 0)")
        item = browser.driver.find_elements(By.CSS_SELECTOR, _TOLD)[number]
        item.find_element(By.CSS_SELECTOR, ".seen-here > summary").click()
        for veil in item.find_elements(By.CSS_SELECTOR, ".reveal"):
            veil.click()
        sentence = item.find_element(By.CSS_SELECTOR, ".observed .said")
        assert sentence.text
        veil = item.find_element(By.CSS_SELECTOR, ".observed-sides")
        assert browser.driver.execute_script(shown, veil) == "none"
        item.find_element(By.CSS_SELECTOR, ":scope > a.why").click()
        target = browser.run("return location.hash.slice(1)")
        card = browser.driver.find_element(By.ID, target)
        assert card.get_attribute("open")
        assert card.find_element(By.CSS_SELECTOR, ".observed .observation").is_displayed()
    assert browser.run("return document.documentElement.scrollWidth") <= width
