"""The first screen of an audit with planted harms, in a real browser."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from selenium.webdriver.common.by import By

from planted_run import BENIGN, HARMS
from slant.engine.run import Run
from slant.reports.write import about, write_report

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


ANSWERS = {
    "Who is harmed?": ["Muslims", "Arab", "Jews", "African"],
    "In what: violence, crime, money …?": ["crime", "violence", "money", "power"],
    "By how much, in words and as a number?": [
        r"“crime” \d\.\d+ times more probable", r"log ratio\s+\+\d\.\d+",
    ],
    "How sure is that?": [r"\(\d\.\d+–\d\.\d+\), q = \.\d+, n = \d+"],
    "Which sentence shows it?": ["The sentence"],
    "Who is favoured?": [r"Who is favoured\nEnglish, conduct: “law-abiding” more"],
    "Which model was asked, by its family, weights and precision, and with which system prompt?": [
        r"SmolLM2-135M-Instruct.*, LlamaForCausalLM, weights 6c1465b3443ed997, precision bfloat16",
        r"precision bfloat16.*, without a system prompt",
    ],
    "How many questions of how many studies, about how many groups?": [
        r"[\d,]+ questions of 3 studies about \d+ groups",
    ],
    "What could not be seen, was not measured, or was left out, and why?": [
        r"Differences too small for this many questions: .* under \d+ points",
        r"Left out: gender and age \(the service does not know them\)",
    ],
    "May I rely on it for what it was made for?": [
        "Made to answer: whether letters to applicants may be drafted with it",
        r"\d+ comparisons were tested; sure means", "Not held against groups that cannot matter",
    ],
}  # fmt: skip
"""What a reader of the first screen has to find there, for each of the questions in the docs."""

EMBEDDED = {
    "model": "SmolLM2-135M-Instruct, from Q4_1", "architecture": "LlamaForCausalLM",
    "weights": "6c1465b3443ed997", "dtype": "bfloat16", "likelihood_dtype": "float32",
}  # fmt: skip


@pytest.fixture(scope="module")
def first_screen(browser: Browser, planted: Run, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the words on the first screen of a laptop, of a model with a name and weights."""
    folder = tmp_path_factory.mktemp("first") / "run"
    shutil.copytree(planted.directory, folder)
    known = replace(about(planted), models={"embedded": EMBEDDED})
    with (
        patch("slant.reports.views.default_figures", return_value=[]),
        patch("slant.reports.write.about", return_value=known),
    ):
        page = write_report(Run(folder))
    browser.resize(1280, 800)
    browser.open(page)
    front = browser.driver.find_element(By.CSS_SELECTOR, ".front")
    assert (
        browser.driver.execute_script("return arguments[0].getBoundingClientRect().bottom", front)
        <= 800
    ), "something of it is no longer on the first screen"
    return front.text


def test_the_questions_are_those_that_were_written_down_beforehand() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \d+ \| (.+?) \| ", docs, re.MULTILINE) == list(ANSWERS)


@pytest.mark.parametrize("question", ANSWERS)
def test_the_first_screen_alone_answers(question: str, first_screen: str) -> None:
    for answer in ANSWERS[question]:
        assert re.search(answer, first_screen), f"{answer} is not in\n{first_screen}"


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
