"""Runs and overview in a real browser: from the list to the finding, by hand and by keyboard."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from chromium import Browser, waiting
from patience import PATIENCE, frozen
from slant.engine.run import Run

from .going_run import auditing
from .serving import served

pytestmark = pytest.mark.xdist_group("browser-browser_runs")


@pytest.fixture
def two(copied: Path) -> Iterator[str]:
    """Serve two runs."""
    shutil.copytree(copied / "first", copied / "second")
    path = copied / "second" / "run.toml"
    path.write_text(path.read_text().replace("Two walked into a bar", "Three sat down"))
    with served(copied) as home:
        yield home


def wait(browser: Browser, condition: Callable[[], object]) -> None:
    waiting(browser.driver).until(lambda _: condition())


def heading(browser: Browser) -> str:
    return str(browser.run("return document.querySelector('h1').textContent"))


def path_of(browser: Browser) -> str:
    return str(browser.run("return location.pathname + location.search"))


def test_from_the_list_to_what_a_run_found(browser: Browser, two: str) -> None:
    browser.resize(1280, 900)
    browser.open(two)
    browser.driver.find_element(By.LINK_TEXT, "Three sat down").click()
    wait(browser, lambda: heading(browser) == "Three sat down")
    assert path_of(browser) == "/run/second"
    assert browser.driver.find_elements(By.PARTIAL_LINK_TEXT, "Evidence")
    assert len(browser.driver.find_elements(By.CSS_SELECTOR, ".verdict .chart svg")) > 0
    assert browser.complaints() == []
    assert browser.requests_out(two) == []
    browser.driver.find_element(By.CSS_SELECTOR, ".sure-list a").click()
    wait(browser, lambda: path_of(browser).startswith("/run/second/finding/"))
    assert "Muslims" in browser.run("return document.querySelector('main').innerText")
    browser.driver.back()
    wait(browser, lambda: path_of(browser) == "/run/second")
    browser.driver.find_element(By.LINK_TEXT, "Muslims").click()
    wait(browser, lambda: path_of(browser) == "/run/second/group?axis=religion&group=Muslims")
    assert "Muslims" in heading(browser)


def test_filters_search_and_comparison(browser: Browser, two: str) -> None:
    browser.resize(1280, 900)
    browser.open(two)
    compare = browser.driver.find_element(By.CSS_SELECTOR, "#compare button")
    assert not compare.is_enabled()
    browser.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: 1}))")
    assert browser.run("return document.activeElement.id") == "search"
    browser.driver.find_element(By.ID, "search").send_keys("three", Keys.ENTER)
    wait(browser, lambda: path_of(browser) == "/?q=three")
    assert len(browser.driver.find_elements(By.CSS_SELECTOR, ".shelf > li")) == 1
    browser.driver.find_element(By.LINK_TEXT, "all runs").click()
    wait(browser, lambda: path_of(browser) == "/")
    Select(browser.driver.find_element(By.ID, "by-state")).select_by_value("stopped")
    wait(browser, lambda: path_of(browser) == "/?state=stopped")
    assert "No run is like that" in browser.driver.page_source
    browser.driver.back()
    wait(browser, lambda: path_of(browser) == "/")
    for box in browser.driver.find_elements(By.CSS_SELECTOR, ".pick input"):
        box.click()
    compare = browser.driver.find_element(By.CSS_SELECTOR, "#compare button")
    assert compare.text == "Compare 2 runs"
    compare.click()
    wait(browser, lambda: path_of(browser).startswith("/compare?run="))
    assert path_of(browser).count("run=") == 2


def test_tags_are_written_with_the_keyboard_alone(browser: Browser, two: str) -> None:
    browser.resize(390, 844)
    browser.open(f"{two}/run/first")
    browser.run("document.getElementById('tags').focus()")
    active = browser.driver.switch_to.active_element
    active.send_keys("card, v2", Keys.TAB, "Look\nhere", Keys.TAB, Keys.ENTER)
    wait(browser, lambda: "v2" in browser.run("return document.querySelector('.mast').innerText"))
    assert browser.run("return document.getElementById('note').value") == "Look\nhere"
    browser.driver.find_element(By.LINK_TEXT, "v2").click()
    wait(browser, lambda: path_of(browser) == "/?tag=v2")


@pytest.mark.parametrize("path", ["", "/run/first", "/run/nothing", "/?q=nothing"])
def test_no_complaints_and_no_sideways_scrolling(browser: Browser, two: str, path: str) -> None:
    for width, dark in ((1280, False), (768, True), (390, False), (320, True)):
        browser.resize(width, 844, dark=dark)
        browser.open(two + path)
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        assert browser.run("return document.documentElement.scrollWidth") <= width
        assert [c for c in browser.complaints() if "status of 400" not in c] == []


@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_axe_finds_no_serious_fault(
    browser: Browser, copied: Path, axe: Callable[[], None], dark: bool
) -> None:
    for name, finished in (("stopped", False), ("marked", True)):
        shutil.copytree(copied / "first", copied / name)
        (copied / name / "status.json").write_text(json.dumps({"finished": finished}))
    (copied / "marked" / "marks.json").write_text('{"tags": ["card"], "note": "Look here"}')
    shutil.copytree(copied / "first", copied / "damaged")
    (copied / "damaged" / "findings.json").write_text("")
    (copied / "damaged" / "summary.json").unlink()
    shutil.copytree(copied / "first", copied / "going")
    with served(copied) as home, Run(copied / "going").locked():
        for name in ("marked", "stopped", "damaged", "going", "nothing"):
            browser.resize(390 if dark else 1280, 900, dark=dark)
            browser.open(f"{home}/run/{name}")
            axe()
        browser.open(home)
        axe()


def test_the_first_tab_leads_past_the_bar(browser: Browser, two: str) -> None:
    browser.open(two)
    browser.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB, Keys.ENTER)
    wait(browser, lambda: browser.run("return document.activeElement.id") == "main")


def test_a_theme_is_kept_from_page_to_page(browser: Browser, two: str) -> None:
    browser.resize(1280, 900)
    browser.open(two)
    browser.driver.find_element(By.ID, "theme").click()
    browser.driver.find_element(By.LINK_TEXT, "Three sat down").click()
    wait(browser, lambda: heading(browser) == "Three sat down")
    assert browser.run("return document.documentElement.dataset.theme") == "dark"
    browser.driver.find_element(By.ID, "theme").click()


def test_a_run_is_watched_until_its_findings_are_there(browser: Browser, tmp_path: Path) -> None:
    browser.resize(1280, 900)
    with auditing(tmp_path, samples=50) as process, served(tmp_path / "runs") as home:
        share = "return document.getElementById('live-share')?.value ?? 100"
        with frozen(process):
            browser.open(f"{home}/run/going")
            first = float(browser.run(share))
        wait(browser, lambda: float(browser.run(share)) > first)
        with frozen(process):
            wait(browser, lambda: browser.run("return document.querySelectorAll('.heard').length"))
            veil = "return getComputedStyle(document.getElementById('live-newest')).filter"
            assert browser.run(veil).startswith("blur")
            assert browser.run("return window.pwned") is None
        process.wait(PATIENCE)
        wait(browser, lambda: "What this run found" in browser.driver.page_source)
        assert browser.complaints() == []
        assert browser.requests_out(home) == []


def test_hostile_marks_and_titles_do_nothing(browser: Browser, copied: Path) -> None:
    attack = "<img src=x onerror='window.pwned=1'><script>window.pwned=1</script>"
    path = copied / "first" / "run.toml"
    path.write_text(path.read_text().replace("Two walked into a bar", attack.replace('"', "'")))
    marks = {"tags": [attack[:40]], "note": attack}
    (copied / "first" / "marks.json").write_text(json.dumps(marks))
    with served(copied) as home:
        for place in (home, f"{home}/run/first"):
            browser.open(place)
            browser.settle()
            assert browser.run("return window.pwned") is None
            assert browser.run("return document.images.length") == 0
            assert browser.complaints() == []
            assert browser.requests_out(home) == []
