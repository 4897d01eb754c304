"""The reading pages as a reader meets them: from verdict to sentence, by click and by key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from chromium import Browser, waiting
from slant.engine.run import Run
from slant.web import links

from .various_run import ASKED, HOSTILE_GROUP

PAGES = (
    "/study/0", "/study/2", "/study/3", "/pairs/0", "/pairs/1", "/graph/3", "/heatmap/2",
    "/group?axis=religion&group=Muslims",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _laptop(browser: Browser) -> None:
    browser.resize(1280, 900)


def find(browser: Browser, selector: str) -> WebElement:
    return browser.driver.find_element(By.CSS_SELECTOR, selector)


def until(browser: Browser, true: Callable[[], object]) -> None:
    waiting(browser.driver).until(lambda _: true())


def arrived(browser: Browser, at: str) -> None:
    until(browser, lambda: at in browser.driver.current_url)
    until(browser, lambda: browser.run("return document.readyState") == "complete")


def inert(browser: Browser, home: str) -> None:
    assert browser.run("return window.pwned") is None
    assert browser.complaints() == []
    assert browser.requests_out(home) == []


def test_three_clicks_lead_from_the_verdict_to_the_sentence(
    browser: Browser, reading_room: str
) -> None:
    browser.open(reading_room + "/study/0")
    find(browser, ".verdict .headline a[href*='/group?']").click()
    arrived(browser, "/group?")
    assert find(browser, "h1").text == "Muslims"
    find(browser, "#study-0 a[href*='/pairs/']").click()
    arrived(browser, "/pairs/")
    assert len(browser.driver.find_elements(By.CSS_SELECTOR, ".pair-side")) == 2
    find(browser, ".pair-side a.whole").click()
    arrived(browser, "/answer?")
    assert (
        "walked into a" in find(browser, "main").text or "next door" in find(browser, "main").text
    )


def test_keys_alone_turn_pairs(browser: Browser, reading_room: str) -> None:
    browser.open(reading_room + "/pairs/0?a=Muslims&b=Jews")
    keys = ActionChains(browser.driver)
    keys.send_keys("n").perform()
    arrived(browser, "at=2")
    ActionChains(browser.driver).send_keys("p").perform()
    arrived(browser, "at=1")
    find(browser, "#a").send_keys("n")  # in a menu, a letter chooses
    assert "at=1" in browser.driver.current_url


def test_keys_alone_reach_a_number_and_its_answers(browser: Browser, reading_room: str) -> None:
    browser.open(reading_room + "/group?axis=religion&group=Muslims")
    for _ in range(40):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        if browser.run("return document.activeElement.closest('.line')"):
            break
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    arrived(browser, "/finding/")


def test_pictures_come_when_the_reader_comes_near(browser: Browser, reading_room: str) -> None:
    browser.open(reading_room + "/study/0")
    missing = "return document.querySelectorAll('.chart.wide svg.later').length"
    assert browser.run(missing)  # below the fold, and not asked for yet
    for chart in browser.driver.find_elements(By.CSS_SELECTOR, ".chart.wide"):
        browser.driver.execute_script("arguments[0].scrollIntoView()", chart)
        drawn = partial(chart.find_elements, By.CSS_SELECTOR, "svg[viewBox]:not(.later) path")
        until(browser, drawn)
    assert not browser.run(missing)
    inert(browser, reading_room.split("/run/")[0])


def test_a_word_and_a_page_are_chosen(browser: Browser, reading_room: str) -> None:
    browser.open(reading_room + "/study/0")
    find(browser, ".verdict .why").click()
    arrived(browser, "/finding/")
    word = find(browser, ".words a")
    chosen = word.find_element(By.TAG_NAME, "bdi").text
    word.click()
    arrived(browser, "word=")
    assert find(browser, ".words [aria-current] bdi").text == chosen
    assert find(browser, ".veil").get_attribute("inert") is not None
    find(browser, ".reveal").click()
    assert find(browser, ".answer mark").text.lower() == chosen


def test_a_cell_opens_what_lies_behind_it(browser: Browser, reading_room: str) -> None:
    browser.open(reading_room + "/heatmap/2")
    find(browser, ".heat td a").click()
    arrived(browser, "descriptor=")
    assert find(browser, "#cell .answer").is_displayed()
    assert find(browser, ".heat a[aria-current]").is_displayed()


@pytest.mark.parametrize(
    ("path", "width", "dark"),
    [
        (PAGES[0], 390, True),
        *(pytest.param(path, 390, True, marks=pytest.mark.slow) for path in PAGES[1:]),
        *(pytest.param(path, 1280, False, marks=pytest.mark.slow) for path in PAGES),
    ],
)
def test_hostile_texts_are_inert_and_nothing_overflows(
    browser: Browser,
    reading_room: str,
    path: str,
    width: int,
    axe: Callable[[], None],
    *,
    dark: bool,
) -> None:
    browser.resize(width, 900, dark=dark)
    browser.open(reading_room + path)
    for button in browser.driver.find_elements(By.CSS_SELECTOR, "#veils"):
        if button.is_displayed():
            button.click()
    inert(browser, reading_room.split("/run/")[0])
    axe()
    room = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert browser.run(room) <= 0
    assert browser.run("return document.querySelectorAll('main script:not([type])').length") == 0


def test_one_hundred_attacks_stay_text(
    browser: Browser, reading_room: str, various: Run, axe: Callable[[], None]
) -> None:
    finding = next(f for f in various.finding_list() if f.group == HOSTILE_GROUP)
    at = reading_room + links.finding_page("various", finding).removeprefix("/run/various")
    asked = [f"{at}?order=asked&page={page}" for page in range(1, 6)]
    asked += [
        f"{reading_room}/pairs/0?a={HOSTILE_GROUP}&b=Jews&at={pair}" for pair in range(1, 101, 33)
    ]
    shown = 0
    for address in asked:
        browser.open(address)
        shown += len(browser.driver.find_elements(By.CSS_SELECTOR, ".answer"))
        inert(browser, reading_room.split("/run/")[0])
        assert find(browser, "footer").is_displayed()
    axe()
    assert shown == ASKED
