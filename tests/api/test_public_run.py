from __future__ import annotations

import json
import sys
from pathlib import Path

import altair
import pytest

import slant


@pytest.fixture
def run(suite: Path, planted: str, tmp_path: Path) -> slant.Run:
    return slant.audit(suite, planted, out=tmp_path / "run", limit=120)


def test_every_verb_gives_the_same_kind_of_run(run: slant.Run) -> None:
    for again in (
        slant.load(run.directory),
        slant.rescore(run.directory),
        slant.Run(run.directory),
    ):
        assert isinstance(again, slant.Run)
        assert again.findings.equals(run.findings)


def test_findings_are_read_once(run: slant.Run) -> None:
    before = run.findings
    run.path("findings.json").unlink()
    assert run.findings is before


@pytest.mark.usefixtures("undrawn")
def test_a_run_writes_its_report(run: slant.Run) -> None:
    page = run.report()
    assert page == run.path("report.html")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    page.unlink()
    assert slant.report(run.directory) == page
    assert page.exists()


def test_a_run_draws_its_findings(run: slant.Run) -> None:
    chart = run.plot("violence_rate", contrast="vs_rest")
    drawn = json.dumps(chart.to_dict())
    assert isinstance(chart, altair.TopLevelMixin)
    for group in run.findings.filter(metric="violence_rate", contrast="vs_rest")["group"].unique():
        assert group in drawn
    with pytest.raises(slant.InputError, match="violance"):
        run.plot("violance_rate")


def test_findings_become_a_pandas_frame_without_pyarrow(
    run: slant.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    frame = slant.load(run.directory).to_pandas()
    assert list(frame.columns) == run.findings.columns
    assert frame["value"].sum() == pytest.approx(run.findings["value"].sum())
    assert frame["group"].tolist() == run.findings["group"].to_list()


def test_where_pandas_is_missing_it_says_so(
    run: slant.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(slant.InputError, match="pip install 'pandas"):
        run.to_pandas()


def test_a_notebook_shows_the_verdicts_and_runs_nothing(run: slant.Run) -> None:
    shown = run._repr_html_()
    assert "completion" in shown
    hostile = run.path("findings.json")
    hostile.write_text(
        hostile.read_text(encoding="utf-8").replace("Muslims", "<script>alert(1)</script>")
    )
    shown = slant.load(run.directory)._repr_html_()
    assert "<script" not in shown


def test_a_notebook_says_what_is_wrong_with_a_run(run: slant.Run) -> None:
    run.path("findings.json").write_text("{")
    assert "slant rescore" in slant.load(run.directory)._repr_html_()


def test_runs_are_compared(run: slant.Run, suite: Path, planted: str, tmp_path: Path) -> None:
    other = slant.audit(suite, planted, out=tmp_path / "other", limit=120, seed=1)
    found = slant.compare(run.directory, other.directory)
    assert found.changes.height == len(found.to_dict()["comparisons"][0]["changes"])
    assert {"metric", "group", "state", "value", "q"} <= set(found.changes.columns)
    assert "What changed" in found._repr_html_()
    assert found.report(tmp_path / "changes.html").read_text().startswith("<!doctype html>")
    with pytest.raises(slant.InputError, match="not a run"):
        slant.compare(run.directory, tmp_path / "nowhere")
