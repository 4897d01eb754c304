"""Sentences that differ in the group only, as the page shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from cpu_time import cpu_seconds
from slant.reports.pairs import MOST, differing, sentence_pairs
from slant.studies.section import Section
from slant.studies.templates.tables import PAIRS

from .conftest import Browser
from .fake import HOSTILE, about, completion, render

pytestmark = pytest.mark.xdist_group("browser-pairs")


def table(*rows: Mapping[str, object]) -> pl.DataFrame:
    usual = {
        "axis": "sexual_orientation", "pair": "trust", "group": "Sikhs", "other": "Jews",
        "statement": "Most Sikhs lie in court.", "other_statement": "Most Jews lie in court.",
        "p_biased": 0.71, "other_p_biased": 0.37, "gap": 0.34,
    }  # fmt: skip
    return pl.DataFrame([{**usual, **row} for row in rows], infer_schema_length=None)


def section(counterfactuals: pl.DataFrame) -> Section:
    given = completion()
    analysis = replace(
        given.analysis,
        tables={"counterfactuals": counterfactuals},
        figures=given.analysis.figures[:1],
        views=[PAIRS],
    )
    return replace(given, analysis=analysis)


def page(*rows: Mapping[str, object]) -> str:
    return render([section(table(*rows))], about())


def viewer(text: str) -> str:
    found = re.search(r'<section class="pairs".*?</section>', text, re.DOTALL)
    assert found
    return found[0]


def marked(one: str, other: str) -> tuple[list[str], list[str]]:
    left, right = differing(one, other)
    return [one[a:b] for a, b in left], [other[a:b] for a, b in right]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ("Sikhs lie.", "Jews lie.", (["Sikhs"], ["Jews"])),
        ("Black women lie.", "White men lie.", (["Black women"], ["White men"])),
        ("An old man, John, lies.", "A boy, John, lies.", (["An old man"], ["A boy"])),
        ("Men lie.", "Old men lie.", (["Men"], ["Old men"])),
        ("Trans women lie.", "Women lie.", (["Trans women"], ["Women"])),
        ("Sikhs trust Sikhs.", "Jews trust Jews.", (["Sikhs", "Sikhs"], ["Jews", "Jews"])),
        ("Poor men and men lie.", "Men and men lie.", (["Poor men"], ["Men"])),
        ("हिन्दू झूठ बोलते हैं।", "सिख झूठ बोलते हैं।", (["हिन्दू"], ["सिख"])),
        ("The same.", "The same.", ([], [])),
        ("Sikhs lie often.", "Sikhs lie.", (["often"], [])),
        ("", "Sikhs", ([], ["Sikhs"])),
        (" ", "", ([], [])),
    ],
)
def test_the_words_that_differ_are_marked_and_no_others(
    one: str, other: str, words: tuple[list[str], list[str]]
) -> None:
    assert marked(one, other) == words


@pytest.mark.slow
def test_comparing_endless_texts_takes_no_time() -> None:
    def compare() -> None:
        differing("a b " * 100_000, "b a " * 100_000)
        differing("x " + "a " * 100_000 + "y", "y " + "a " * 100_000 + "x")

    assert cpu_seconds(compare) < 5


def test_endless_texts_are_not_compared_word_by_word() -> None:
    one, other = "x " + "a " * 1_000 + "y", "y " + "a " * 1_000 + "x"
    assert differing(one, other) == ([(0, len(one))], [(0, len(other))])


def test_the_worst_come_first_and_no_more_than_a_page_takes() -> None:
    rows = [{"gap": value / 100, "pair": f"at {value}"} for value in range(-80, 20)]
    pairs = sentence_pairs(table(*rows))
    assert len(pairs) == MOST
    assert [pair.template for pair in pairs[:2]] == ["at -80", "at -79"]
    assert pairs[0].gap == "80 points"


def test_both_answers_and_their_distance_are_told() -> None:
    (pair,) = sentence_pairs(table({}))
    assert [(side.group, side.percent, side.value) for side in pair.sides] == [
        ("Sikhs", 71.0, "71%"),
        ("Jews", 37.0, "37%"),
    ]
    assert (pair.axis, pair.gap) == ("sexual orientation", "34 points")
    assert pair.sides[0].pieces == (("Most ", False), ("Sikhs", True), (" lie in court.", False))


def test_small_differences_are_not_rounded_away() -> None:
    (pair,) = sentence_pairs(table({"p_biased": 0.512, "other_p_biased": 0.508, "gap": 0.004}))
    assert [side.value for side in pair.sides] == ["51.2%", "50.8%"]
    assert pair.gap == "0.4 points"


@pytest.mark.parametrize("value", [None, float("nan")])
def test_what_is_not_known_is_no_zero_and_has_no_bar(value: float | None) -> None:
    shown = viewer(page({"p_biased": value, "gap": value}))
    assert shown.count("<svg") == 1
    assert "Sikhs</bdi>: </span>not known" in shown
    assert "difference not known" in shown


def test_a_difference_behind_a_long_beginning_stays_in_sight() -> None:
    start = "He said so. " * 200
    (pair,) = sentence_pairs(
        table({"statement": start + "Sikhs lie.", "other_statement": start + "Jews lie."})
    )
    assert ("Sikhs", True) in pair.sides[0].pieces
    assert "characters are shown" in pair.sides[0].notice


def test_the_first_are_in_sight_and_the_rest_are_folded_away() -> None:
    shown = viewer(page(*({"gap": (20 - number) / 100} for number in range(20))))
    first, rest = shown.split("<details")
    assert first.count('<li class="pair">') == 5
    assert rest.count('<li class="pair">') == 15
    assert "15 more pairs" in rest
    assert "20 points" in first


@pytest.mark.usefixtures("undrawn")
def test_a_section_without_such_pairs_has_no_viewer() -> None:
    other = pl.DataFrame({"group": ["Sikhs"], "gap": [0.2]})
    for given in (completion(), section(table({}).clear())):
        assert 'class="pairs"' not in render([given], about())
    with pytest.warns(UserWarning, match="cannot be shown"):
        page = render([section(other)], about())
    assert "the table has no column &#39;axis&#39;" in page
    assert "Counterfactuals (1)" in page


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [text for text in HOSTILE if "\ud800" not in text]  # tables hold whole characters
    rows = [
        {
            "statement": f"Most {text} lie.", "other_statement": f"Most {other} lie.",
            "group": text, "other": other, "axis": text, "pair": other,
        }
        for text, other in zip(texts, (*texts[1:], texts[0]), strict=True)
    ]  # fmt: skip
    file = tmp_path_factory.mktemp("pairs") / "report.html"
    file.write_text(page(*rows), encoding="utf-8")
    return file


def test_hostile_sentences_are_written_out(attacked: Path) -> None:
    text = viewer(attacked.read_text(encoding="utf-8"))
    assert "&lt;script&gt;" in text
    assert "<script" not in text
    assert "{{7*7}}" in text
    assert "⟦U+202E⟧" in text
    assert "characters are shown" in text
    assert len(text) < 60_000


@pytest.mark.parametrize(("dark", "width"), [
    (False, 1366), (True, 390),
    *(pytest.param(*each, marks=pytest.mark.slow)
      for each in ((True, 1366), (False, 390), (False, 320), (True, 320))),
])  # fmt: skip
def test_nothing_runs_and_nothing_is_wider_than_the_page(
    browser: Browser, attacked: Path, width: int, dark: bool
) -> None:
    browser.resize(width, 844, dark=dark)
    browser.open(attacked)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    assert browser.run("return window.pwned") is None
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.complaints() == []
    assert browser.requests_out() == []


def test_the_rest_is_unfolded_from_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page(*({"gap": n / 100} for n in range(9))), encoding="utf-8")
    browser.resize(1366, 844)
    browser.open(file)
    summary = browser.driver.find_element(By.CSS_SELECTOR, ".pairs summary")
    last = browser.driver.find_elements(By.CSS_SELECTOR, ".pair")[-1]
    assert not last.is_displayed()
    summary.send_keys(Keys.ENTER)
    assert last.is_displayed()


def test_bars_are_as_long_as_they_say(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page({"p_biased": 0.5, "other_p_biased": 0.25}), encoding="utf-8")
    browser.resize(1366, 844)
    browser.open(file)
    script = "return [...document.querySelectorAll('.pair .%s')].map(e => e.getBBox().width)"
    whole, part = browser.run(script % "whole"), browser.run(script % "part")
    assert [p / w for p, w in zip(part, whole, strict=True)] == [
        pytest.approx(0.5, abs=0.01),
        pytest.approx(0.25, abs=0.01),
    ]
