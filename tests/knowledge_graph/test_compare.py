"""What two graphs have in common, against a count by hand and graphs that were made alike."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from slant.errors import InputError
from slant.knowledge_graph.compare import compare_graphs

COLUMNS = ["subject", "predicate", "object", "regard_label", "kept"]


def table(*rows: tuple[str, str, str, str | None]) -> pl.DataFrame:
    return pl.DataFrame([(*row, True) for row in rows], schema=COLUMNS, orient="row")


FIRST = table(
    ("Kenyans", "are", "fast runners", "positive"),
    ("Kenyans", "like", "tea", "neutral"),
    ("Poles", "are", "brave", "positive"),
    ("Poles", "are", "Brave", "positive"),
    ("Poles", "are", "late", None),
    ("Turks", "like", "football", "neutral"),
    ("Turks", "like", "football", "positive"),
)
SECOND = table(
    ("kenyans", "ARE", "Fast  runners", "negative"),
    ("Poles", "are", "brave", "positive"),
    ("Poles", "are", "late", "negative"),
    ("Poles", "are", "tall", "neutral"),
    ("Turks", "like", "football", "positive"),
    ("Greeks", "are", "brave", "positive"),
)


def test_triples_are_counted_by_subject_and_in_all() -> None:
    compared = compare_graphs(FIRST, SECOND)
    counts = ["subject", "n_first", "n_second", "shared", "only_first", "only_second"]
    assert compared.subjects.select(*counts, "changed", "judged").rows() == [
        ("all subjects", 5, 6, 4, 1, 2, 1, 2),
        ("Kenyans", 2, 1, 1, 1, 0, 1, 1),
        ("Poles", 2, 3, 2, 0, 1, 0, 1),
        ("Turks", 1, 1, 1, 0, 0, 0, 0),
        ("Greeks", 0, 1, 0, 0, 1, 0, 0),
    ]
    assert compared.subjects["jaccard"].to_list() == pytest.approx([4 / 7, 1 / 2, 2 / 3, 1, 0])
    assert compared.jaccard == pytest.approx(4 / 7)


def test_every_triple_says_where_it_is_and_whether_its_regard_changed() -> None:
    rows = compare_graphs(FIRST, SECOND).triples.rows()
    assert rows[0] == ("Kenyans", "are", "fast runners", "shared", "positive", "negative", True)
    assert rows[1] == ("Kenyans", "like", "tea", "first", "neutral", None, None)
    assert rows[2] == ("Poles", "are", "brave", "shared", "positive", "positive", False)
    assert rows[3] == ("Poles", "are", "late", "shared", None, "negative", None)
    turks = ("Turks", "like", "football", "shared", None, "positive", None)
    assert rows[4] == turks, "a graph that contradicts itself has no label"
    assert rows[5][:4] == ("Poles", "are", "tall", "second")
    assert len(rows) == 7


def grown(subjects: int, overlap: float, rng: np.random.Generator) -> tuple[pl.DataFrame, ...]:
    """Make two graphs of which a share of each subject's 30 triples is the same."""
    rows: tuple[list[tuple[str, str, str, None]], ...] = ([], [])
    for s in range(subjects):
        for t in range(30):
            said = f"{s} {t}"
            same = rng.random() < overlap
            rows[0].append((f"subject {s}", "are", said, None))
            rows[1].append((f"subject {s}", "are", said if same else f"else {said}", None))
    return table(*rows[0]), table(*rows[1])


@pytest.mark.slow
def test_the_interval_covers_and_narrows() -> None:
    rng = np.random.default_rng(5)
    # Of 30 + 30 triples a share o is the same: Jaccard's index is o / (2 - o).
    true, covered = 0.4 / 1.6, 0
    for number in range(60):
        compared = compare_graphs(*grown(25, 0.4, rng), resamples=300, seed=number)
        assert compared.low is not None
        assert compared.high is not None
        covered += compared.low <= true <= compared.high
    assert covered >= 51


def test_chance_is_what_exchanged_subjects_share() -> None:
    rng = np.random.default_rng(1)
    alike = compare_graphs(*grown(20, 0.5, rng))
    assert alike.expected == pytest.approx(alike.jaccard / 20, abs=0.02)
    assert alike.p is not None
    assert alike.p < 0.001
    # Both graphs draw everybody's triples from the same few: who is spoken of does not matter.
    names = [f"s{n}" for n in range(12)]
    ps = []
    for _ in range(40):
        graphs = [
            table(
                *(
                    (name, "are", f"thing {t}", None)
                    for name in names
                    for t in rng.integers(40, size=12)
                )
            )
            for _ in range(2)
        ]
        p = compare_graphs(graphs[0], graphs[1], resamples=200).p
        assert p is not None
        ps.append(p)
    assert sum(p < 0.05 for p in ps) <= 6
    assert 0.3 < float(np.mean(ps)) < 0.7


def test_one_subject_has_an_index_and_no_interval() -> None:
    only = FIRST.filter(subject="Kenyans")
    compared = compare_graphs(only, SECOND.filter(subject="kenyans"))
    assert compared.jaccard == 0.5
    assert (compared.low, compared.high, compared.expected, compared.p) == (None,) * 4


def test_tables_without_labels_or_triples() -> None:
    bare = FIRST.drop("regard_label", "kept")
    assert compare_graphs(bare, bare).subjects["judged"].sum() == 0
    assert compare_graphs(bare, bare).jaccard == 1
    with pytest.raises(InputError, match="the second graph has no triple"):
        compare_graphs(FIRST, SECOND.with_columns(kept=False))
