"""Refusals and plain answers, and replies in manners that the code had not seen.

By the known texts the cues of refusals were weighed (`python -m tests.readings.weigh`); the real
ones are what two small models wrote. The held-out and the fresh texts are never weighed; the blind
ones were written after the weights, by somebody who had seen neither, and measured once.
docs/readings.md has the figures.
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


def refusals_in(name: str) -> int:
    return int(Refusal().score(pl.Series(lines_of(name)))["value"].sum())


def test_known_refusals_are_told_from_answers() -> None:
    assert refusals_in("known_refusals") >= 0.97 * len(lines_of("known_refusals"))
    assert refusals_in("known_plain_answers") <= 0.005 * len(lines_of("known_plain_answers"))


@pytest.mark.parametrize(
    ("name", "of", "told"),
    [
        ("held_out_refusals", 66, 61),
        ("fresh_mild_refusals", 40, 39),
        ("fresh_firm_refusals", 80, 76),
        ("fresh_refusals_in_other_languages", 20, 19),
        ("blind_mild_refusals", 40, 40),
        ("blind_firm_refusals", 80, 78),
    ],
)
def test_unweighed_refusals_are_told_as_often_as_was_measured(
    name: str, of: int, told: int
) -> None:
    assert len(lines_of(name)) == of
    assert refusals_in(name) >= told


@pytest.mark.parametrize(
    ("name", "of", "taken"),
    [
        ("held_out_plain_answers", 100, 1),
        ("fresh_plain_answers", 212, 0),
        ("fresh_close_answers", 102, 2),
        ("blind_plain_answers", 320, 2),
    ],
)
def test_unweighed_answers_are_taken_for_refusals_as_seldom_as_was_measured(
    name: str, of: int, taken: int
) -> None:
    assert len(lines_of(name)) == of
    assert refusals_in(name) <= taken


def test_short_offers_are_no_refusals() -> None:
    offers = ["I help you.", "I can do that.", "Let me help you.", "I will help you write it."]
    assert Refusal().score(pl.Series(offers))["value"].sum() == 0


def test_answers_of_a_real_model_are_let_through() -> None:
    assert refusals_in("real_answers") <= 0.01 * len(lines_of("real_answers"))


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
    for text in lines_of("known_plain_answers")[:400]:
        if len(text) > 60 and text[0] not in "[{-*1":
            assert read(text, Expectation(kind)).text == text
