"""Studies as they grow: four times the answers, and no more work or memory an answer.

What is counted is allocations and calls, never seconds.
"""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from slant.embeddings import remembered
from slant.embeddings.remembered import Remembered
from slant.stats import mean_change as mean_change_module
from slant.stats.mean_change import mean_change
from slant.stats.topic_drift import topic_drift
from slant.studies.knowledge import measuring, rows
from slant.studies.knowledge.classes import load_prompts
from slant.studies.knowledge.growth import Growth, _any, _left
from slant.studies.knowledge.measuring import Ruler, measure
from slant.studies.knowledge.settings import KnowledgeSettings
from slant.studies.knowledge.study import KnowledgeStudy
from slant.studies.profiles import all_profiles, people, replies
from slant.studies.profiles.all_profiles import read_all
from slant.studies.profiles.people import Person
from slant.studies.profiles.profile import read_replies
from slant.studies.profiles.replies import gather
from slant.studies.profiles.schema import load_schema
from slant.studies.study import Circumstances
from slant.topics.short_texts import FITTED


def peak(work: Callable[[], object]) -> int:
    """Give the most bytes that Python and NumPy held at a time for some work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_drawing_from_what_is_left_is_drawing_from_a_list_of_it() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        places = sorted(draw.sample(range(40), draw.randint(1, 30)))
        gone = set(draw.sample(range(40), draw.randint(0, 12)))
        left = [place for place in places if place not in gone]
        expected = random.Random(seed).choice(left) if left else None
        assert _left(random.Random(seed), places, gone) == expected
        parts = [[("a", "b", str(n)) for n in range(draw.randint(1, 9))] for _ in range(4)]
        together = [shot for part in parts for shot in part]
        assert _any(random.Random(seed), parts) == random.Random(seed).choice(together)


def test_a_question_costs_the_same_however_large_its_graph() -> None:
    def asked(triples: int) -> int:
        settings = KnowledgeSettings(classes=["nationality"], triples=8, lineages=2)
        made = KnowledgeStudy(settings, Circumstances("mock", frozenset({"raw"})))
        growth = Growth(
            settings, made._classes, load_prompts(), made._sieve(), label="k", seed=0,
            variants=["both"], form="sentences", manner="raw",
        )  # fmt: skip
        cells = next(iter(growth._lineages.values()))
        for cell in cells:
            for number in range(triples):
                cell.keep((cell.subject, "love", str(number)))
        growth._question(cells[0])
        return peak(lambda: growth._question(cells[0]))

    assert asked(400) < 1.2 * asked(100)


class Embedder:
    """Stands in for the encoder: notes how many texts it is given, and takes words for places."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, texts: Sequence[str], **_: object) -> NDArray[np.float32]:
        self.sizes.append(len(texts))
        vectors = np.full((len(texts), 384), 0.01, np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[["ships", "bread", "music"].index(text.split()[1])] = 1
        lengths: NDArray[np.float32] = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / lengths


def test_many_triples_are_embedded_in_parts_and_topics_found_in_a_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = [(verb, f"thing number {n}") for n in range(80) for verb in ("ships", "bread", "music")]
    table = pl.DataFrame(
        {"predicate": [verb for verb, _ in said], "object": [what for _, what in said],
         "kept": True}
    )  # fmt: skip
    settings = KnowledgeSettings(topic_count=3, scorers=[])
    ruler = Ruler.load(settings)
    whole = measure_with(Embedder(), monkeypatch, table, ruler, settings)

    monkeypatch.setattr(measuring, "FITTED", 60)
    monkeypatch.setattr(measuring, "AT_ONCE", 50)
    parts = Embedder()
    found = measure_with(parts, monkeypatch, table, ruler, settings)
    assert max(parts.sizes) == 60  # the sample; all others come by fifties
    assert sum(parts.sizes) == 240  # and nothing twice
    assert found["sign"].to_list() == whole["sign"].to_list()
    np.testing.assert_allclose(found["regard"], whole["regard"], atol=1e-6)
    by_verb = found.group_by("predicate").agg(pl.col("topic").n_unique())
    assert by_verb["topic"].to_list() == [1, 1, 1]
    assert found["topic"].n_unique() == 3


def measure_with(
    embedder: Embedder, monkeypatch: pytest.MonkeyPatch, table: pl.DataFrame, ruler: Ruler,
    settings: KnowledgeSettings,
) -> pl.DataFrame:  # fmt: skip
    for axis in ruler.axes:
        axis.accuracy  # noqa: B018 - fits the axis with the encoder itself
    monkeypatch.setattr(remembered, "embed", embedder)
    monkeypatch.setattr(measuring, "embed_once", Remembered())
    return measure(table, ruler, settings, 0).triples


def test_the_sample_of_topics_is_no_larger_than_what_is_judged_at_a_time_twice() -> None:
    assert FITTED < 2 * rows.AT_ONCE


def test_profiles_are_read_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "_AT_ONCE", 50)
    monkeypatch.setattr(people, "MOST", 40)
    monkeypatch.setattr(all_profiles, "MOST", 40)
    fields = [each for each in load_schema("siddique2024").field if each.kind == "list"]
    known = {name: Person(group) for name, group in (("Anna", "a"), ("Omar", "b"))}

    def held(count: int) -> int:
        answers = pl.DataFrame(
            {
                "position": range(count),
                "group": "",
                "condition": "plain",
                "sample": [place // 2 for place in range(count)],
                "slots": [
                    json.dumps({"way": "1", "names": json.dumps([["Anna", "Omar"][place % 2]])})
                    for place in range(count)
                ],
                "outcome": "answered",
                "text": [
                    json.dumps(
                        {field.name: [f"{place} {n}" for n in range(20)] for field in fields}
                    )
                    for place in range(count)
                ],
            }
        )
        scores = pl.DataFrame(schema={"position": pl.Int64, "measure": pl.String,
                                      "value": pl.Float64})  # fmt: skip
        found = []

        def work() -> None:
            gathered = gather(answers.lazy(), scores.lazy(), keep_ambiguous=False)
            found.append(
                read_all(
                    gathered.parts,
                    lambda part: read_replies(part, fields, [each.name for each in fields]),
                    known,
                    fields,
                    lambda names: [{name: known[name].group for name in names}],
                )
            )

        most = peak(work)
        assert found[0].table.height == count
        assert len(found[0].profiles) == 40
        return most

    assert held(1600) < 1.5 * held(400)


def test_resampling_holds_no_matrix_of_all_values(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    one, two = rng.normal(size=(2, 400))
    whole = mean_change([one], [two], resamples=500, rng=np.random.default_rng(1))
    monkeypatch.setattr(mean_change_module, "_VALUES_AT_ONCE", 1000)
    parts = mean_change([one], [two], resamples=500, rng=np.random.default_rng(1))
    assert whole is not None
    assert parts is not None
    for one_go, by_parts in ((whole.second, parts.second), (whole.change, parts.change)):
        assert by_parts.ends(0) == pytest.approx(one_go.ends(0), abs=1e-12)
        assert by_parts.p == pytest.approx(one_go.p, abs=1e-12)

    def peak_of(n: int) -> int:
        return peak(lambda: mean_change([one[:n]], [two[:n]], resamples=500, rng=rng))

    assert peak_of(400) < 2 * peak_of(100)


def test_permutations_of_drift_are_not_held_together() -> None:
    rng = np.random.default_rng(0)
    texts = rng.standard_normal((40, 8))
    texts /= np.linalg.norm(texts, axis=1, keepdims=True)
    held = peak(lambda: topic_drift([texts[:20]], [texts[20:]], resamples=2_000, rng=rng))
    assert held < 2_000 * 10 * 40 * 8  # every split of every permutation, as one row of numbers
