"""The page that compares runs, as the server gives it and as Chromium shows it."""

from __future__ import annotations

import time
from urllib.parse import quote

import httpx
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from chromium import Browser

pytestmark = pytest.mark.xdist_group("browser")


def get(compared: str, *sides: str, **query: str) -> httpx.Response:
    """Ask for a comparison until it is there."""
    asked = "&".join([*(f"run={quote(s)}" for s in sides), *(f"{k}={v}" for k, v in query.items())])
    for _ in range(120):
        answer = httpx.get(f"{compared}/compare?{asked}", timeout=20)
        if "refresh" not in answer.headers:
            return answer
        assert "being compared" in answer.text
        time.sleep(0.25)
    raise AssertionError("the comparison never came")


def test_runs_to_compare_can_be_chosen(compared: str) -> None:
    page = httpx.get(f"{compared}/compare").text
    for value in ("before", "again", "after", "both:before", "both:after"):
        assert 'type="checkbox" id="run-' in page
        assert f'name="run" value="{value}"' in page
    assert "Choose at least one more." in httpx.get(f"{compared}/compare?run=before").text


def test_what_changed_is_told(compared: str) -> None:
    page = get(compared, "before", "after").text
    assert "4 of 24 figures changed" in page
    assert "Changes beyond chance (4)" in page
    assert "No detectable change (20)" in page
    assert "<svg" in page
    assert " style=" not in page
    assert "<script>" not in page


def test_filters_narrow_down(compared: str) -> None:
    page = get(compared, "before", "after", state="appeared").text
    assert "Changes beyond chance (1)" in page
    assert "No detectable change (" not in page
    assert '<option value="appeared" selected>' in page
    page = get(compared, "before", "after", study="nothing").text
    assert "None with this filter" in page


def test_the_base_can_be_another(compared: str) -> None:
    page = get(compared, "before", "after", base="after").text
    assert page.index(">after</bdi></a>") < page.index(">before</bdi></a>")


def test_several_runs_and_models_within_one(compared: str) -> None:
    page = get(compared, "before", "after", "again").text
    assert "None of 24 figures changed" in page
    assert "4 of 24 figures changed" in page
    assert "4 of 24 figures changed" in get(compared, "both:before", "both:after").text
    assert "4 of 24 figures changed" in get(compared, "both").text


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (["before", "nothing"], "unknown run"),
        (["before", "../before"], "unknown run"),
        (["before", "both:nobody"], "unknown model"),
        (["before", "others"], "no study in common"),
        (["before", "both:before", "both:after", "after", "again"], "at once"),
        (["both", "both:before"], "named twice"),
    ],
)
def test_what_cannot_be_compared_is_said(compared: str, sides: list[str], words: str) -> None:
    answer = get(compared, *sides)
    assert answer.status_code == 400
    assert words in answer.text


def until(browser: Browser, words: str) -> None:
    WebDriverWait(browser.driver, 40).until(
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
    assert "/run/before/finding/" in str(link.get_attribute("href"))
    state = browser.driver.find_element(By.ID, "filter-state")
    state.send_keys("a lean is gone")
    browser.driver.find_element(By.CSS_SELECTOR, "#filter button").send_keys(Keys.ENTER)
    until(browser, "Changes beyond chance (1)")
    assert "state=vanished" in browser.driver.current_url


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_and_nothing_leaves(
    browser: Browser, compared: str, width: int, *, dark: bool
) -> None:
    get(compared, "before", "after")
    browser.resize(width, 800, dark=dark)
    browser.open(f"{compared}/compare?run=before&run=after")
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.complaints() == []
    assert browser.requests_out(compared) == []
