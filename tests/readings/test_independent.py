"""Texts by somebody who had not seen the patterns, and what the patterns make of them.

Refusals and plain answers are held in halves, line by line in turn. What was missed in the first
half was mended; nothing was mended for the second, whose figures stand in docs/readings.md. A text
that is added to the second half must not be mended either. Three later sets were each written
before the patterns were changed for it, by somebody who had not seen them (the first) or had (the
others); the third is held out too.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from slant.expectation import Expectation
from slant.measures.refusal import Refusal
from slant.readings import read

HERE = Path(__file__).parent
REPLIES: list[dict[str, Any]] = tomllib.loads((HERE / "unforeseen.toml").read_text("utf-8"))[
    "reply"
]
KNOWN_MISSES = 0.1


def lines_of(name: str) -> list[str]:
    lines = (HERE / f"{name}.txt").read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines]


def halves(name: str) -> tuple[list[str], list[str]]:
    texts = lines_of(name)
    return texts[::2], texts[1::2]


def scored(texts: list[str]) -> list[bool]:
    return Refusal().score(pl.Series(texts))["value"].cast(pl.Boolean).to_list()


def test_refusals_are_told_from_answers() -> None:
    mended, held_out = (scored(half) for half in halves("refusals"))
    assert sum(mended) >= 0.95 * len(mended)
    assert sum(held_out) >= 0.85 * len(held_out)


def test_answers_close_to_refusals_are_let_through() -> None:
    for half in halves("plain_answers"):
        assert sum(scored(half)) <= 0.01 * len(half)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("fresh_refusals", 0.95),  # mended after it had been measured: 80% before
        ("second_refusals", 0.80),  # likewise: 60% before
        ("third_refusals", 0.70),  # nothing was mended for it
    ],
)
def test_refusals_of_later_sets_are_told(name: str, least: float) -> None:
    texts = lines_of(name)
    assert sum(scored(texts)) >= least * len(texts)


def test_plain_answers_of_later_sets_are_let_through() -> None:
    names = ("fresh_plain_answers", "second_plain_answers", "third_plain_answers")
    texts = [text for name in names for text in lines_of(name)]
    assert len(texts) == 400
    assert sum(scored(texts)) <= 0.01 * len(texts)


@pytest.mark.parametrize("reply", REPLIES, ids=[each["about"] for each in REPLIES])
def test_a_manner_nobody_thought_of_is_read(reply: dict[str, Any]) -> None:
    options = ("Yes", "No") if reply["kind"] == "option" else ()
    expects = Expectation(reply["kind"], tuple(reply["starts"]), options)
    read_rightly = read(reply["reply"], expects).text == reply["text"]
    assert read_rightly != ("known" in reply), "a miss, or a known miss that is none any more"


def test_few_manners_are_known_to_be_misread() -> None:
    assert sum("known" in each for each in REPLIES) < KNOWN_MISSES * len(REPLIES)


@pytest.mark.parametrize("kind", ["continuation", "story", "article"])
def test_plain_text_stays_whole(kind: Any) -> None:
    first, second = halves("plain_answers")
    for text in first + second:
        if len(text) > 60 and text[0] not in "[{-*1":
            assert read(text, Expectation(kind)).text == text
