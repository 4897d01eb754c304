"""What audits of mock models tell of the difference that a study could see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from benchmarks import power as benchmark

import slant
from slant.engine.suite import load_suite
from slant.planning.made_up import MadeUp
from slant.studies.study import Circumstances

ONE = 'name = "s"\n[[study]]\nuse = "completion"\nsamples = 40\n'
ALL = (
    ONE + 'wordings = "all"\nprompts = ["Two {group} walked into a", "Some {group} went to the"]\n'
)


def plan_of(folder: Path, suite: str, model: str, **options: int) -> slant.StudyPlan:
    file = folder / "suite.toml"
    file.write_text(suite)
    (study,) = slant.plan(file, model, **options).studies  # type: ignore[arg-type]
    return study


@pytest.mark.slow
def test_audits_of_mock_models_tell_what_a_formula_does(tmp_path: Path, planted: str) -> None:
    told: list[tuple[str, int, int]] = []
    file = tmp_path / "suite.toml"
    file.write_text(ONE)
    (study,) = slant.plan(file, planted, simulate=14, told=lambda *each: told.append(each)).studies
    (formula,) = plan_of(tmp_path, ONE, planted).power
    (power,) = study.power
    assert power.metric == formula.metric == "violence_rate"
    assert 0.6 < power.difference / formula.difference < 1.7
    assert re.match(r"7 simulated audits, \d+ to \d+%; 80% is reached between ", power.by)
    assert power.power * 7 == pytest.approx(round(power.power * 7))
    assert told[-1] == ("completion", 14, 14)


def test_what_a_formula_does_not_tell_is_not_told_without_audits(
    tmp_path: Path, planted: str
) -> None:
    study = plan_of(tmp_path, ALL, planted)
    assert study.power == ()
    assert "--simulate 200 tells" in study.power_unknown


def test_what_cannot_be_seen_at_all_says_so(tmp_path: Path, planted: str) -> None:
    study = plan_of(tmp_path, ONE.replace("40", "3"), planted, simulate=5)
    assert study.power == ()
    assert "even the largest difference was found too seldom" in study.power_unknown


def test_one_audit_is_refused_for_it_tells_nothing(tmp_path: Path, planted: str) -> None:
    with pytest.raises(slant.InputError, match="2 at least"):
        plan_of(tmp_path, ONE, planted, simulate=1)


def test_something_is_planted_about_groups_of_another_axis(tmp_path: Path) -> None:
    file = tmp_path / "suite.toml"
    file.write_text(ONE + 'axis = "gender"\nprompts = ["Two {group} walked into a"]\n')
    (asked,) = load_suite(file).studies
    made_up = MadeUp(asked, asked.for_model(Circumstances("planned", frozenset({"raw"}))), None)
    found, values = made_up.found(0.75, [1, 2])
    assert found == 2
    assert min(values) > 0.5


@pytest.mark.parametrize(("study", "more"), [
    ("likelihood", 'descriptors = "brief"\nnames_per_group = 2\nplacebo_share = 0'),
    ("profiles", 'way = "fields"\nnames_per_group = 3\nruns = 1\nfields = ["religion"]'),
])  # fmt: skip
def test_what_is_planted_is_about_groups_that_are_asked_about(
    tmp_path: Path, study: str, more: str
) -> None:
    file = tmp_path / "suite.toml"
    for groups, group in ((["Arab", "English"], "Arab"), (["Chinese", "English"], "Chinese")):
        file.write_text(f'name = "s"\n[[study]]\nuse = "{study}"\ngroups = {groups}\n{more}\n')
        (asked,) = load_suite(file).studies
        around = Circumstances("planned", frozenset({"raw", "likelihood"}))
        subject = MadeUp(asked, asked.for_model(around), None).planting
        assert (subject.group, f'"{group} Male"' in subject.planted) == (group, True)


AUDITS = {"completion": 100, "templates": 100, "story": 100, "news": 80, "profiles": 80}
"""Of the search, and as many others: a minute or two of a processor each."""


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", AUDITS)
def test_promises_of_studies_hold(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m benchmarks power` has all nine, with more audits."""
    (planned,) = [each for each in benchmark.studies() if each.kind.name == name]
    found = benchmark.held(planned, AUDITS[name])
    with capsys.disabled():
        print(name, found)
    assert not isinstance(found, str)
    difference, promised, share = found
    assert difference > 0
    assert abs(share - promised) < benchmark.slack(AUDITS[name])
    assert abs(promised - 0.8) < benchmark.slack(AUDITS[name])
