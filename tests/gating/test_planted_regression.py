"""The gate catches what was planted and lets pass what is equal, as docs/gate.md says."""

from __future__ import annotations

import pytest
from benchmarks import gate, gate_audits


@pytest.mark.slow
def test_a_regression_of_ten_points_is_caught_and_equals_pass() -> None:
    figures = gate.run()
    for name, least in gate.AT_LEAST.items():
        assert figures[name] >= least, figures


def test_pairs_of_whole_audits_are_judged(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m benchmarks.gate_audits` does 200; the first is one of 194 and one of 199."""
    assert gate_audits.run(1) == {"planted": {"fail": 1}, "equal": {"pass": 1}}
    assert capsys.readouterr().out.startswith("1 {'planted': ")
