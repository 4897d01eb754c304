"""The scatter of statements and their negations."""

from __future__ import annotations

import json

import polars as pl
import pytest

from slant.errors import InputError
from slant.reports.figures import FIGURES
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.svg import inline_svg, svg_of


def pairs(count: int, label: str = "Yes") -> pl.DataFrame:
    share = pl.int_range(count, eager=True) / max(count, 1)
    return pl.DataFrame({"label": [label] * count, "p_yes": share, "p_yes_negated": 1 - share})


def svg(table: pl.DataFrame, width: int = WIDE) -> str:
    return svg_of(FIGURES.get("agreement")(table, title="Told apart", width=width))


def points(text: str) -> int:
    return text.count('aria-roledescription="point"')


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_pair_is_a_point_and_the_places_have_names(width: int) -> None:
    drawn = svg(pairs(30), width)
    assert points(drawn) == 30
    for words in ("Told apart", "yes to both", "no to both", "consistent", "n = 30 statements"):
        assert words in drawn
    assert float(drawn.split('width="')[1].split('"')[0]) <= width + 25


def test_right_answers_differ_in_shape_and_not_only_in_colour() -> None:
    chart = FIGURES.get("agreement")(pl.concat([pairs(5), pairs(5, "No")]))
    encodings = [layer["encoding"] for layer in chart.to_dict()["layer"]]
    (shape,) = [each["shape"]["scale"] for each in encodings if "shape" in each]
    assert dict(zip(shape["domain"], shape["range"], strict=True)) == {
        "Yes": "circle",
        "No": "triangle-up",
    }
    text = inline_svg(chart, name="x", title="", description="")
    assert "var(--series" in text
    assert "var(--within" in text


def test_too_many_points_are_drawn_from_at_random_the_same_each_time() -> None:
    table = pairs(5_000)
    drawn = svg(table)
    assert points(drawn) == 1_000
    assert "n = 5,000 statements about a group" in drawn
    assert "1,000 of them, drawn at random, are shown" in drawn
    assert svg(table) == drawn


def test_neither_label_lies_on_top_of_the_other() -> None:
    table = pl.concat([pairs(100), pairs(100, "No")])
    chart = json.loads(FIGURES.get("agreement")(table).to_json())
    rows = next(data for data in chart["datasets"].values() if "label" in data[0])
    first = [row["label"] for row in rows[:100]]
    assert 30 < first.count("No") < 70


def test_what_has_no_probability_is_left_out_and_said_so() -> None:
    unknown = pairs(2).with_columns(p_yes=pl.lit(None, pl.Float64))
    drawn = svg(pl.concat([pairs(8), unknown]))
    assert points(drawn) == 8
    assert "n = 8 statements" in drawn
    assert "2 without probabilities are left out" in drawn
    with pytest.raises(InputError, match="no probabilities to draw"):
        svg(unknown)


def test_a_missing_column_is_named() -> None:
    with pytest.raises(InputError, match="no column 'p_yes_negated'"):
        svg(pairs(3).drop("p_yes_negated"))
