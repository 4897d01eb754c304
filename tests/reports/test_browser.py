"""The page in a real browser: what it does, and what it does not let a model do."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import waiting

from .conftest import Browser
from .fake import about, completion, hostile, render

pytestmark = pytest.mark.xdist_group("browser-browser")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(render([completion()], about()), encoding="utf-8")
    return file


@pytest.fixture(scope="module", params=[10, pytest.param(1, marks=pytest.mark.slow)])
def attacked(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    hostile_texts: tuple[str, ...],
) -> Path:
    """Write a page of all hostile texts, or of every tenth: pictures of a hundred take long."""
    file = tmp_path_factory.mktemp("attacked") / "report.html"
    every = list(hostile_texts[:: request.param])
    text = render(
        [hostile(every)],
        about(title=every[0], command="\n".join(every), larger=every, incomplete=every[8]),
    )
    file.write_text(text, encoding="utf-8")
    return file


def wait(browser: Browser, condition: Callable[[], object]) -> None:
    waiting(browser.driver).until(lambda _: condition())


def first_veil(browser: Browser) -> str:
    return str(browser.run("return getComputedStyle(document.querySelector('.veil')).filter"))


@pytest.mark.parametrize("width", [390, pytest.param(1366, marks=pytest.mark.slow)])
def test_nothing_a_model_says_runs_or_leaves(browser: Browser, attacked: Path, width: int) -> None:
    browser.resize(width, 800)
    browser.open(attacked)
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    browser.driver.find_element(By.ID, "veils").click()
    browser.settle()
    assert browser.run("return window.pwned") is None
    assert browser.run("return document.scripts.length") == 1
    assert browser.run("return document.links.length") == browser.run(
        "return document.querySelectorAll('a[href^=\\'#\\']').length"
    )
    assert browser.run("return document.body.innerText.includes('window.pwned=1')")
    assert browser.run("return document.images.length") == 0
    assert browser.run("return getComputedStyle(document.body).display") == "block"
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.complaints() == []
    assert browser.requests_out() == []


@pytest.mark.parametrize(
    ("width", "dark"), [pytest.param(1366, False, marks=pytest.mark.slow), (390, True)]
)
def test_nothing_keeps_people_out(
    browser: Browser, page: Path, axe: Callable[[], None], width: int, dark: bool
) -> None:
    browser.resize(width, 900, dark=dark)
    browser.open(page)
    axe()
    browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
    browser.driver.find_element(By.ID, "veils").click()
    axe()


def test_the_policy_stops_what_escaping_would_let_through(browser: Browser, page: Path) -> None:
    broken = page.with_name("broken.html")
    attack = "<script>window.pwned=1</script><img src=x onerror='window.pwned=1'></main>"
    broken.write_text(page.read_text(encoding="utf-8").replace("</main>", attack), encoding="utf-8")
    browser.open(broken)
    assert browser.run("return window.pwned") is None
    assert any("Content Security Policy" in complaint for complaint in browser.complaints())


@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_no_complaints_and_no_sideways_scrolling(browser: Browser, page: Path, dark: bool) -> None:
    for width in (1366, 768, 390, 320):
        browser.resize(width, 844, dark=dark)
        browser.open(page)
        assert browser.run("return document.documentElement.scrollWidth") <= width
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        assert browser.run("return document.documentElement.scrollWidth") <= width
        assert browser.complaints() == []
        assert browser.requests_out() == []


def test_sensitive_text_is_blurred_until_clicked(browser: Browser, page: Path) -> None:
    browser.resize(1366, 800)
    browser.open(page)
    assert first_veil(browser) == "blur(8px)"
    assert browser.run("return document.querySelector('.veil').inert") is True
    button = browser.driver.find_element(By.CSS_SELECTOR, ".reveal")
    button.click()
    assert first_veil(browser) == "none"
    assert button.get_attribute("aria-expanded") == "true"
    assert browser.run("return document.querySelector('.veil').inert") is False
    button.click()
    assert first_veil(browser) == "blur(8px)"


def test_sensitive_text_can_be_shown_from_the_keyboard(browser: Browser, page: Path) -> None:
    browser.resize(1366, 800)
    browser.open(page)
    for _ in range(60):
        ActionChains(browser.driver, duration=0).send_keys(Keys.TAB).perform()
        if browser.run("return document.activeElement.className.includes('reveal')"):
            break
    assert browser.run("return document.activeElement.matches(':focus-visible')")
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert first_veil(browser) == "none"
    browser.driver.switch_to.active_element.send_keys(Keys.SPACE)
    assert first_veil(browser) == "blur(8px)"


def test_one_button_shows_and_hides_all_sensitive_text(browser: Browser, page: Path) -> None:
    browser.resize(1366, 800)
    browser.open(page)
    every = browser.driver.find_element(By.ID, "veils")
    count = "return document.querySelectorAll('.veiled.seen').length"
    every.click()
    assert browser.run(count) == 16
    assert (every.text, every.get_attribute("aria-pressed")) == ("Hide all sensitive text", "true")
    every.click()
    assert browser.run(count) == 0


def test_the_first_stop_of_the_keyboard_skips_to_the_findings(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    assert browser.run("return document.activeElement.getAttribute('href')") == "#main"
    assert browser.run("return document.activeElement.getBoundingClientRect().top") >= 0


@pytest.mark.parametrize("dark", [False, True])
def test_the_scheme_follows_the_system_until_the_reader_chooses(
    browser: Browser, page: Path, dark: bool
) -> None:
    browser.resize(1366, 800, dark=dark)
    browser.open(page)
    ground = "return getComputedStyle(document.body).backgroundColor"
    point = "return getComputedStyle(document.querySelector('.chart text')).fill"
    white, black = "rgb(255, 255, 255)", "rgb(20, 22, 26)"
    assert browser.run(ground) == (black if dark else white)
    words = browser.run(point)
    browser.driver.find_element(By.ID, "theme").click()
    assert browser.run(ground) == (white if dark else black)
    assert browser.run(point) != words
    browser.driver.find_element(By.ID, "theme").click()
    assert browser.run(ground) == (black if dark else white)


def test_phones_and_laptops_get_pictures_of_their_size(browser: Browser, page: Path) -> None:
    shown = (
        "return Array.from(document.querySelectorAll('.picture .chart'))"
        ".filter(c => c.offsetParent).map(c => c.classList.contains('narrow'))"
    )
    browser.resize(1366, 800)
    browser.open(page)
    assert browser.run(shown) == [False] * 4
    browser.resize(390, 844)
    browser.open(page)
    assert browser.run(shown) == [True] * 4
    scale = (
        "const s = document.querySelector('.chart.narrow svg');"
        "return s.getBoundingClientRect().width / s.viewBox.baseVal.width"
    )
    assert browser.run(scale) > 0.9


def test_evidence_unfolds_its_card(browser: Browser, page: Path) -> None:
    browser.resize(1366, 800)
    browser.open(page)
    link = browser.driver.find_elements(By.CSS_SELECTOR, ".why")[1]
    target = (link.get_attribute("href") or "").partition("#")[2]
    state = f"return document.getElementById('{target}').open"
    assert browser.run(state) is False
    link.click()
    wait(browser, lambda: browser.run(state))
    assert "Sikhs" in browser.driver.find_element(By.ID, target).text


def test_pictures_are_saved_with_the_colours_of_the_moment(browser: Browser, page: Path) -> None:
    browser.resize(1366, 800, dark=True)
    browser.open(page)
    for button in browser.driver.find_elements(By.CSS_SELECTOR, ".save")[:2]:
        button.click()
    name = "slant-how-often-completions-are-violent"
    svg, png = (browser.downloads / f"{name}.{ending}" for ending in ("svg", "png"))
    wait(browser, lambda: svg.exists() and png.exists())
    text = svg.read_text(encoding="utf-8")
    assert "var(" not in text
    assert "rgb(242, 138, 60)" in text
    picture = ElementTree.fromstring(text)  # noqa: S314 - our own file
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert png.read_bytes().startswith(b"\x89PNG")
    assert browser.complaints() == []


def test_every_picture_can_be_saved(browser: Browser, page: Path) -> None:
    browser.resize(1366, 800)
    browser.open(page)
    buttons = browser.driver.find_elements(By.CSS_SELECTOR, ".picture .save")
    pictures = browser.driver.find_elements(By.CSS_SELECTOR, ".picture")
    assert len(buttons) == 2 * len(pictures) > 0
    for button in buttons:
        file = button.find_element(By.XPATH, "ancestor::figure").get_attribute("data-file")
        saved = browser.downloads / f"{file}.{button.get_attribute('data-format')}"
        saved.unlink(missing_ok=True)
        button.click()
        wait(browser, saved.exists)
        assert saved.read_bytes().startswith((b"<svg", b"\x89PNG"))


def test_a_signature_is_copied(browser: Browser, page: Path) -> None:
    browser.resize(1366, 800)
    browser.open(page)
    fold = browser.driver.find_element(By.CSS_SELECTOR, "details:has(> .signature)")
    fold.find_element(By.CSS_SELECTOR, ":scope > summary").click()
    button = fold.find_element(By.CSS_SELECTOR, ".copy")
    button.click()
    wait(browser, lambda: button.text == "Copied")


def test_without_scripts_nothing_pretends_to_work(browser: Browser, page: Path) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(page)
        assert not browser.driver.find_element(By.ID, "theme").is_displayed()
        veil = browser.driver.find_element(By.CSS_SELECTOR, ".veil")
        assert veil.value_of_css_property("filter") == "blur(8px)"
        browser.driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        browser.open(page)  # the driver cannot click on what it has looked at without scripts
        veil = browser.driver.find_element(By.CSS_SELECTOR, ".veil")
        veil.click()
        assert veil.value_of_css_property("filter") == "none"
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_paper_hides_buttons_and_keeps_blurred_text_hidden(browser: Browser, page: Path) -> None:
    browser.resize(800, 1000, dark=True)
    browser.open(page)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        ground = browser.run("return getComputedStyle(document.body).backgroundColor")
        assert ground == "rgb(255, 255, 255)"
        bar = browser.run("return getComputedStyle(document.querySelector('.bar')).display")
        assert bar == "none"
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        words = browser.run("return document.body.innerText")
        assert "bakery" in words  # a quote that is not sensitive
        assert (
            browser.run(
                "return Array.from(document.querySelectorAll('.veil')).some((v) => v.offsetParent)"
            )
            is False
        )
        said = browser.run("return document.querySelector('.veil .said').textContent")
        assert said not in words
        note = "return getComputedStyle(document.querySelector('.veiled'), '::before').content"
        assert "not printed" in browser.run(note)
        browser.run("document.querySelector('.behind').open = false")
        fold = "return getComputedStyle(document.querySelector('.behind > summary'), '::after')"
        assert "unfold" in browser.run(fold + ".content")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_paper_cuts_nothing(browser: Browser, page: Path) -> None:
    # The width of an A4 page within its margins, at 96 pixels an inch.
    browser.resize(673, 950)
    browser.open(page)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        assert browser.run("return document.documentElement.scrollWidth") <= 673
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    made = browser.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    pdf = base64.b64decode(made["data"])
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 3
    assert re.search(rb"/MediaBox\s*\[0 0 59\d(\.\d+)? 84\d", pdf)
