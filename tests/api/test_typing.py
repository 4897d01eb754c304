"""What type checkers know of the public names: mypy reads this file, and pytest runs it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, assert_type

import slant

if TYPE_CHECKING:
    import polars as pl

    run = slant.audit("quick", "embedded", seed=1, limit=10)
    assert_type(run, slant.Run)
    assert_type(slant.load("run"), slant.Run)
    assert_type(slant.resume("run"), slant.Run)
    assert_type(slant.rescore("run"), slant.Run)
    assert_type(slant.merge(["a", "b"], "c"), slant.Run)
    assert_type(slant.measure("news", "pairs.jsonl"), slant.Run)
    assert_type(slant.compare("a", "b"), slant.Comparison)
    assert_type(slant.compare("a", "b").changes, pl.DataFrame)
    assert_type(slant.report("run"), Path)
    assert_type(run.report(), Path)
    assert_type(run.findings, pl.DataFrame)
    assert_type(run.answers, pl.LazyFrame)
    assert_type(run.finding_list(), list[slant.Finding])
    slant.audit("quick", sed=1)  # type: ignore[call-arg]


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(slant.__file__).parent / "py.typed").exists()
