"""Transcripts in the dashboard: filtered, searched, sorted, paged, saved, and read one by one."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import httpx
import polars as pl
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import patience
from chromium import Browser, waiting
from slant.engine.measure import measure
from slant.engine.run import Run

from .serving import served

Get = Callable[..., httpx.Response]

TABLE = "/run/first/transcripts"


def total(page: str) -> int:
    found = re.search(r"</strong> of ([\d,]+)</p>", page)
    return int(found[1].replace(",", "")) if found else 0


def shown(page: str) -> list[str]:
    """Give the addresses of the answers in a page."""
    return [unescape(each) for each in re.findall(r'<th scope="row"><a href="([^"]+)"', page)]


@pytest.fixture(scope="module")
def answers(finished: Run) -> pl.DataFrame:
    return finished.answers.collect()


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a measured file with answers that are long, hostile or nothing."""
    folder = tmp_path_factory.mktemp("odd")
    texts = ["word " * 9_000, "=1+1", "<script>window.pwned=1</script>", "‮dlrow", None, "a bomb"]
    source = pl.DataFrame({"group": ["a", "b"] * 3, "text": texts, "prompt": ["Two walked"] * 6})
    measure("completion", source, out=folder / "odd")
    with served(folder) as address:
        yield address


def test_all_answers_are_there_a_page_at_a_time(get: Get, answers: pl.DataFrame) -> None:
    first = get(TABLE).text
    assert total(first) == answers.height
    assert len(shown(first)) == 50
    second = get(TABLE, params={"page": 2, "size": 25}).text
    assert shown(second)[0].endswith("position=25")
    assert len(shown(get(TABLE, params={"page": 10**8}).text)) > 0


@pytest.mark.parametrize(
    ("query", "condition"),
    [
        ({"group": "Muslims"}, pl.col("group") == "Muslims"),
        ({"search": "TEA"}, pl.col("text").str.contains("tea")),
        ({"search": '"opened fire"', "group": "Sikhs"},
         pl.col("text").str.contains("opened fire") & (pl.col("group") == "Sikhs")),
        ({"search": "stab*"}, pl.col("text").str.contains("stabbed")),
        ({"measure": "violence.robust", "low": "0.5"},
         pl.col("text").str.contains("fire|bomb|stabbed")),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_shown(
    get: Get, answers: pl.DataFrame, query: dict[str, str], condition: pl.Expr
) -> None:
    expected = answers.filter(condition)["position"].to_list()
    page = get(TABLE, params={**query, "size": 200}).text
    found = [int(httpx.URL(target).params["position"]) for target in shown(page)]
    assert (total(page), found) == (len(expected), expected)


def test_matched_words_are_marked(get: Get) -> None:
    page = get(TABLE, params={"search": "walked fire"}).text
    assert "<mark>walked</mark>" in page
    assert re.search(r"<mark>(opened )?fire</mark>", page)


def test_violent_answers_are_blurred(get: Get) -> None:
    violent = get(TABLE, params={"measure": "violence.robust", "low": 1}).text
    assert violent.count('class="quote veiled"') == len(shown(violent)) > 0
    calm = get(TABLE, params={"search": "sat"}).text
    assert "veiled" not in calm


def test_columns_sort_both_ways(get: Get) -> None:
    page = get(TABLE, params={"group": "Sikhs"}).text
    (target,) = {
        unescape(each)
        for each in re.findall(r'href="([^"]+)"', page)
        if "sort=score%3Aviolence.robust" in each
    }
    down = get(target).text
    assert 'aria-sort="descending"' not in down  # scores share a column
    assert "(sorted, descending)" in down
    assert "group=Sikhs" in target
    up = get(TABLE, params={"sort": "group"}).text
    assert 'aria-sort="ascending"' in up
    assert len({httpx.URL(each).params["position"] for each in shown(up)}) == 50


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"group": "Muslim"}, "did you mean"),
        ({"measure": "violence.robust", "low": "much"}, "is no number"),
        ({"measure": "violence.robust", "low": "nan"}, "no bound"),
        ({"sort": "text"}, "column to sort by"),
        ({"search": " ".join(f"w{n}" for n in range(60))}, "50 words"),
    ],
)
def test_what_cannot_be_asked_is_told(get: Get, query: dict[str, str], words: str) -> None:
    answer = get(TABLE, params=query)
    assert answer.status_code == 400
    assert words in unescape(answer.text)


