"""Faults that an auditor met in the dashboard, each as it would be met again."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import httpx
import polars as pl
import pytest
from selenium.webdriver.common.by import By

import patience
from chromium import Browser
from slant.engine.run import Run
from slant.web.links import finding_id

Get = Callable[..., httpx.Response]

_STUDIES = ["completion", "templates", "likelihood"]
"""As the suite of the run of several studies asks them; by name templates come last."""


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.slow)])
def test_the_list_of_one_run_has_room_for_its_words(
    browser: Browser, home: str, width: int
) -> None:
    browser.resize(width, 844)
    browser.open(home)
    (run,) = browser.driver.find_elements(By.CSS_SELECTOR, "ol.shelf > li")
    words = run.find_element(By.CSS_SELECTOR, ".what")
    assert words.size["width"] >= 0.55 * run.size["width"]
    figures = run.find_elements(By.CSS_SELECTOR, ".came > div")
    assert len(figures) == 3  # each beside what it counts
    assert all(len(each.text.split()) >= 2 for each in figures)


def test_an_answer_has_one_number_everywhere(reading_room: str, various: Run) -> None:
    finding = next(f for f in various.finding_list() if f.metric == "affinity" and f.condition)
    page = patience.get(f"{reading_room}/finding/{finding_id(finding)}").text
    links = re.findall(r'<a href="([^"]+)">Answer ([\d,]+)</a>', page)
    assert links
    home = reading_room.rpartition("/run/")[0]
    for target, number in links[:2]:
        opened = patience.get(home + unescape(target)).text
        assert f"<h1>Answer {number}</h1>" in opened
    every = patience.get(f"{reading_room}/transcripts?study=likelihood&size=200").text
    assert f">{links[0][1]}</a>" in every


def test_transcripts_come_in_the_order_asked(read: Get, various: Run) -> None:
    sizes = dict(various.answers.group_by("study").agg(pl.len()).collect().iter_rows())
    first = 0
    for study in _STUDIES:
        page = read("/transcripts", params={"study": study}).text
        number = re.search(r"Answer </span>([\d,]+)</a>", page)
        assert number
        assert int(number[1].replace(",", "")) == first + 1
        first += sizes[study]
    whole = read("/transcripts").text
    assert re.search(r"Answer </span>1</a>", whole)
    assert 'data-label="Study"><bdi>completion' in whole


def test_likelihoods_stand_in_transcripts_with_their_number(read: Get) -> None:
    page = read("/transcripts", params={"study": "likelihood"}).text
    assert page.count("log-probability −") >= 20
    assert "no text: log-probabilities" not in page
    assert re.search(r"Yes \d+%, No \d+%", read("/transcripts", params={"study": "templates"}).text)


@pytest.mark.parametrize("metric", ["affinity", "yes_answers"])
def test_a_lean_is_scored_by_no_measure_that_is_not_its_own(
    read: Get, various: Run, metric: str
) -> None:
    lean = next(f for f in various.finding_list() if f.metric == metric and f.value is not None)
    page = read(f"/finding/{finding_id(lean)}").text
    assert "The answers behind it" in page
    assert not re.search(r"<option[^>]* selected[^>]*>refusal", page)


@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.slow)])
def test_a_heat_map_that_is_cut_says_so(browser: Browser, reading_room: str, width: int) -> None:
    browser.resize(width, 800)
    browser.open(f"{reading_room}/heatmap/2")
    browser.settle()
    region = "const r = document.querySelector('.scroll.heat');"
    cut = browser.run(region + "return r.scrollWidth > r.clientWidth + 1")
    hint = browser.run(region + "return getComputedStyle(r, '::before').content")
    assert ("scroll sideways" in hint) == cut
    if width == 390:
        assert cut
    assert browser.run("return document.documentElement.scrollWidth") <= width
