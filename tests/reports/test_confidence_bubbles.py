"""The bubbles that show how sure a model is where it is right, and where it is wrong."""

from __future__ import annotations

import polars as pl
import pytest

from slant.errors import InputError
from slant.reports.figures import FIGURES
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.svg import inline_svg, svg_of

COLUMNS = ["axis", "part", "correct", "bucket", "confidence", "n"]
BUCKETS = pl.DataFrame(
    [
        (axis, part, correct, bucket, 0.5 + bucket / 100, 10 if correct else 30)
        for axis in ("gender", "sexual_orientation")
        for part in ("positive", "negated")
        for correct in (True, False)
        for bucket in range(4)
    ],
    schema=COLUMNS,
    orient="row",
)


def svg(table: pl.DataFrame, width: int = WIDE) -> str:
    return svg_of(FIGURES.get("bubbles")(table, title="How sure", width=width))


def test_statements_and_negations_stand_beside_each_other_where_there_is_room() -> None:
    drawn = FIGURES.get("bubbles")
    assert len(drawn(BUCKETS, width=WIDE).to_dict()["hconcat"]) == 2
    assert len(drawn(BUCKETS, width=NARROW).to_dict()["vconcat"]) == 2


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_bucket_is_a_bubble_and_all_answers_are_counted(width: int) -> None:
    drawn = svg(BUCKETS, width)
    assert drawn.count('aria-roledescription="point"') == BUCKETS.height
    for words in ("How sure", "sexual orientation", "statements", "negations"):
        assert words in drawn
    assert "n = 640: 160 right answers, 480 wrong ones" in drawn
    assert float(drawn.split('width="')[1].split('"')[0]) <= width + 25


def test_right_and_wrong_differ_in_shape_and_not_only_in_colour() -> None:
    chart = FIGURES.get("bubbles")(BUCKETS, title="How sure")
    for panel in chart.to_dict()["hconcat"]:
        scale = panel["layer"][0]["encoding"]["shape"]["scale"]
        assert dict(zip(scale["domain"], scale["range"], strict=True)) == {
            "right": "circle",
            "wrong": "square",
        }
    text = inline_svg(chart, name="x", title="", description="")
    assert "var(--series" in text
    assert "var(--within" in text
    assert "Green circles: right answers; dark squares" in text


def test_a_model_that_is_never_wrong_and_a_file_without_negations_can_be_drawn() -> None:
    assert "n = 80: 80 right answers, 0 wrong ones" in svg(
        BUCKETS.filter(pl.col("correct") & (pl.col("part") == "positive"))
    )


def test_nothing_to_draw_and_missing_columns_are_told() -> None:
    with pytest.raises(InputError, match="no answer with a known confidence"):
        svg(BUCKETS.clear())
    with pytest.raises(InputError, match="no column 'confidence'"):
        svg(BUCKETS.drop("confidence"))


def sizes(table: pl.DataFrame) -> pl.DataFrame:
    chart = FIGURES.get("bubbles")(table).to_dict()
    return pl.DataFrame(
        [row for rows in chart["datasets"].values() for row in rows if "size" in row]
    )


def test_fifty_buckets_become_ten_bubbles_at_the_mean_of_their_answers() -> None:
    many = pl.DataFrame(
        [("gender", "positive", True, k, k / 100, 1 + k % 2) for k in range(1, 51)],
        schema=COLUMNS,
        orient="row",
    )
    drawn = sizes(many)
    assert drawn.height == 10
    assert drawn["n"].sum() == many["n"].sum()
    # Buckets 1 to 5, of which the even ones hold one answer and the odd ones two.
    assert drawn["confidence"][0] == pytest.approx((0.02 + 0.04 + 2 * (0.01 + 0.03 + 0.05)) / 8)


def test_as_many_answers_cover_the_same_area_in_either_shape() -> None:
    alike = sizes(BUCKETS.with_columns(n=pl.lit(20)))
    circle, square = (alike.filter(kind=kind)["size"].unique() for kind in ("right", "wrong"))
    # Vega's size of a circle is the square around it.
    assert circle.to_list() == pytest.approx((square * 4 / 3.14159265).to_list())
