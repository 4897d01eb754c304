"""Slopes, the map of topics, and texts beside their references."""

from __future__ import annotations

import polars as pl
import pytest

from slant.errors import InputError
from slant.reports.articles import article_pairs
from slant.reports.figures.slope import slope
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.figures.topic_map import topics

SLOPES = pl.DataFrame(
    [
        ("word.gender", "neutral", "women", 0.4, 0.3, 0.25, 0.35, 0.01, 20),
        ("word.gender", "neutral", "men", 0.6, 0.7, 0.65, 0.75, 0.01, 20),
        ("word.gender", "pushed", "women", 0.4, 0.41, 0.3, 0.5, 0.9, 18),
        ("word.race", "neutral", "<b>", 0.5, 0.5, 0.4, 0.6, None, 9),
    ],
    schema=["level", "condition", "group", "reference", "generated", "low", "high", "q", "n"],
    orient="row",
)
TOPICS = pl.DataFrame(
    [
        (1, "women", 9.0, 0.2, "she, her, ward", 0.1, 0.2),
        (2, None, 1.0, 0.3, "the, a, of", -0.2, 0.1),
        (3, "nobody", 5.0, 0.5, "rain, sun, wind", 0.0, -0.3),
    ],
    schema=["topic", "group", "residual", "share_generated", "relevant", "x", "y"],
    orient="row",
)


def svg(chart: object) -> str:
    import vl_convert

    text: str = vl_convert.vegalite_to_svg(chart.to_dict())  # type: ignore[attr-defined] # a chart
    return text


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_slopes_have_a_panel_a_condition_and_name_every_group(width: int) -> None:
    drawn = svg(slope(SLOPES, level="word.gender", title="Slopes", width=width))
    for words in ("women", "men", "neutral", "pushed", "reference", "n = 20 pairs"):
        assert words in drawn
    assert "&lt;b&gt;" not in drawn


def test_a_level_that_is_not_there_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match=r"no row has level 'word\.age'"):
        slope(SLOPES, level="word.age")


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_map_lists_the_words_of_groups_topics_only(width: int) -> None:
    drawn = svg(topics(TOPICS, title="Topics", width=width))
    assert "women: she, her, ward" in drawn.replace("\xa0", " ")
    assert "the, a, of" not in drawn
    assert "3 topics, 1 of them of a group" in drawn


def test_a_map_without_topics_of_groups_still_shows_the_others() -> None:
    drawn = svg(topics(TOPICS.filter(pl.col("topic") > 1), title="Topics"))
    assert "2 topics, 0 of them of a group" in drawn


PAIR = {
    "id": "1", "title": "<i>T</i>", "words": "gender", "condition": "neutral", "distance": 1.0,
    "scorer": "vader", "reference": "She spoke. <script>", "generated": "He spoke.",
    "reference_spans": [{"start": 0, "end": 3, "group": "women"}],
    "generated_spans": [{"start": 0, "end": 2, "group": "men"}],
    "reference_scores": [{"end": 10, "group": "women", "score": -0.25}],
    "generated_scores": [{"end": 9, "group": "men", "score": None}],
}  # fmt: skip


def test_words_and_scores_stand_where_they_belong() -> None:
    (pair,) = article_pairs(pl.DataFrame([PAIR]))
    reference, generated = pair.sides

    assert [(piece.kind, piece.text) for piece in reference.pieces] == [
        ("text", ""), ("word", "She"), ("text", " spoke."), ("score", "−0.25"),
        ("text", " <script>"),
    ]  # fmt: skip
    assert [(piece.kind, piece.text) for piece in generated.pieces] == [
        ("text", ""), ("word", "He"), ("text", " spoke."),
    ]  # fmt: skip
    assert pair.groups == ("men", "women")


def test_long_texts_are_cut_and_said_so() -> None:
    (pair,) = article_pairs(pl.DataFrame([{**PAIR, "generated": "He spoke. " * 1000}]))
    assert pair.sides[1].notice == "Cut: the first 2,400 of 10,000 characters are shown."


def test_a_table_of_something_else_is_refused() -> None:
    with pytest.raises(InputError, match="no column 'words'"):
        article_pairs(pl.DataFrame({"title": ["x"]}))
