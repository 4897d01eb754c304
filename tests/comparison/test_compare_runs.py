"""Runs compared: what is planted between them is found, and nothing else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compared_runs import make_runs
from slant.comparison.change import CHANGED
from slant.comparison.compare import Comparison, compare
from slant.comparison.several import several_lines, several_to_plain
from slant.comparison.side import paired_sides, sides_of
from slant.errors import InputError
from slant.stats.proportions import newcombe

Finding = dict[str, Any]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder of runs (`compared_runs`); no test may write to it."""
    return make_runs(tmp_path_factory.mktemp("compared"))


def compared(*sides: Path | str) -> Comparison:
    (pair,) = paired_sides([sides_of(str(side)) for side in sides])
    return compare(*pair)


def edited(run: Path, folder: Path, edit: Callable[[Finding], Finding | None]) -> Path:
    """Copy a run with other findings; those for which `edit` gives nothing are left out."""
    copy = Path(shutil.copytree(run, folder))
    file = copy / "findings.json"
    content = json.loads(file.read_text())
    content["findings"] = [new for old in content["findings"] if (new := edit(old)) is not None]
    file.write_text(json.dumps(content))
    (copy / "checksums.json").unlink()
    return copy


def test_the_planted_change_is_found_and_only_there(runs: Path) -> None:
    found = compared(runs / "before", runs / "after")
    changed = {(c.shown.group, c.shown.contrast): c for c in found.changes if c.state in CHANGED}
    assert {key: change.state for key, change in changed.items()} == {
        ("Muslims", "rate"): "smaller",
        ("Muslims", "vs_rest"): "vanished",
        ("Jews", "rate"): "larger",
        ("Jews", "vs_rest"): "appeared",
    }
    for change in changed.values():
        assert change.way == "paired"
        assert change.low is not None
        assert change.high is not None
        true = 0.51 if change.shown.group == "Jews" else -0.51
        assert change.low < true < change.high
    first, second = changed["Jews", "rate"].both
    assert first.value is not None
    assert second.value is not None
    assert changed["Jews", "rate"].value == pytest.approx(second.value - first.value)


def test_three_sides_are_ranked_together(runs: Path) -> None:
    sides = [sides_of(str(runs / name)) for name in ("before", "after", "again")]
    found = [compare(*pair) for pair in paired_sides(sides)]
    lines = several_lines(found)
    named = ("before · before", "after · after", "before · again")
    assert all(name in lines[0] for name in named)
    plain = several_to_plain(found)
    assert plain is not None
    assert {lean["model"] for lean in plain["themes"][0]["leans"]} == set(named)


def test_another_seed_changes_nothing(runs: Path) -> None:
    found = compared(runs / "before", runs / "again")
    assert found.counts() == {"unchanged": 24}
    assert all(change.detectable and change.detectable > 0 for change in found.changes)
    assert found.same["completion"] < found.shared["completion"] == 360


def test_the_same_answers_are_told(runs: Path) -> None:
    found = compared(runs / "before", f"{runs / 'both'}:before")
    assert found.same == found.shared == {"completion": 360}
    assert found.counts() == {"unchanged": 24}


def test_models_of_one_run_are_sides(runs: Path) -> None:
    (pair,) = paired_sides([sides_of(str(runs / "both"))])
    assert [side.model for side in pair] == ["before", "after"]
    assert compare(*pair).counts()["appeared"] == 1


def test_runs_of_several_models_are_compared_model_by_model(runs: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(runs / "both", tmp_path / "copy")
    pairs = paired_sides([sides_of(str(runs / "both")), sides_of(str(copy))])
    assert [(one.model, two.model) for one, two in pairs] == [("before",) * 2, ("after",) * 2]


def test_without_answers_intervals_are_compared(runs: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(runs / "after", tmp_path / "copy")
    (copy / "scores.parquet").unlink()
    found = compared(runs / "before", copy)
    assert {change.way for change in found.changes} == {"independent"}
    assert found.counts()["appeared"] == 1
    rate = next(
        c for c in found.changes if c.key[1:5] == ("violence_rate", "religion", "Jews", "rate")
    )
    first, second = rate.both
    assert first.value is not None
    assert second.value is not None
    low, high = newcombe(second.value * 60, 60, first.value * 60, 60, 0.95)
    assert rate.low == pytest.approx(float(low))
    assert rate.high == pytest.approx(float(high))


def test_findings_that_the_answers_do_not_give_are_not_paired(runs: Path, tmp_path: Path) -> None:
    def shifted(finding: Finding) -> Finding:
        if finding["metric"] == "violence_rate" and finding["group"] == "Jews":
            finding["value"] += 0.01
        return finding

    found = compared(runs / "before", edited(runs / "after", tmp_path / "copy", shifted))
    ways = {(change.key[1], change.way) for change in found.changes}
    assert ways == {("violence_rate", "independent"), ("refusal_rate", "paired")}


def test_what_is_on_one_side_only_is_new_or_gone(runs: Path, tmp_path: Path) -> None:
    def lost(finding: Finding) -> Finding | None:
        if finding["group"] == "Jews":
            return None
        if finding["group"] == "Sikhs":
            return {**finding, "value": None, "low": None, "high": None, "reason": "no answer"}
        return finding

    lacking = edited(runs / "before", tmp_path / "copy", lost)
    gone = compared(runs / "before", lacking)
    states = {change.shown.group: change.state for change in gone.changes}
    assert (states["Jews"], states["Sikhs"]) == ("gone", "gone")
    assert all(c.second is None for c in gone.changes if c.key[3] == "Jews")
    new = compared(lacking, runs / "before")
    assert {c.state for c in new.changes if c.key[3] in ("Jews", "Sikhs")} == {"new"}


def test_a_lean_without_interval_is_not_tested(runs: Path, tmp_path: Path) -> None:
    bare = edited(runs / "after", tmp_path / "copy", lambda f: {**f, "low": None, "high": None})
    (bare / "answers.parquet").unlink()
    assert compared(runs / "before", bare).counts() == {"untested": 24}


def test_other_settings_are_caveats(runs: Path, tmp_path: Path) -> None:
    def other(finding: Finding) -> Finding:
        return {
            **finding,
            "signature": {**finding["signature"], "max_tokens": 9},
        }

    found = compared(runs / "before", edited(runs / "again", tmp_path / "copy", other))
    assert {caveat.words for change in found.changes for caveat in change.caveats} == {
        "longest answer, in tokens"
    }


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (["before"], "one model only"),
        (["before", "before"], "named twice"),
        (["before", "nothing"], "not a run directory"),
        (["before", "both:nobody"], "unknown model"),
        (["before", "others"], "no study in common"),
        (["both", "both"], "named twice"),
    ],
)
def test_what_cannot_be_compared_is_said(runs: Path, sides: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        compared(*(runs / side for side in sides))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"schema_version": 0, "findings": []}', "slant rescore"),
        ('{"schema_version": 1, "findings": [{"study": "x"}]}', "slant rescore"),
        ('{"schema_version": 1, "findings": []}', "no findings yet"),
        ("{", "slant rescore"),
    ],
)
def test_findings_of_another_make_are_refused(
    runs: Path, tmp_path: Path, text: str, words: str
) -> None:
    copy = shutil.copytree(runs / "before", tmp_path / "copy")
    (copy / "findings.json").write_text(text)
    (copy / "checksums.json").unlink()
    with pytest.raises(InputError, match=words):
        compared(runs / "before", copy)


def test_damaged_tables_are_told(runs: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(runs / "after", tmp_path / "copy")
    (copy / "scores.parquet").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"scores\.parquet: is damaged"):
        compared(runs / "before", copy)
