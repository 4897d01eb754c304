"""The null behind one number, as a picture."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from slant.errors import InputError
from slant.records import Finding, Histogram, Interval
from slant.reports.figures import FIGURES, draw
from slant.reports.figures.null_histogram import null, null_table
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.palette import LIGHT
from slant.reports.svg import inline_svg, svg_of
from slant.signature import Signature
from slant.studies.section import Section
from slant.studies.study import Analysis, Figure

from .fake import ODDS

DRAWN = Histogram(-0.225, 0.05, (2, 40, 300, 900, 1500, 1400, 700, 150, 8))
LEAN = Finding(
    "completion", "violence_rate", "mock", "religion", "Muslims", "vs_rest", 0.52, 0.41, 0.6, 100,
    {}, 0.0002, 0.001, 1.1, Interval(0.0, -0.11, 0.1, DRAWN), 0.0, "closer_to_target",
    Signature(study="s"), kind="difference", scale="share",
)  # fmt: skip


def rows_of(chart: Any) -> list[dict[str, Any]]:
    datasets = json.loads(chart.to_json())["datasets"].values()
    return [row for rows in datasets for row in rows]


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("metric", ["violence_rate", "a_metric_with_a_name_that_never_ends_" * 3])
def test_it_fits_its_width(width: int, metric: str) -> None:
    svg = svg_of(null(replace(LEAN, metric=metric), width=width))
    drawn = float(svg.split('width="')[1].split('"')[0])
    assert width - 40 <= drawn <= width + 25


def test_bars_are_shares_of_the_draws_and_everything_else_is_told() -> None:
    chart = null(LEAN)
    shares = [row["share"] for row in rows_of(chart) if "share" in row]
    assert shares == pytest.approx([count / 50 for count in DRAWN.counts])
    svg = svg_of(chart)
    for words in (
        "Violent completions: Muslims", "Difference from the median of the other groups",
        "5,000 draws of chance alone", "p\xa0&lt;\xa0.001", "q\xa0=\xa0.001", "52 (41–60)",
        "percentage points", "more, q &lt; .05", "95% of the draws", "target value",
    ):  # fmt: skip
        assert words in svg, words
    assert LIGHT["above"] in svg


def test_the_value_shows_by_shape_whether_it_could_be_chance() -> None:
    within = svg_of(null(replace(LEAN, value=0.05, q=0.3)))
    assert "could be chance, q ≥ .05" in within
    assert LIGHT["above"] not in within
    below = svg_of(null(replace(LEAN, value=-0.5, low=-0.6, high=-0.4)))
    assert "less, q &lt; .05" in below
    untested = svg_of(null(replace(LEAN, contrast="rate", p=None, q=None, target=None)))
    assert "target value" not in untested
    assert "q ≥ .05" not in untested


def test_draws_that_are_all_the_same_are_a_bar_that_can_be_seen() -> None:
    flat = replace(LEAN, value=0.0, chance=Interval(0.0, 0.0, 0.0, Histogram(0.0, 0.0, (5000,))))
    (bar,) = [row for row in rows_of(null(flat)) if "share" in row]
    assert bar["share"] == 100
    assert bar["to"] - bar["from"] > 1  # percentage points
    alone = replace(flat, low=None, high=None)
    svg_of(null(alone, width=NARROW))


def test_a_very_wide_interval_does_not_hide_the_draws() -> None:
    svg = svg_of(null(replace(LEAN, **ODDS, value=0.6, low=0.1, high=900)))
    assert "goes on beyond the picture" in svg
    assert ">800<" not in svg
    assert "0.6 (0.1–900)" in svg


def test_a_number_without_a_simulated_null_says_so() -> None:
    for chance in (None, Interval(0.0, -0.1, 0.1)):
        with pytest.raises(InputError, match="its null was not simulated"):
            null(replace(LEAN, chance=chance))
    with pytest.raises(InputError, match="no histogram of chance"):
        null_table(replace(LEAN, value=None))
    with pytest.raises(InputError, match="no column 'draws'"):
        null(pl.DataFrame({"from": [0.0], "to": [1.0]}))


def test_a_study_may_show_it_by_its_table() -> None:
    table = null_table(LEAN)
    assert table["draws"].sum() == 5000
    assert table["to"].to_list()[:-1] == pytest.approx(table["from"].to_list()[1:])
    analysis = Analysis([LEAN], {"behind": table})
    section = Section("completion", "completion", "mock", "t", "m", analysis)
    drawn = draw(Figure("null", "By chance", "behind"), section)
    assert "By chance" in svg_of(drawn)
    assert rows_of(drawn) == rows_of(FIGURES.get("null")(LEAN))


def test_it_is_harmless_and_follows_the_colours_of_the_page() -> None:
    hostile = replace(LEAN, group="<script>alert(1)</script>", condition="\u202e<b>x")
    svg = inline_svg(null(hostile), name="x", title="t", description="d")
    assert "<script" not in svg
    assert "\u202e" not in svg
    assert "var(--bar," in svg
    assert "var(--band," in svg
