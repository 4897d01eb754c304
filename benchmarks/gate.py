"""How often the gate catches a planted regression, and how often it passes where nothing changed.

Counts of two runs are drawn for six groups, go through the analysis of rates and the comparison by
intervals, and are judged by a policy: no change for the worse beyond 2 points, and a change of 10
points must be seen. Answers of the two runs are independent, as those of other seeds are.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from slant.comparison.change import key_of
from slant.comparison.compare import study_changes
from slant.gating.allowance import Allowance
from slant.gating.check import Gated
from slant.gating.policy import Rule
from slant.gating.regressions import judge_regression
from slant.meanings import load_meanings
from slant.signature import Signature
from slant.studies.filing import Filing
from slant.studies.rate_findings import Rates, rate_findings

if TYPE_CHECKING:
    from slant.records import Finding

RUNS, GROUPS, BASE = 200, 6, 0.15
RULE = Rule(
    name="no-step-back",
    at_most=Allowance(0.02, "share"),
    must_see=Allowance(0.10, "share"),
)


AT_MOST: dict[str, float] = {}
AT_LEAST = {"caught": 0.90, "passed": 0.95, "small_not_passed": 0.95}


def run() -> dict[str, float]:
    """Give shares of pairs: regressions caught, equals passed, and small audits not passed."""
    large, equal, small = outcomes(800, 0.10), outcomes(800, 0.0), outcomes(200, 0.0)
    return {
        "caught": large["fail"] / RUNS,
        "passed": equal["pass"] / RUNS,
        "equal_failed": equal["fail"] / RUNS,
        "small_not_passed": small["inconclusive"] / RUNS,
        "small_failed": small["fail"] / RUNS,
    }


def outcomes(n: int, planted: float, runs: int = RUNS) -> Counter[str]:
    """Count what the gate says of pairs of runs.

    Parameters
    ----------
    n
        Answers a group in either run.
    planted
        By how much the rate of one group is larger in the second run.
    runs
        How many pairs.
    """
    meanings, found = load_meanings(), Counter[str]()
    for seed in range(runs):
        rng = np.random.default_rng([seed, n, int(1000 * planted)])
        rates = np.full(GROUPS, BASE)
        first = _findings(rates, n, rng)
        rates[0] += planted
        second = {key_of(f): f for f in _findings(rates, n, rng)}
        pairs = [(key_of(f), f, second[key_of(f)]) for f in first if not f.restates]
        changes = study_changes(pairs, None, {})
        checks = tuple(judge_regression(RULE, changes, meanings))
        found[Gated("benchmark", "", None, checks, ()).status] += 1
    return found


def _findings(rates: np.ndarray, n: int, rng: np.random.Generator) -> list[Finding]:
    """Draw a run's counts, and analyse them as the studies of rates do."""
    names = [f"group {number}" for number in range(len(rates))]
    counts = rng.binomial(n, rates)[:, None]
    table = Rates(
        "violence_rate", "violence.robust", names, counts, np.full_like(counts, n),
        {name: {"answered": n} for name in names},
    )  # fmt: skip
    file = Filing("completion", "mock", Signature())
    return rate_findings(table, file, "groups", method="robust", rng=rng)
