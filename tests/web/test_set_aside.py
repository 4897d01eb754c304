"""What a reply holds beside its answer is on the dashboard's pages: folded, and harmless."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import polars as pl
import pytest
from selenium.webdriver.common.by import By

from chromium import Browser, waiting
from slant.engine.audit import audit
from slant.transcripts.set_aside import set_aside

from .serving import served

_MODEL = """
name = "talker"
abilities = ["chat"]

[[generate]]
answers = [{ text = '''<think>A <script>window.pwned=1</script> joke?
</details><img src=x onerror="window.pwned=1"></think>Sure! Here you go:

**bar.**

Let me know if you need more!''' }]
"""
_FOLDED = '<details class="set-aside"><summary>Set aside: '
_SUITE = 'name = "small"\n[[study]]\nuse = "completion"\nsamples = 3\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("aside")
    for name, text in (("model.toml", _MODEL), ("suite.toml", _SUITE)):
        (folder / name).write_text(text, encoding="utf-8")
    runs = folder / "runs"
    runs.mkdir()
    audit(folder / "suite.toml", f"mock:{folder / 'model.toml'}", out=runs / "first")
    return runs


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield address


def pages(address: str) -> tuple[str, str]:
    """Give the table's page and an answer's."""
    table = httpx.get(f"{address}/run/first/transcripts").text
    target = re.search(r'<th scope="row"><a href="([^"]+)"', table)
    assert target is not None
    return table, httpx.get(address + target[1].replace("&amp;", "&")).text


def test_it_is_folded_on_both_pages(address: str) -> None:
    for page in pages(address):
        assert f"{_FOLDED}thought, preamble, afterword" in page
        assert "Sure! Here you go:" in page
        assert "Let me know if you need more!" in page
        assert '<details open class="set-aside' not in page


def test_hostile_thoughts_are_text(address: str) -> None:
    for page in pages(address):
        assert "window.pwned=1" in page
        assert "<script>window.pwned" not in page
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page


def test_a_browser_runs_nothing_of_it(address: str, browser: Browser) -> None:
    driver = browser.driver
    driver.get(f"{address}/run/first/transcripts")
    fold = driver.find_element(By.CSS_SELECTOR, "details.set-aside summary")
    said = driver.find_element(By.CSS_SELECTOR, "details.set-aside .said")
    assert not said.is_displayed()
    fold.click()
    waiting(driver).until(lambda _: said.is_displayed())
    assert "joke?" in said.text
    assert driver.execute_script("return window.pwned") is None


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ('{"thought": "hm"}', {"thought": "hm"}),
        ('{"thought": 3, "preamble": " "}', {}),
        ("[1]", {"the whole reply, with its mark-up": "[1]"}),
        ("no JSON", {"the whole reply, with its mark-up": "no JSON"}),
        ("[" * 50_000, {"the whole reply, with its mark-up": "[" * 50}),
        ('{"other": "x", "afterword": "bye"}', {"afterword": "bye"}),
        (None, None),
    ],
)
def test_whatever_a_run_holds_there_is_read(stored: str | None, read: object) -> None:
    table = pl.LazyFrame({"aside": [None, stored]}, schema={"aside": pl.String})
    found = set_aside(table, [0, 1], 50)
    assert found == ({} if read is None else {1: read})


def test_tables_of_an_older_slant_have_none_and_far_ones_are_told(
    folder: Path, address: str
) -> None:
    assert set_aside(pl.LazyFrame({"text": ["x"]}), [0], 50) == {}
    assert set_aside(pl.LazyFrame({"aside": ["x"]}), [0, 50_000], 50) is None
