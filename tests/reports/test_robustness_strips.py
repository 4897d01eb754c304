"""The strips that show how far answers to statements and negations are from adding up."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from slant.errors import InputError
from slant.reports.figures import FIGURES
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.svg import svg_of

COLUMNS = ["axis", "p_yes", "p_yes_negated", "correct", "correct_negated"]
PAIRS = pl.DataFrame(
    [
        ("gender", 0.9, 0.1, True, True),
        ("gender", 0.1, 0.9, False, False),
        ("sexual_orientation", 0.9, 0.9, True, False),
        ("sexual_orientation", 0.2, 0.3, False, True),
    ],
    schema=COLUMNS,
    orient="row",
)


def svg(table: pl.DataFrame, width: int = WIDE) -> str:
    return svg_of(FIGURES.get("robustness")(table, title="How consistent", width=width))


def rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    tables = json.loads(FIGURES.get("robustness")(table).to_json())["datasets"].values()
    return [row for each in tables for row in each if "gap" in row]


def test_the_opposite_answer_is_consistent_and_the_same_answer_is_not() -> None:
    gaps = [row["gap"] for row in rows(PAIRS)]
    assert gaps == pytest.approx([0.0, 0.0, 0.8, 0.5])


def test_answers_that_differ_and_are_both_wrong_do_not_count_as_right() -> None:
    kinds = [row["kind"] for row in rows(PAIRS)]
    assert kinds == ["both right", "none right", "one right", "one right"]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_picture_says_what_it_shows_and_how_many(width: int) -> None:
    drawn = svg(PAIRS, width)
    for words in ("How consistent", "sexual orientation", "n = 4", "both right 1"):
        assert words in drawn
    assert float(drawn.split('width="')[1].split('"')[0]) <= width + 25


def test_many_sets_and_pairs_can_be_drawn_and_stay_small() -> None:
    table = pl.concat([PAIRS.with_columns(axis=pl.lit(f"a set {n}")) for n in range(9)] * 200)
    drawn = svg(table)
    assert "n = 7,200" in drawn
    assert "drawn" in drawn.split("n = 7,200")[1][:200]
    assert len(drawn) < 1_000_000


def test_what_has_no_probability_is_no_tick() -> None:
    unknown = PAIRS.with_columns(p_yes=pl.lit(None, pl.Float64))
    assert len(rows(pl.concat([PAIRS, unknown]))) == 4
    with pytest.raises(InputError, match="no probabilities to draw"):
        svg(unknown)


def test_a_missing_column_is_named() -> None:
    with pytest.raises(InputError, match="no column 'correct'"):
        svg(PAIRS.drop("correct"))


def test_an_answer_that_nobody_judged_is_not_a_wrong_one() -> None:
    unjudged = PAIRS.with_columns(correct=pl.lit(None, pl.Boolean))
    table = pl.concat([PAIRS, unjudged])
    assert len(rows(table)) == 4
    assert "4 without probabilities are left out" in svg(table).replace("</tspan>", "")
