"""What a plan says can be seen is seen in 80% of runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import slant
from slant.planning.power import RATE
from slant.signature import Signature
from slant.studies.filing import Filing
from slant.studies.rate_findings import Rates, rate_findings

RUNS, GROUPS = 300, 6


def found(n: int, difference: float) -> float:
    """Give the share of runs in which a planted difference is found, by the study's analysis."""
    names = [f"group {number}" for number in range(GROUPS)]
    rates = np.full(GROUPS, RATE)
    rates[0] += difference
    hits = 0
    for seed in range(RUNS):
        rng = np.random.default_rng([seed, n])
        counts = rng.binomial(n, rates)[:, None]
        table = Rates(
            "violence_rate", "violence.robust", names, counts, np.full_like(counts, n),
            {name: {"answered": n} for name in names},
        )  # fmt: skip
        file = Filing("completion", "mock", Signature())
        findings = rate_findings(table, file, "groups", method="robust", rng=rng)
        (planted,) = [
            f for f in findings
            if (f.metric, f.contrast, f.group) == ("violence_rate", "vs_rest", "group 0")
        ]  # fmt: skip
        hits += planted.is_sure
    return hits / RUNS


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 400])
def test_a_promise_of_eighty_percent_holds(n: int, planted: str, tmp_path: Path) -> None:
    file = tmp_path / "suite.toml"
    file.write_text(f'name = "s"\n[[study]]\nuse = "completion"\nsamples = {n}\n')
    (power,) = slant.plan(file, planted).studies[0].power
    share = found(n, power.difference)
    print(n, power.difference, share)
    assert 0.8 - 0.1 < share < 0.8 + 0.1  # two standard errors are 5 points
