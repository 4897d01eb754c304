"""Means over sentences are compared sentence by sentence, where studies keep them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from slant.comparison.compare import Comparison, compare
from slant.comparison.side import run_sides
from slant.engine.run import Run
from slant.engine.run_config import RunConfig, StudyConfig
from slant.records import Finding, Kind, Units
from slant.signature import Signature
from slant.stats.median_of_others import median_of_others
from slant.studies.section import Section
from slant.studies.study import Analysis

GROUPS = ["Jews", "Sikhs", "Hindus"]


def run(
    folder: Path, metric: str, values: np.ndarray, table: pl.DataFrame, units: Units,
    condition: str = "", kind: Kind = "mean",
) -> Run:  # fmt: skip
    """Make a run whose findings are the means of values of shape (groups, units)."""
    means = values.mean(axis=1)
    contrasts = {"mean": means}
    if len(means) > 1:
        contrasts["vs_rest"] = means - median_of_others(means)
    findings = [
        Finding(
            study="s", metric=metric, model="m", axis="religion", group=group, contrast=contrast,
            value=float(value), low=float(value) - 1, high=float(value) + 1, n=len(values[0]),
            outcomes={}, p=None, q=None, effect=None, chance=None, target=None,
            direction="closer_to_target", signature=Signature(study="s"),
            kind=kind if contrast == "mean" else "difference", unit="pairs", units=units,
            condition=condition,
        )
        for contrast, figures in contrasts.items()
        for group, value in zip(GROUPS, figures, strict=False)
    ]  # fmt: skip
    config = RunConfig(
        kind="audit", created=datetime(2026, 1, 1, tzinfo=UTC), command="", name="x",
        study=[StudyConfig(use="templates")],
    )  # fmt: skip
    made = Run.create(folder, config)
    made.conclude([Section("s", "s", "m", "", "", Analysis(findings, tables={units.table: table}))])
    return made


def compared(*runs: Run) -> Comparison:
    return compare(*(run_sides(each)[0] for each in runs))


def leans(folder: Path, values: np.ndarray) -> Run:
    units = len(values[0])
    table = pl.DataFrame(
        {"text": [f"t{n}" for n in range(units)], "against": ["a"] * units}
        | dict(zip(GROUPS, values.tolist(), strict=True))
    )
    return run(folder, "violence_lean", values, table, Units("lean", ("text", "against")))


def pairs(folder: Path, metric: str, values: np.ndarray) -> Run:
    """Keep two rows a pair, on two axes, of which one is compared."""
    rows = [
        (f"p{number}", axis, group, value + apart)
        for axis, shift in (("religion", 0.05), ("age", 0.4))
        for group, own in zip(GROUPS, values, strict=True)
        for number, value in enumerate(own)
        for apart in (shift, -0.05)
    ]
    table = pl.DataFrame(rows, schema=["pair", "axis", "group", metric], orient="row")
    return run(folder, metric, values, table, Units("pairs", ("pair",), metric))


def shares(folder: Path, values: np.ndarray) -> Run:
    """Keep the values of two things in one table, of which one is compared."""
    rows = [
        (word, group, f"k{number}", value + shift)
        for word, shift in (("bomb", 0.0), ("peace", 0.4))
        for group, own in zip(GROUPS, values, strict=True)
        for number, value in enumerate(own)
    ]
    table = pl.DataFrame(rows, schema=["of", "group", "kind", "value"], orient="row")
    units = Units("shares", ("kind",), "value", {"of": "bomb"})
    return run(folder, "analogy_share", values, table, units, "bomb")


def articles(folder: Path, values: np.ndarray) -> Run:
    """Keep one value an article, whoever it is about, for two ways of asking."""
    rows = [
        (f"a{number}", way, value + shift)
        for way, shift in (("neutral", 0.0), ("biased", 0.3))
        for number, value in enumerate(values[0])
    ]
    table = pl.DataFrame(rows, schema=["id", "condition", "distance"], orient="row")
    units = Units("articles", ("id",), "distance", {"condition": "neutral"})
    return run(folder, "word_distance", values[:1], table, units, "neutral", "distance")


@pytest.fixture
def sides() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    hard = rng.uniform(0.2, 0.7, (1, 16))
    first, second = (hard + rng.normal(0, 0.01, (3, 16)) for _ in range(2))
    return first, second + np.array([[0.1], [0], [0]])


def test_continuations_are_paired(tmp_path: Path, sides: tuple[np.ndarray, np.ndarray]) -> None:
    found = compared(*(leans(tmp_path / str(n), each) for n, each in enumerate(sides)))
    assert {change.way for change in found.changes} == {"paired"}
    assert found.changes[0].signature["compare"] == "paired(pairs)"
    assert found.changes[0].signature["units"] == 16
    states = {(c.shown.group, c.shown.contrast): c.state for c in found.changes}
    assert states["Jews", "mean"] == states["Jews", "vs_rest"] == "larger"
    assert states["Sikhs", "mean"] == states["Hindus", "mean"] == "unchanged"


@pytest.mark.parametrize("metric", ["yes_answers", "contrary_answers"])
def test_statements_are_paired(
    tmp_path: Path, metric: str, sides: tuple[np.ndarray, np.ndarray]
) -> None:
    found = compared(*(pairs(tmp_path / str(n), metric, each) for n, each in enumerate(sides)))
    assert {change.way for change in found.changes} == {"paired"}
    change = next(c for c in found.changes if c.key[3:5] == ("Jews", "mean"))
    assert change.value == pytest.approx((sides[1] - sides[0])[0].mean())
    assert change.state == "larger"


@pytest.mark.parametrize("kept", [shares, articles])
def test_what_was_measured_of_one_of_several_things_is_paired(
    tmp_path: Path, kept: Callable[..., Run], sides: tuple[np.ndarray, np.ndarray]
) -> None:
    found = compared(*(kept(tmp_path / str(n), each) for n, each in enumerate(sides)))
    assert {change.way for change in found.changes} == {"paired"}
    change = next(c for c in found.changes if c.key[3:5] == ("Jews", "mean"))
    assert change.value == pytest.approx((sides[1] - sides[0])[0].mean())
    assert change.state == "larger"


def test_other_sentences_are_not_paired(
    tmp_path: Path, sides: tuple[np.ndarray, np.ndarray]
) -> None:
    first, second = leans(tmp_path / "a", sides[0]), leans(tmp_path / "b", sides[1][:, :-1])
    assert {change.way for change in compared(first, second).changes} == {"independent"}


def test_few_sentences_are_not_paired(tmp_path: Path, sides: tuple[np.ndarray, np.ndarray]) -> None:
    runs = (leans(tmp_path / str(n), each[:, :6]) for n, each in enumerate(sides))
    assert {change.way for change in compared(*runs).changes} == {"independent"}
