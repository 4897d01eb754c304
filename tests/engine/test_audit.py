"""An audit from end to end on mock models: what is planted is found, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import slant
from slant.errors import IncompleteError, InputError
from variety import NUMBER


def audit(suite: Path, model: str | list[str], out: Path, **options: object) -> slant.Run:
    return slant.audit(suite, model, out=out, **options)  # type: ignore[arg-type]


def test_planted_rates_are_recovered(suite: Path, planted: str, tmp_path: Path) -> None:
    run = audit(suite, planted, tmp_path / "run")
    rates = run.findings.filter(metric="violence_rate", contrast="rate")
    assert rates.height == 6
    assert rates["n"].to_list() == [100] * 6
    truth = [0.66 if group == "Muslims" else 0.15 for group in rates["group"]]
    covered = (rates["low"] <= pl.Series(truth)) & (pl.Series(truth) <= rates["high"])
    assert covered.sum() >= 5


def test_only_the_planted_contrast_is_significant(
    suite: Path, planted: str, tmp_path: Path
) -> None:
    run = audit(suite, planted, tmp_path / "run")
    significant = run.findings.filter(pl.col("q") < 0.05)
    assert set(significant["group"]) == {"Muslims"}
    assert set(significant["metric"]) == {"violence_rate", "violence_odds_ratio"}
    difference = significant.filter(metric="violence_rate").row(0, named=True)
    assert difference["low"] <= 0.51 <= difference["high"]
    assert difference["value"] > difference["chance_high"]


def test_findings_json_has_every_field(suite: Path, planted: str, tmp_path: Path) -> None:
    run = audit(suite, planted, tmp_path / "run")
    content = json.loads(run.path("findings.json").read_text())
    assert content["schema_version"] == 3
    for finding in content["findings"]:
        assert {
            "study", "metric", "model", "axis", "group", "contrast", "value", "low", "high", "n",
            "outcomes", "p", "q", "effect", "chance", "target", "direction", "signature",
        } <= finding.keys()  # fmt: skip
        assert finding["chance"].keys() == {"expected", "low", "high", "histogram"}
        assert finding["outcomes"].keys() == {"answered", "refused", "unparseable", "error"}


def test_the_same_seed_gives_the_same_bytes(suite: Path, planted: str, tmp_path: Path) -> None:
    first = audit(suite, planted, tmp_path / "a").path("findings.json").read_bytes()
    again = audit(suite, planted, tmp_path / "b").path("findings.json").read_bytes()
    other = audit(suite, planted, tmp_path / "c", seed=1).path("findings.json").read_bytes()
    assert first == again
    assert first != other


def test_limit_keeps_groups_balanced(suite: Path, planted: str, tmp_path: Path) -> None:
    run = audit(suite, planted, tmp_path / "run", limit=60)
    assert run.findings.filter(contrast="rate", metric="violence_rate")["n"].to_list() == [10] * 6


def test_several_models_have_findings_of_their_own(
    suite: Path, planted: str, tmp_path: Path
) -> None:
    fair = tmp_path / "fair.toml"
    fair.write_text('name = "fair"\n[[generate]]\nanswers = [{ text = " bar." }]\n')
    run = audit(suite, [planted, f"mock:{fair}"], tmp_path / "run")
    assert run.findings["model"].unique(maintain_order=True).to_list() == ["planted", "fair"]
    fair_rates = run.findings.filter(model="fair", contrast="rate")["value"]
    assert fair_rates.to_list() == [0.0] * 12


def test_shards_merge_to_the_same_findings(suite: Path, planted: str, tmp_path: Path) -> None:
    whole = audit(suite, planted, tmp_path / "whole")
    parts = [tmp_path / f"part{index}" for index in (1, 2, 3)]
    for index, part in enumerate(parts, 1):
        audit(suite, planted, part, shard=f"{index}/3")
    merged = slant.merge(parts, tmp_path / "merged")
    assert merged.path("findings.json").read_bytes() == whole.path("findings.json").read_bytes()
    asked = [slant.rescore(part).answers.collect().height for part in parts]
    assert sum(asked) == 600
    assert min(asked) > 150


def test_merging_too_few_shards_says_what_to_do(suite: Path, planted: str, tmp_path: Path) -> None:
    audit(suite, planted, tmp_path / "part", shard="1/2")
    with pytest.raises(IncompleteError, match="slant resume"):
        slant.merge([tmp_path / "part"], tmp_path / "merged")
    whole = slant.resume(tmp_path / "merged")
    assert whole.findings.filter(contrast="rate", metric="violence_rate")["n"].sum() == 600


def test_merging_strangers_is_refused(suite: Path, planted: str, tmp_path: Path) -> None:
    audit(suite, planted, tmp_path / "a", shard="1/2")
    audit(suite, planted, tmp_path / "b", shard="2/2", seed=7)
    with pytest.raises(InputError, match="seed differs"):
        slant.merge([tmp_path / "a", tmp_path / "b"], tmp_path / "merged")


def test_errors_are_counted_and_asked_again(suite: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.toml"
    rules = '[[generate]]\ngroup = "Jews"\nanswers = [{ outcome = "error", reason = "down" }]\n'
    good = '[[generate]]\nanswers = [{ text = " bar." }]\n'
    model.write_text(rules + good)
    run = audit(suite, f"mock:{model}", tmp_path / "run", min_coverage=0.9)
    assert run.incomplete is not None
    assert "500 of 600 questions were answered (83%; 100 failed" in run.incomplete
    assert "'down'" in run.incomplete
    jews = run.findings.filter(group="Jews", metric="violence_rate", contrast="rate")
    assert jews["value"].to_list() == [None]
    assert jews["error"].to_list() == [100]
    assert jews["reason"].to_list() == ["no answer that can be measured"]
    others = run.findings.filter(pl.col("group") != "Jews", metric="violence_rate", contrast="rate")
    assert others["value"].null_count() == 0


def test_a_run_continues_only_with_the_model_it_began_with(
    suite: Path, planted: str, tmp_path: Path
) -> None:
    audit(suite, planted, tmp_path / "run")
    file = Path(planted.removeprefix("mock:"))
    file.write_text(file.read_text().replace("0.66", "0.65").replace("0.34", "0.35"))
    with pytest.raises(InputError, match="not the model this run began with"):
        slant.resume(tmp_path / "run")


def test_refusals_are_outcomes_of_their_own(suite: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.toml"
    model.write_text(
        '[[generate]]\ngroup = "Sikhs"\n'
        "answers = [{ text = \"I'm sorry, but I can't help with that.\" }]\n"
        f'[[generate]]\nanswers = [{{ text = " bar {NUMBER}." }}]\n'
    )
    run = audit(suite, f"mock:{model}", tmp_path / "run")
    sikhs = run.findings.filter(group="Sikhs", contrast="rate")
    assert sikhs.filter(metric="refusal_rate")["value"].to_list() == [1.0]
    assert sikhs.filter(metric="violence_rate")["value"].to_list() == [None]
    assert sikhs.filter(metric="violence_rate")["refused"].to_list() == [100]
    lean = run.findings.filter(metric="refusal_rate", contrast="vs_rest", group="Sikhs")
    assert lean["q"][0] < 0.05


@pytest.mark.usefixtures("undrawn")
def test_the_run_directory_is_complete(suite: Path, planted: str, tmp_path: Path) -> None:
    run = audit(suite, planted, tmp_path / "run")
    report = slant.report(run)
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")
    for name in ("run.toml", "environment.json", "journal.sqlite", "log.jsonl", "findings.json",
                 "items.parquet", "answers.parquet", "scores.parquet"):  # fmt: skip
        assert run.path(name).exists(), name
    for name in ("items.parquet", "answers.parquet", "scores.parquet", "findings.json"):
        run.path(name).unlink()
    again = slant.rescore(run.directory)
    assert again.findings.height > 0
    assert again.answers.collect().height == 600


def test_cache_answers_across_runs(
    suite: Path, planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = audit(suite, planted, tmp_path / "a", cache=True)
    from slant.models.mock import Mock

    async def fail(*_: object) -> None:
        raise AssertionError("the model was asked again")

    monkeypatch.setattr(Mock, "answer", fail)
    second = audit(suite, planted, tmp_path / "b", cache=True)
    assert first.path("findings.json").read_bytes() == second.path("findings.json").read_bytes()
