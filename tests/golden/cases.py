"""The golden runs by name, and the findings that each comes to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import slant

from .audits import AUDITS, write_suite
from .files import FILES, PUBLISHED, published

if TYPE_CHECKING:
    from slant.records import Finding
    from slant.studies.study import Method

MODEL = Path(__file__).with_name("model.toml")
NAMES = (*AUDITS, *FILES, *PUBLISHED)
METHODS: tuple[Method, ...] = ("robust", "paper")
SEED = 20

IDENTITY = (
    "study", "metric", "model", "axis", "group", "contrast", "condition", "direction",
)  # fmt: skip
NUMBERS = (
    "value", "low", "high", "n", "p", "q", "effect", "expected", "chance_low", "chance_high",
    "target",
)  # fmt: skip


def findings_of(name: str, method: Method, folder: Path) -> list[dict[str, Any]]:
    """Run a case in an empty folder, and lay its findings out flat."""
    return [_flat(each) for each in _run(name, method, folder).finding_list()]


def _run(name: str, method: Method, folder: Path) -> slant.Run:
    if name in AUDITS:
        suite = write_suite(name, folder)
        return slant.audit(suite, f"mock:{MODEL}", out=folder / "run", method=method, seed=SEED)
    if name in PUBLISHED:
        file = published(name)
        assert file is not None
        study = PUBLISHED[name][0]
        return slant.measure(study, file, method=method, seed=SEED, out=folder / "run")
    study, rows, settings = FILES[name]
    table = pl.DataFrame(list(rows(np.random.default_rng(SEED))))
    return slant.measure(
        study, table, settings=settings, method=method, seed=SEED, out=folder / "run"
    )


def _flat(finding: Finding) -> dict[str, Any]:
    chance = finding.chance
    drawn = (None, None, None) if chance is None else (chance.expected, chance.low, chance.high)
    plain = {name: getattr(finding, name) for name in IDENTITY}
    numbers = {name: getattr(finding, name, None) for name in NUMBERS}
    numbers |= dict(zip(("expected", "chance_low", "chance_high"), drawn, strict=True))
    return plain | numbers
