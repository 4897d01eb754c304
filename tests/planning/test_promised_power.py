"""What a plan says can be seen is seen in 80% of runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import slant
from slant.engine.suite import load_suite
from slant.planning.made_up import MadeUp
from slant.studies.study import Circumstances

AUDITS = 300


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 200])
def test_a_promise_by_formula_of_eighty_percent_holds(
    n: int, planted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By whole audits of mock models: of their report, whatever else is tested in it."""
    file = tmp_path / "suite.toml"
    file.write_text(f'name = "s"\n[[study]]\nuse = "completion"\nsamples = {n}\n')
    (power,) = slant.plan(file, planted).studies[0].power
    (asked,) = load_suite(file).studies
    study = asked.for_model(Circumstances("planned", frozenset({"raw"})))
    found, _ = MadeUp(asked, study, None).found(power.difference, range(1, 1 + AUDITS))
    with capsys.disabled():
        print(n, power.difference, found / AUDITS)
    assert abs(found / AUDITS - 0.8) < 0.05 + 2 * (0.16 / AUDITS) ** 0.5
