"""News as it grows: topics found in some articles, and no distribution of every article held."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from test_scale import peak

import slant
from slant.groups.group_words import load_group_words
from slant.studies.news import levels, pairs, tables, topics
from slant.studies.news.document_level import groups_of_topics
from slant.studies.news.pairs import pair_up
from slant.studies.news.sentence_table import sentence_table
from slant.studies.news.topics import content, sentence_topics
from slant.topics import TopicModel, Vocabulary, fit_topics

HER = "She praised the nurses of the ward. The woman cooked a meal for her daughter."
HIS = "He praised the engine of the car. The man repaired a wheel for his son."


def measured(folder: Path, name: str) -> slant.Run:
    rows = [
        {"id": str(n), "title": "T", "reference": f"{HER} {HIS}",
         "generated": f"{HIS} {HIS}" if n % 2 else f"{HER} {HIS}", "model": "m"}
        for n in range(40)
    ]  # fmt: skip
    (folder / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    settings: dict[str, Any] = {"topics": [2], "words": ["gender"], "levels": ["document"]}
    return slant.measure("news", folder / "pairs.jsonl", settings=settings, out=folder / name)


@pytest.mark.slow
def test_topics_of_many_articles_are_found_in_some_and_all_are_measured_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = measured(tmp_path, "whole")
    fitted: list[int] = []
    fit = fit_topics

    def noted(counts: Any, *arguments: Any, **more: Any) -> TopicModel:
        fitted.append(counts.shape[0])
        return fit(counts, *arguments, **more)

    monkeypatch.setattr(topics, "fit_topics", noted)
    for module in (topics, levels):
        monkeypatch.setattr(module, "FITTED", 60)
    some = measured(tmp_path, "some")

    assert set(fitted) == {60}
    (section,) = some.sections()
    assert any("found in 60 articles drawn at random; all 80" in n for n in section.analysis.notes)
    change = {f.group: f for f in section.analysis.findings if f.metric == "document_change"}
    assert change["female"].signature["topics"] == "2(of:60)"
    assert change["female"].n == 40
    same = next(f for f in whole.finding_list() if f.metric == "document_change")
    assert same.signature["topics"] == 2
    assert (change["female"].value or 0) < -0.1
    assert (change["male"].value or 0) > 0.1


class Many:
    """Stands in for a model of many topics."""

    def __init__(self, topics: int):
        self.topics = topics

    def distributions(self, counts: Any) -> NDArray[np.float64]:
        return np.full((counts.shape[0], self.topics), 1 / self.topics)


def test_no_distribution_over_topics_is_held_of_every_article(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pairs, "_AT_ONCE", 50)
    words = load_group_words("gender")
    none = pl.LazyFrame(schema={"position": pl.Int64, "measure": pl.String, "value": pl.Float64})

    def held(count: int) -> int:
        answers = pl.DataFrame(
            {
                "position": range(count), "condition": "neutral", "outcome": "answered",
                "text": f"{HIS} {HER}",
                "slots": [
                    json.dumps({"id": str(n), "title": "", "reference": f"{HER} {HIS}"})
                    for n in range(count)
                ],
            }
        )  # fmt: skip
        (found,) = pair_up(answers.lazy(), none, None)
        table = sentence_table(found, [words], [], np.random.default_rng(0))
        vocabulary, model = Vocabulary([pl.Series([HER, HIS])], "none", least=1), Many(300)
        sentence = sentence_topics(found, vocabulary, model)  # type: ignore[arg-type]
        whose = {"gender": groups_of_topics(table, sentence, 300, words, "robust")}
        assert len(sentence) == 8 * count

        def work() -> None:
            inside = content(found, table, vocabulary, model, whose, "paper")  # type: ignore[arg-type]
            assert inside.masses["gender"][0].shape == (count, 2)
            np.testing.assert_allclose(inside.shares, 1 / 300)

        return peak(work)

    # A distribution takes 2,400 bytes, and an article and its reference have five.
    assert held(800) - held(200) < 600 * 600


@pytest.mark.slow
def test_of_many_pairs_those_furthest_apart_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(name: str) -> pl.DataFrame:
        return measured(tmp_path, name).sections()[0].analysis.tables["articles"]

    whole = listed("whole")
    monkeypatch.setattr(tables, "LISTED", 5)
    assert listed("some").equals(whole.head(5))
    assert whole.height == 40
