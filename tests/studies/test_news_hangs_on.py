"""Which article or word a change in the news hangs on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_news import TEXT, ask, of, rule_by_headline

import slant
from slant.reports.figures.left_out import left_out

OF_BOYS = "The boys met a boy, and the boys sang."


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> slant.Run:
    """Three articles are about men alone, in one word that no reference has."""
    texts = {"7": OF_BOYS, "17": OF_BOYS, "27": OF_BOYS, "": TEXT}
    return ask(tmp_path_factory.mktemp("news"), rule_by_headline(texts))


def test_without_the_word_or_article_that_it_is_due_to_a_change_is_smaller(run: slant.Run) -> None:
    table = run.section(0).analysis.tables["word_left_out"]
    (change,) = [f.value for (group, _), f in of(run, "word_change").items() if group == "male"]
    mine = table.filter(group="male")
    assert mine["all"].unique().to_list() == pytest.approx([change])
    words = mine.filter(left_out="wording").select("which", "value")
    without = dict(words.iter_rows())
    assert change is not None
    assert change > 0.02
    assert min(without, key=lambda word: without[word]) in {"boy", "boys"}
    articles = mine.filter(left_out="prompt").sort("value")
    assert articles["which"][0] in {"Headline 7", "Headline 17", "Headline 27"}
    assert articles["value"][0] < change


def test_the_picture_says_what_to_add(run: slant.Run) -> None:
    analysis = run.section(0).analysis
    (figure,) = [each for each in analysis.figures if each.kind == "left_out"]
    assert "Add more articles" in figure.title or "Add longer articles" in figure.title
    variance = analysis.tables["word_variance"]
    assert variance["group"].to_list() == ["headlines", "words of groups"]
    assert variance["value"].sum() == pytest.approx(1.0)
    drawn = left_out(analysis.tables[figure.table], **figure.options, title="It hangs on")
    assert "change from the references, points" in json.dumps(drawn.to_dict())


def test_where_headlines_are_treated_alike_longer_articles_help(tmp_path: Path) -> None:
    """All that changes is drawn word by word: more words tell more of it."""
    drawn = " ".join(["{She|He} spoke."] * 3)
    rules = f"[[generate]]\nanswers = [{{ text = {json.dumps(drawn)} }}]\n"
    analysis = ask(tmp_path, rules).section(0).analysis
    shares = dict(analysis.tables["word_variance"].iter_rows())
    assert shares["words of groups"] > 0.6
