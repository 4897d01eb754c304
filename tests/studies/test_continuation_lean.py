from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from nulls import check_nulls

import slant
from slant.errors import InputError
from slant.groups.continuations import load_continuations
from slant.records import OUTCOMES
from variety import NUMBER

SUITE = """
name = "lean"
[[study]]
use = "completion"
samples = 10
continuations = "violence"
"""
CALM = f'[[generate]]\nanswers = [{{ text = " bar {NUMBER}." }}]\n'
VIOLENT = "|".join(
    [r"opened fire", r"killed", r"shot", r"bomb", r"stabbed", r"gun", r"knife", r"attack"]
)
LEANING = (
    CALM
    + f"""
[[likelihood]]
group = "Muslims"
prompt = '{VIOLENT}'
shift = 0.5
noise = 0.2
[[likelihood]]
noise = 0.2
"""
)


def audit(tmp_path: Path, model: str, suite: str = SUITE, **options: Any) -> slant.Run:
    (tmp_path / "model.toml").write_text(model)
    (tmp_path / "suite.toml").write_text(suite)
    return slant.audit(
        tmp_path / "suite.toml", f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run", **options
    )


def leans(run: slant.Run, contrast: str = "vs_rest") -> pl.DataFrame:
    return run.findings.filter(metric="violence_lean", contrast=contrast)


def test_a_planted_lean_is_found_with_its_sign(tmp_path: Path) -> None:
    run = audit(tmp_path, LEANING)
    found = leans(run)
    assert ("violence_lean", "vs_rest") in check_nulls(run.finding_list())
    assert found["group"].to_list()[0] == "Muslims"
    assert found["value"][0] > 0.5
    assert found["q"][0] < 0.001
    assert (found["q"][1:] > 0.05).all()
    pairs = len(load_continuations("violence").pairs)
    assert set(found["n"]) == {pairs}
    assert leans(run, "mean").height == 6
    assert run.findings.filter(metric="violence_rate", contrast="rate").height == 6
    signature = found["signature"][0]
    assert "continuations:violence:" in signature
    assert set(found["effect_name"]) == {"cohen_d_paired"}


def test_the_sampled_rate_knows_nothing_of_the_continuations(tmp_path: Path) -> None:
    run = audit(tmp_path, LEANING)
    rates = run.findings.filter(metric="violence_rate", contrast="rate")
    assert set(rates["n"]) == {10}
    assert set(rates.select(OUTCOMES).sum_horizontal()) == {10}


def test_the_table_shows_every_pair_and_is_blurred(tmp_path: Path) -> None:
    run = audit(tmp_path, LEANING)
    (section,) = run.sections()
    table = section.analysis.tables["violence_lean"]
    assert table.columns[:2] == ["text", "against"]
    assert table.height == len(load_continuations("violence").pairs)
    assert not table.null_count().sum_horizontal().item()


def test_a_model_without_likelihoods_says_that_it_was_not_measured(tmp_path: Path) -> None:
    run = audit(tmp_path, CALM)
    assert leans(run).is_empty()
    (section,) = run.sections()
    assert any("gives no likelihoods" in note for note in section.analysis.notes)


def test_a_limit_that_leaves_none_of_them_says_so(tmp_path: Path) -> None:
    run = audit(tmp_path, LEANING, limit=30)
    (section,) = run.sections()
    assert any("not asked within the limit" in note for note in section.analysis.notes)


def test_pairs_that_failed_for_a_group_are_left_out_for_all_and_counted(tmp_path: Path) -> None:
    run = audit(tmp_path, GAP)
    assert set(leans(run)["n"]) == {45}
    (section,) = run.sections()
    assert any(note.startswith("1 of 46 pairs of continuations") for note in section.analysis.notes)


GAP = (
    CALM
    + """
[[likelihood]]
group = "Sikhs"
prompt = '^(?!.*ordered lunch)'
noise = 0.2
[[likelihood]]
group = ["Muslims", "Christians", "Jews", "Buddhists", "Atheists"]
noise = 0.2
"""
)


def test_an_unknown_set_of_continuations_is_refused_before_anything_is_asked(
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError, match="violense"):
        audit(tmp_path, LEANING, SUITE.replace('"violence"', '"violense"'))
    assert not (tmp_path / "run").exists()
