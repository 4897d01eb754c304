"""The picture of gain against price, and that of promise and outcome."""

from __future__ import annotations

import json

import polars as pl
import pytest

from slant.errors import InputError
from slant.reports.figures import FIGURES
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.svg import inline_svg, svg_of

PRICES = pl.DataFrame(
    {
        "name": ["nothing", "calm", "luxurious", "worse", "unknown"],
        "cost": [0.0, 0.05, 0.3, 0.2, None],
        "cost_low": [None, 0.01, 0.2, 0.1, None],
        "cost_high": [None, 0.1, 0.4, 0.3, None],
        "rate": [0.66, 0.4, 0.1, 0.5, 0.3],
        "rate_low": [0.6, 0.3, 0.0, 0.4, 0.2],
        "rate_high": [0.7, 0.5, 0.2, 0.6, 0.4],
    }
)
PROMISES = pl.DataFrame(
    {
        "name": ["luxurious", "calm", "brisk"],
        "before": [0.05, 0.2, 0.5],
        "before_low": [0.0, 0.1, 0.3],
        "before_high": [0.1, 0.3, 0.7],
        "after": [0.15, 0.4, None],
        "base": [0.6, 0.6, 0.6],
    }
)


def pareto(table: pl.DataFrame = PRICES, **options: object) -> object:
    given = {"x": "cost", "y": "rate", "y_unit": "share", **options}
    return FIGURES.get("pareto")(table, **given)


def ranking(table: pl.DataFrame = PROMISES, **options: object) -> object:
    return FIGURES.get("ranking")(table, first="before", second="after", **options)


def layer_of(chart: object, mark: str) -> list[dict[str, object]]:
    spec = chart.to_dict()  # type: ignore[attr-defined]
    return [each for each in spec["layer"] if each["mark"]["type"] == mark]


def rows_of(chart: object, layer: dict[str, object]) -> list[dict[str, object]]:
    data = layer["data"]
    assert isinstance(data, dict)
    if "values" in data:
        return list(data["values"])
    return list(chart.to_dict()["datasets"][data["name"]])  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_choice_with_both_figures_is_a_named_point(width: int) -> None:
    svg = svg_of(pareto(title="Gain and price", width=width))  # type: ignore[arg-type]
    for words in ("Gain and price", "nothing", "calm", "luxurious", "worse", "1 without both"):
        assert words in svg
    assert ">unknown<" not in svg
    assert float(svg.split('width="')[1].split('"')[0]) <= width + 25


def test_the_front_holds_what_nothing_beats() -> None:
    chart = pareto()
    (line,) = layer_of(chart, "line")
    assert sorted(row["x"] for row in rows_of(chart, line)) == [0.0, 0.05, 0.3]  # type: ignore[type-var]
    blue, orange = layer_of(chart, "point")
    assert [row["name"] for row in rows_of(chart, blue)] == ["worse"]
    assert {row["name"] for row in rows_of(chart, orange)} == {"nothing", "calm", "luxurious"}
    assert blue["mark"]["shape"] != orange["mark"]["shape"]  # type: ignore[index] # not by colour alone


def test_of_two_that_are_equal_both_are_on_the_front() -> None:
    twins = pl.DataFrame({"name": ["a", "b"], "cost": [0.1, 0.1], "rate": [0.2, 0.2]})
    chart = pareto(twins)
    (points,) = layer_of(chart, "point")
    assert len(rows_of(chart, points)) == 2


def test_shares_are_in_percent_and_intervals_are_drawn() -> None:
    chart = pareto()
    across, up = layer_of(chart, "rule")
    assert len(rows_of(chart, across)) == 3  # of nothing's cost no interval is known
    assert max(float(str(row["y_high"])) for row in rows_of(chart, up)) == pytest.approx(70)


def test_labels_do_not_lie_on_each_other() -> None:
    crowd = pl.DataFrame(
        {
            "name": [f"choice {number}" for number in range(8)],
            "cost": [0.1 + number / 1000 for number in range(8)],
            "rate": [0.5 - number / 1000 for number in range(8)],
        }
    )
    chart = pareto(crowd)
    texts = [row for each in layer_of(chart, "text")[::2] for row in rows_of(chart, each)]
    boxes = [(float(str(row["left"])), float(str(row["middle"]))) for row in texts]
    assert len(boxes) >= 4
    for place, (x, y) in enumerate(boxes):
        assert all(abs(y - b) >= 10 or abs(x - a) >= 40 for a, b in boxes[:place])


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_promise_and_outcome_stand_in_one_row(width: int) -> None:
    chart = ranking(
        first_words="promised", second_words="kept", baseline="base", baseline_words="without",
        title="Promises", width=width,
    )  # fmt: skip
    svg = svg_of(chart)  # type: ignore[arg-type]
    for words in ("Promises", "luxurious", "brisk", "promised", "Dashed: without"):
        assert words in svg
    first, second = layer_of(chart, "point")
    assert len(rows_of(chart, first)) == 3
    assert len(rows_of(chart, second)) == 2  # brisk was not asked again
    assert rows_of(chart, first)[0]["value"] == pytest.approx(5)


def test_a_long_ranking_is_cut_and_says_so() -> None:
    many = pl.DataFrame(
        {"name": [f"t{n}" for n in range(50)], "before": [0.5] * 50, "after": [0.5] * 50}
    )
    svg = svg_of(ranking(many, title="Many"))  # type: ignore[arg-type]
    assert "The first 20 of 50" in svg
    assert ">t30<" not in svg


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(InputError, match="no column 'price'"):
        pareto(x="price")
    with pytest.raises(InputError, match="both figures"):
        pareto(PRICES.filter(name="unknown"))
    with pytest.raises(InputError, match="no value to draw"):
        ranking(PROMISES.with_columns(before=pl.lit(None), after=pl.lit(None)))


def test_hostile_names_stay_text() -> None:
    bad = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    for chart in (
        pareto(PRICES.with_columns(name=pl.lit(bad))),
        ranking(PROMISES.with_columns(name=pl.lit(bad)).head(1)),
    ):
        svg = inline_svg(chart, name="f", title="t", description="d")  # type: ignore[arg-type]
        assert "<script" not in svg
        assert "<img" not in svg
        json.dumps(chart.to_dict())  # type: ignore[attr-defined]