def test_the_rows_asked_for_are_saved(get: Get, answers: pl.DataFrame) -> None:
    query = {"group": "Jews", "sort": "sample", "descending": "1"}
    expected = answers.filter(pl.col("group") == "Jews").sort("sample", descending=True)
    plain = get(TABLE + ".csv", params=query)
    assert 'filename="transcripts.csv"' in plain.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(plain.text)))
    assert [row["text"] for row in rows] == expected["text"].to_list()
    lines = get(TABLE + ".jsonl", params=query).text.splitlines()
    assert [json.loads(line)["text"] for line in lines] == expected["text"].to_list()
    assert {"violence.robust", "prompt", "outcome"} <= set(json.loads(lines[0]))
    assert get(TABLE + ".csv", params={"search": "zzz"}).text.startswith("model,study")


def test_what_a_model_wrote_is_no_formula(odd: str) -> None:
    rows = list(csv.DictReader(io.StringIO(patience.get(odd + "/run/odd/transcripts.csv").text)))
    assert rows[1]["text"] == "'=1+1"
    lines = patience.get(odd + "/run/odd/transcripts.jsonl").text.splitlines()
    assert json.loads(lines[1])["text"] == "=1+1"


def test_hostile_text_is_text(odd: str) -> None:
    page = patience.get(odd + "/run/odd/transcripts").text
    assert "&lt;script&gt;window.pwned" in page
    assert "<script>window" not in page
    assert "⟦U+202E⟧" in page
    search = patience.get(odd + "/run/odd/transcripts", params={"search": '"><script>x</script>'})
    assert search.status_code == 200
    assert "<script>x" not in search.text


def test_one_answer_leads_to_the_next_of_its_list(get: Get, answers: pl.DataFrame) -> None:
    (first, *_) = shown(get(TABLE, params={"group": "Sikhs"}).text)
    page = get(first).text
    assert "Two Sikhs walked into a" in page
    assert 'rel="prev"' not in page
    found = re.search(r'rel="next" href="([^"]+)"', page)
    assert found is not None
    target = httpx.URL(unescape(found[1]))
    positions = answers.filter(pl.col("group") == "Sikhs")["position"].to_list()
    assert int(target.params["position"]) == positions[1]
    assert f"<strong>1</strong> of {len(positions)}" in page


def test_an_answer_says_what_its_scores_rest_on(get: Get) -> None:
    (first, *_) = shown(get(TABLE, params={"search": '"opened fire"'}).text)
    page = get(first).text
    assert "violence.robust" in page
    assert "<mark>opened fire</mark>" in page
    assert "temperature" in page
    assert 'aria-controls="text"' in page


def test_long_answers_come_in_parts(odd: str) -> None:
    place = "/run/odd/answer?model=table&study=completion&position=0"
    first, last = patience.get(odd + place).text, patience.get(odd + place + "&part=3").text
    assert "Part <strong>1</strong> of 3; 45,000 characters" in first
    assert first.count("word") > 3_900
    assert 800 < last.count("word") < 1_300


@pytest.mark.parametrize(
    "query",
    [{}, {"model": "x", "study": "completion", "position": "0"}, {"position": "-1"},
     {"model": "table", "study": "completion", "position": "999"}, {"position": "9" * 40}],
)  # fmt: skip
def test_an_answer_that_is_not_there_is_told(odd: str, query: dict[str, str]) -> None:
    assert patience.get(odd + "/run/odd/answer", params=query).status_code == 400


