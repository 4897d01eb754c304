"""Mark-up, however broken, is read in one pass."""

from __future__ import annotations

import pytest

from slant.corpora.elements import elements, without_tags


@pytest.mark.parametrize(
    "text",
    ["<" * 300_000, "<article>" * 35_000, "<article " * 35_000, "<doc><item>" * 30_000,
     "</article>" * 30_000, "<article" + " <" * 100_000 + ">"],
)  # fmt: skip
def test_broken_mark_up_holds_nothing(text: str) -> None:
    assert list(elements(text, ("article", "doc", "item"))) == []
    without_tags(text)


def test_elements_are_found_one_by_one() -> None:
    text = '<DOC id="1"><title>A</title></doc ><item>never closed <doc>B</DOC>'
    assert list(elements(text, ("doc", "item"))) == [
        (' id="1"', "<title>A</title>"),
        ("", "B"),
    ]


def test_tags_become_spaces() -> None:
    assert without_tags("a<b>c</b>d < e") == "a c d < e"
