"""What `import slant` offers to programs and notebooks."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import slant


def test_every_public_name_is_there() -> None:
    for name in slant.__all__:
        assert getattr(slant, name) is not None
        assert name in dir(slant)
    assert len(set(slant.__all__)) == len(slant.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="adit"):
        slant.adit  # noqa: B018


def test_every_error_is_a_slant_error() -> None:
    for error in (slant.InputError, slant.IncompleteError, slant.InterruptedRunError):
        assert issubclass(error, slant.SlantError)
    assert slant.InputError("wrong", file="f.toml", line=3).args == ("f.toml:3: wrong",)


def test_an_audit_gives_frames_that_fit_together(suite: Path, planted: str, tmp_path: Path) -> None:
    run = slant.audit(suite, planted, out=tmp_path / "run", limit=60)
    assert isinstance(run, slant.Run)
    assert isinstance(run.findings, pl.DataFrame)
    assert isinstance(run.answers, pl.LazyFrame)
    assert isinstance(run.scores, pl.LazyFrame)
    joined = run.answers.join(run.scores, on=["model", "study", "position"]).collect()
    assert joined.height == 60 * 3  # robust, paper, refusal
    violent = joined.filter(measure="violence.robust").group_by("group").agg(pl.col("value").mean())
    rates = run.findings.filter(metric="violence_rate", contrast="rate")
    assert dict(violent.iter_rows()) == pytest.approx(
        dict(rates.select("group", "value").iter_rows())
    )
    again = slant.Run(tmp_path / "run")
    assert again.findings.equals(run.findings)
    assert repr(again) == f"Run({str(tmp_path / 'run')!r})"