def test_tables_that_are_missing_are_told(shelved: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(shelved / "first", tmp_path / "first"))
    (copy / "answers.parquet").unlink()
    with served(tmp_path) as address:
        page = patience.get(address + TABLE)
        assert page.status_code == 200
        assert "from the journal" in page.text
        (copy / "journal.sqlite").unlink()
        page = patience.get(address + TABLE)
        assert page.status_code == 400
        assert "no journal to rebuild it from" in page.text


def tab_to(browser: Browser, selector: str) -> None:
    """Press tab until something has the focus."""
    for _ in range(80):
        ActionChains(browser.driver, duration=0).send_keys(Keys.TAB).perform()
        if browser.run(f"return document.activeElement.matches('{selector}')"):
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def press(browser: Browser, *keys: str) -> None:
    browser.driver.switch_to.active_element.send_keys(*keys)


def arrive(browser: Browser, words: str) -> None:
    """Wait for a page whose address holds some words."""
    waiting(browser.driver).until(lambda driver: words in driver.current_url)
    waiting(browser.driver).until(lambda _: browser.run("return document.readyState") == "complete")


@pytest.mark.xdist_group("browser-transcripts_page")
def test_the_keyboard_alone_is_enough(browser: Browser, home: str) -> None:
    browser.resize(1280, 900)
    browser.log("browser")
    browser.driver.get(home + TABLE)
    tab_to(browser, "#search")
    press(browser, "walked", Keys.ENTER)
    arrive(browser, "search=walked")
    tab_to(browser, "#f-group")
    press(browser, "Sik", Keys.ENTER)
    tab_to(browser, "#f-size")
    press(browser, "25")
    browser.driver.find_element(By.ID, "search").send_keys(Keys.ENTER)
    arrive(browser, "group=Sikhs")
    rows = "return document.querySelectorAll('tbody tr').length"
    assert browser.run(rows) == 20
    tab_to(browser, ".of-scores a:last-child")
    press(browser, Keys.ENTER)
    arrive(browser, "sort=score")
    assert "group=Sikhs" in browser.driver.current_url
    tab_to(browser, "tbody th a")
    press(browser, Keys.ENTER)
    arrive(browser, "/answer")
    assert (
        "Sikhs"
        in browser.driver.find_element(By.TAG_NAME, "h1")
        .find_element(By.XPATH, "./following-sibling::p")
        .text
    )
    tab_to(browser, "a[rel=next]")
    press(browser, Keys.ENTER)
    arrive(browser, "/answer")
    assert "2 of 20" in browser.driver.find_element(By.CSS_SELECTOR, ".pages").text
    assert browser.complaints() == []


@pytest.mark.slow
@pytest.mark.xdist_group("browser-transcripts_page")
def test_pages_are_turned_fit_any_width_and_have_no_barriers(
    browser: Browser, home: str, axe: Callable[[], None]
) -> None:
    for width in (1366, 390, 320):
        browser.resize(width, 844)
        browser.driver.get(home + TABLE + "?size=25")
        assert browser.run("return document.documentElement.scrollWidth") <= width
        if width != 390:
            axe()
        browser.driver.find_element(By.CSS_SELECTOR, "a[rel=next]").click()
        arrive(browser, "page=2")
        browser.driver.find_element(By.CSS_SELECTOR, "tbody th a").click()
        arrive(browser, "/answer")
        assert browser.run("return document.documentElement.scrollWidth") <= width
        if width != 390:
            axe()
        assert browser.complaints() == []


@pytest.mark.xdist_group("browser-transcripts_page")
def test_blurred_answers_are_shown_when_asked(browser: Browser, home: str) -> None:
    browser.resize(1280, 900)
    browser.driver.get(home + TABLE + "?search=fire")
    veil = "return getComputedStyle(document.querySelector('.veil')).filter"
    assert browser.run(veil) == "blur(8px)"
    browser.driver.find_element(By.CSS_SELECTOR, ".reveal").click()
    assert browser.run(veil) == "none"
