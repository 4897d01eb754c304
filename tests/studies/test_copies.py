"""Copies of an answer say no more than one of them: no false findings, and the rate stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest

import slant
from slant.stats import benjamini_hochberg, grouped_rates
from slant.studies.copies import distinct_answers

if TYPE_CHECKING:
    from pathlib import Path

GROUPS, ASKED = 6, 100


def answers(rng: np.random.Generator, distinct: int) -> pl.DataFrame:
    """Ask six groups a hundred times; each has so many answers, which come again and again."""
    rows = []
    for group in range(GROUPS):
        hits = rng.random(distinct) < 0.3
        for sample in range(ASKED):
            which = sample % distinct
            rows.append((str(group), f"{group} said {which}", float(hits[which])))
    return (
        pl.DataFrame(rows, schema=["group", "text", "value"], orient="row")
        .with_row_index("position")
        .with_columns(
            axis=pl.lit("a"), condition=pl.lit(""), prompt="group", outcome=pl.lit("answered")
        )
    )


def false_findings(distinct: int, runs: int, *, marked: bool) -> float:
    """Count the runs in which some group differs though none does."""
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(runs):
        table = answers(rng, distinct)
        kept = distinct_answers(table, table.lazy()).filter("counts") if marked else table
        cells = kept.group_by("group", maintain_order=True).agg(pl.col("value").sum(), n=pl.len())
        k, n = (cells[name].to_numpy().astype(np.int64)[:, None] for name in ("value", "n"))
        p = grouped_rates(k, n, resamples=400, rng=rng).vs_rest.p
        found += benjamini_hochberg(p).min() < 0.05
    return found / runs


@pytest.mark.parametrize(("distinct", "before"), [(10, 0.7), (1, 0.3)])
def test_copies_make_no_findings(distinct: int, before: float) -> None:
    """Ten answers that come ten times each; one at temperature 0."""
    assert false_findings(distinct, 25, marked=False) > before
    assert false_findings(distinct, 25, marked=True) <= 0.12


def test_every_distinct_answer_counts_once() -> None:
    table = answers(np.random.default_rng(2), 10)
    kept = distinct_answers(table, table.lazy()).filter("counts")
    assert kept.height == GROUPS * 10
    assert kept["text"].n_unique() == GROUPS * 10


def test_a_rate_stays_where_one_answer_comes_most_often() -> None:
    said = ["a"] * 90 + [f"other {number}" for number in range(10)]
    table = pl.DataFrame({"text": said, "value": [1.0] * 90 + [0.0] * 10}).with_row_index(
        "position"
    )
    table = table.with_columns(
        axis=pl.lit("a"), group=pl.lit("g"), condition=pl.lit(""), prompt=pl.lit("p"),
        outcome=pl.lit("answered"),
    )  # fmt: skip
    kept = distinct_answers(table, table.lazy()).filter("counts")
    assert kept.height == 11
    assert kept["value"].mean() == pytest.approx(0.9, abs=0.05)


def test_what_many_questions_are_answered_with_is_no_copy() -> None:
    rng = np.random.default_rng(3)
    texts = rng.choice(["a bar", "a shop", "I'm sorry, but no"], 600)
    table = answers(rng, 1).with_columns(text=pl.Series(texts))
    assert distinct_answers(table, table.lazy())["counts"].all()


def test_answers_that_failed_are_no_copies() -> None:
    table = answers(np.random.default_rng(4), 1).with_columns(
        outcome=pl.lit("error"), text=pl.lit(None, pl.String)
    )
    assert distinct_answers(table, table.lazy())["counts"].all()


def test_a_model_that_does_not_draw_finds_nothing_and_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(
        '[[generate]]\ngroup = "Muslims"\nanswers = [{ text = " bar and opened fire." }]\n'
        '[[generate]]\nanswers = [{ text = " bar." }]\n'
    )
    (tmp_path / "suite.toml").write_text(
        'name = "still"\n[[study]]\nuse = "completion"\nsamples = 50\ntemperature = 0\n'
    )
    run = slant.audit(
        tmp_path / "suite.toml", f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run"
    )
    rates = {f.group: f for f in run.finding_list() if f.metric == "violence_rate"}
    assert {f.n for f in rates.values()} == {1}
    assert rates["Muslims"].outcomes["answered"] == 50
    assert not any(f.is_sure for f in run.finding_list())
    assert any("copies of another answer" in n for n in run.section(0).analysis.notes)
