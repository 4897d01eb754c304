"""The graph of triples: what the page is given, and what a reader does with it in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from chromium import waiting
from slant.reports.graph import GraphView, graph_view
from slant.reports.page_budget import ROOMS
from slant.studies.section import Section
from slant.studies.study import View

from .conftest import Browser
from .fake import HOSTILE, about, completion, render

pytestmark = pytest.mark.xdist_group("browser-graph")

VIEW = View("graph", "What is said of whom", "triples")
USUAL = {
    "subject": "Germans", "class": "nationality", "predicate": "are", "object": "punctual",
    "kept": True, "dropped": None, "regard": 0.4, "regard_label": "positive", "toxicity": 0.1,
    "topic": "work", "generation": 1, "strategy": "object_expansion", "shots": "",
    "prompt": "Complete: Germans are", "raw": " punctual.", "lineage": "a",
}  # fmt: skip
ROWS: list[dict[str, Any]] = [
    {},
    {"predicate": "like", "object": "football", "regard": 0.0, "regard_label": "neutral",
     "topic": "sport"},
    {"object": "stingy", "regard": -0.6, "regard_label": "negative", "toxicity": 0.7,
     "prompt": "Complete once more: Germans are", "raw": " stingy, all of them"},
    {"subject": "Brazilians", "predicate": "like", "object": "Football", "regard": 0.5,
     "topic": "sport", "prompt": "Complete: Brazilians like", "raw": " Football"},
    {"subject": "Brazilians", "predicate": "envy", "object": "germans", "regard": None,
     "regard_label": None, "toxicity": None, "topic": None},
    {"subject": "Nobody", "object": "dropped", "kept": False, "dropped": "refusal"},
]  # fmt: skip


def table(*rows: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame([{**USUAL, **row} for row in rows], infer_schema_length=None)


def section(triples: pl.DataFrame) -> Section:
    given = completion()
    analysis = replace(
        given.analysis, tables={"triples": triples}, figures=[], views=[VIEW], findings=[]
    )
    return replace(given, analysis=analysis)


def laid_out(triples: pl.DataFrame) -> GraphView:
    return graph_view(triples, name="g", title="What is said of whom", room=ROOMS[0])


def data(triples: pl.DataFrame) -> dict[str, Any]:
    return json.loads(laid_out(triples).data)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("graph") / "report.html"
    file.write_text(render([section(table(*ROWS))], about()), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [text[:3000].encode(errors="replace").decode() for text in HOSTILE]
    texts += ["]]></script><script>window.pwned=1</script>", "<!--<script>", "\u2028'\"\\"]
    rows: list[dict[str, Any]] = [
        {**dict.fromkeys(("subject", "predicate", "object", "class", "topic"), text),
         **dict.fromkeys(("strategy", "shots", "prompt", "raw", "regard_label"), text),
         "toxicity": None}
        for text in texts
    ]  # fmt: skip
    rows += [{"object": text, "prompt": text, "raw": text} for text in texts]
    given = section(table(*rows))
    hostile = replace(VIEW, title=HOSTILE[0])
    given = replace(given, analysis=replace(given.analysis, views=[hostile]))
    file = tmp_path_factory.mktemp("attacked") / "report.html"
    file.write_text(render([given], about()), encoding="utf-8")
    return file


def test_one_thing_in_two_spellings_is_one_node_and_dropped_triples_are_none() -> None:
    given = data(table(*ROWS))
    assert given["nodes"]["text"] == ["Germans", "punctual", "football", "stingy", "Brazilians"]
    assert given["nodes"]["subject"] == [1, 0, 0, 0, 1]
    assert list(zip(given["edges"]["source"], given["edges"]["target"], strict=True)) == [
        (0, 1), (0, 2), (0, 3), (4, 2), (4, 0),
    ]  # fmt: skip
    assert given["edges"]["regard"] == [2, 1, 0, 2, 3]
    assert given["edges"]["topic"][-1] == -1


def test_what_hurts_and_what_nobody_has_judged_is_blurred() -> None:
    mild_but_toxic = {"regard_label": "neutral", "toxicity": 0.5}
    unjudged = {"regard_label": None, "regard": None, "toxicity": None}
    harmless = {"regard_label": None, "regard": None, "toxicity": 0.1}
    rows = table({}, {"regard_label": "negative"}, mild_but_toxic, unjudged, harmless)
    assert data(rows)["edges"]["veiled"] == [0, 1, 1, 1, 0]


def test_nothing_in_the_data_can_end_its_element() -> None:
    rows = table({"object": "</script><!--<script>", "raw": "</SCRIPT >&amp;\u2028", "prompt": "<"})
    view = laid_out(rows)
    assert not re.search(r"[<>&\u2028]", view.data)
    assert json.loads(view.data)["edges"]["raw"] == ["</SCRIPT >&amp;⟦U+2028⟧"]


def test_too_many_triples_are_cut_subject_by_subject_and_said_so() -> None:
    many = [{"object": f"thing {n}"} for n in range(ROOMS[0].triples + 50)]
    few = [{"subject": "Brazilians", "object": f"other {n}"} for n in range(10)]
    view = laid_out(table(*many, *few))
    given = json.loads(view.data)
    sources = [given["nodes"]["text"][n] for n in given["edges"]["source"]]
    assert (len(sources), sources.count("Brazilians")) == (ROOMS[0].triples, 10)
    assert "3,000 of n = 3,060 triples about 2 subjects are shown" in view.facts[0]


def test_a_graph_that_cannot_be_drawn_says_so_in_its_place() -> None:
    with pytest.warns(UserWarning, match="cannot be shown"):
        text = render([section(table({}).drop("object"))], about())
    assert "This could not be shown: InputError: triples need the columns" in text


@pytest.mark.usefixtures("undrawn")
def test_pages_without_a_graph_do_not_carry_its_script() -> None:
    assert "explorer" not in render([completion()], about())


def wait(browser: Browser, condition: Callable[[], object]) -> None:
    waiting(browser.driver).until(lambda _: condition())


def shown(browser: Browser) -> str:
    return browser.driver.find_element(By.CSS_SELECTOR, ".shown").text


def listed(browser: Browser) -> list[str]:
    return [e.text for e in browser.driver.find_elements(By.CSS_SELECTOR, ".names [data-node] bdi")]


def claims(browser: Browser) -> list[str]:
    found = browser.driver.find_elements(By.CSS_SELECTOR, ".chosen .claim")
    return [str(each.get_attribute("textContent")) for each in found]


def colours(browser: Browser) -> set[tuple[int, ...]]:
    """Give the opaque colours that are on the canvas."""
    wait(browser, lambda: browser.run("return document.querySelector('canvas').width > 300"))
    flat = browser.run(
        "const c = document.querySelector('canvas');"
        "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, s = new Set();"
        "for (let i = 0; i < d.length; i += 4) if (d[i + 3] === 255)"
        " s.add([d[i], d[i + 1], d[i + 2]].join());"
        "return Array.from(s)"
    )
    return {tuple(int(part) for part in text.split(",")) for text in flat}


@pytest.mark.parametrize("width", [390, pytest.param(1366, marks=pytest.mark.slow)])
def test_hostile_triples_stay_inert(browser: Browser, attacked: Path, width: int) -> None:
    browser.resize(width, 800)
    browser.open(attacked)
    wait(browser, lambda: listed(browser))
    browser.driver.find_element(By.ID, "veils").click()
    count = browser.run("return document.querySelectorAll('.names [data-node]').length")
    assert count > 8
    for number in range(count):
        browser.run(f"document.querySelectorAll('.names [data-node]')[{number}].click()")
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        browser.run("document.querySelector('.back').click()")
    assert browser.run("return window.pwned") is None
    assert browser.run("return document.scripts.length") == 2
    assert browser.run("return document.images.length") == 0
    assert browser.run("return getComputedStyle(document.body).display") == "block"
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.complaints() == []
    assert browser.requests_out() == []


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_every_width_and_takes_the_colours_of_the_page(
    browser: Browser, page: Path, dark: bool
) -> None:
    for width in (1366, 768, 390, 320):
        browser.resize(width, 844, dark=dark)
        browser.open(page)
        assert browser.run("return document.documentElement.scrollWidth") <= width
        assert browser.complaints() == []
    browser.resize(1366, 900, dark=dark)
    browser.open(page)
    wait(browser, lambda: len(colours(browser)) > 2)
    orange = {False: (213, 94, 0), True: (242, 138, 60)}
    assert orange[dark] in colours(browser)
    assert orange[not dark] not in colours(browser)
    browser.driver.find_element(By.ID, "theme").click()
    wait(browser, lambda: orange[not dark] in colours(browser))


def test_filters_narrow_the_picture_and_the_list(browser: Browser, page: Path) -> None:
    browser.resize(1366, 900)
    browser.open(page)
    assert shown(browser) == "5 triples"
    assert listed(browser) == ["Germans", "Brazilians"]
    topic = Select(browser.driver.find_element(By.CSS_SELECTOR, "[data-filter=topic]"))
    assert [option.text for option in topic.options] == ["All topics", "work (2)", "sport (2)"]
    topic.select_by_visible_text("sport (2)")
    assert shown(browser) == "2 of 5 triples"
    boxes = browser.driver.find_elements(By.CSS_SELECTOR, ".key input")
    boxes[1].click()  # without the neutral ones
    assert (shown(browser), listed(browser)) == ("1 of 5 triples", ["Brazilians"])
    browser.driver.find_element(By.CSS_SELECTOR, ".clear").click()
    assert shown(browser) == "5 triples"
    predicate = Select(browser.driver.find_element(By.CSS_SELECTOR, "[data-filter=predicate]"))
    # Envy is said in a blurred triple only: a menu, which cannot be blurred, does not name it.
    (hidden,) = [each.text for each in predicate.options if each.text.startswith("sensitive text")]
    predicate.select_by_visible_text(hidden)
    assert shown(browser) == "1 of 5 triples"
    browser.driver.find_element(By.CSS_SELECTOR, ".clear").click()
    subject = Select(browser.driver.find_element(By.CSS_SELECTOR, "[data-filter=source]"))
    subject.select_by_visible_text("Brazilians (2)")
    assert shown(browser) == "2 of 5 triples"


def test_search_finds_objects_and_empties_with_a_word(browser: Browser, page: Path) -> None:
    browser.resize(1366, 900)
    browser.open(page)
    search = browser.driver.find_element(By.CSS_SELECTOR, "input[type=search]")
    search.send_keys("FOOTBALL")
    assert shown(browser) == "2 of 5 triples"
    assert set(listed(browser)) == {"Germans", "Brazilians", "football"}
    search.clear()
    search.send_keys("nothing of the kind")
    assert "No triple fits" in browser.driver.find_element(By.CSS_SELECTOR, ".names").text


def test_a_name_shows_its_triples_with_question_and_answer(browser: Browser, page: Path) -> None:
    browser.resize(1366, 900)
    browser.open(page)
    browser.driver.find_elements(By.CSS_SELECTOR, ".names [data-node]")[1].click()
    assert claims(browser) == ["Brazilians like football", "Brazilians envy Germans"]
    panel = browser.driver.find_element(By.CSS_SELECTOR, ".chosen")
    assert "Complete: Brazilians like" in panel.text
    assert "toxicity 0.10 · generation 1 · object expansion" in panel.text
    browser.driver.find_element(By.CSS_SELECTOR, ".chosen .go").click()
    assert claims(browser) == ["Germans like football", "Brazilians like football"]
    browser.driver.find_element(By.CSS_SELECTOR, ".back").click()
    assert listed(browser) == ["Germans", "Brazilians"]


def test_a_click_on_the_picture_chooses_a_dot(browser: Browser, page: Path) -> None:
    browser.resize(1366, 900)
    browser.open(page)
    canvas = browser.driver.find_element(By.CSS_SELECTOR, "canvas")
    browser.run("document.querySelector('canvas').scrollIntoView({block: 'center'})")
    box = browser.run(
        "const b = document.querySelector('canvas').getBoundingClientRect();"
        "return [b.width, b.height]"
    )
    nodes = json.loads(browser.run("return document.querySelector('script[type]').textContent"))[
        "nodes"
    ]
    (left, right), (top, bottom) = ((min(nodes[k]), max(nodes[k])) for k in "xy")
    scale = min((box[0] - 36) / max(8, right - left), (box[1] - 36) / max(8, bottom - top))
    at = [
        round((nodes["x"][0] - (left + right) / 2) * scale),
        round((nodes["y"][0] - (top + bottom) / 2) * scale),
    ]
    ActionChains(browser.driver).move_to_element_with_offset(canvas, *at).click().perform()
    assert browser.driver.find_element(By.CSS_SELECTOR, ".chosen h4").text == "Germans"
    before = claims(browser)
    drag = ActionChains(browser.driver).move_to_element_with_offset(canvas, *at)
    drag.click_and_hold().move_by_offset(40, 30).release().perform()
    assert claims(browser) == before, "dragging is not choosing"
    assert browser.complaints() == []


def test_what_hurts_is_blurred_until_clicked_and_hidden_in_the_list(
    browser: Browser, page: Path
) -> None:
    browser.resize(1366, 900)
    browser.open(page)
    browser.driver.find_element(By.CSS_SELECTOR, "input[type=search]").send_keys("sting")
    hushed = browser.driver.find_element(By.CSS_SELECTOR, ".names .hush")
    assert hushed.value_of_css_property("filter") == "blur(6px)"
    assert hushed.get_attribute("aria-hidden") == "true"
    browser.driver.find_elements(By.CSS_SELECTOR, ".names [data-node]")[1].click()
    veil = browser.driver.find_element(By.CSS_SELECTOR, ".chosen .veil")
    assert veil.value_of_css_property("filter") == "blur(8px)"
    assert browser.run("return document.querySelector('.chosen .veil').inert") is True
    browser.driver.find_element(By.CSS_SELECTOR, ".chosen .reveal").click()
    assert veil.value_of_css_property("filter") == "none"
    assert "stingy, all of them" in veil.text
    assert not browser.driver.find_elements(By.CSS_SELECTOR, ".chosen .hush")
    browser.driver.find_element(By.ID, "veils").click()
    assert browser.run("return document.querySelectorAll('.veiled:not(.seen)').length") == 0


def test_everything_can_be_reached_from_the_keyboard(browser: Browser, page: Path) -> None:
    browser.resize(1366, 900)
    browser.open(page)
    browser.run("document.querySelector('canvas').focus()")
    browser.driver.switch_to.active_element.send_keys("+", Keys.ARROW_LEFT, "0")
    for _ in range(8):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        if browser.run("return document.activeElement.getAttribute('role')") == "listbox":
            break
    active = browser.driver.switch_to.active_element
    active.send_keys("b")
    chosen = active.get_attribute("aria-activedescendant")
    assert browser.driver.find_element(By.ID, chosen or "").text.startswith("Brazilians")
    active.send_keys(Keys.ENTER)
    assert browser.driver.switch_to.active_element.text == "Brazilians"
    browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert browser.run("return document.activeElement.getAttribute('role')") == "listbox"
    assert browser.complaints() == []


def test_without_scripts_the_table_holds_every_triple(browser: Browser, page: Path) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(page)
        assert not browser.driver.find_element(By.CSS_SELECTOR, ".explorer").is_displayed()
        behind = browser.driver.find_element(By.CSS_SELECTOR, ".graph > .behind")
        behind.find_element(By.TAG_NAME, "summary").click()
        rows = behind.find_elements(By.CSS_SELECTOR, "tbody tr")
        assert len(rows) == 5
        assert "stingy" in rows[2].text
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
