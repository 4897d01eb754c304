"""From conditions to findings: every rate, and its difference from that without a trigger."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slant.records import Finding
from slant.stats import benjamini_hochberg, grouped_rates
from slant.stats.inference import interval
from slant.studies.chance import chance_line
from slant.studies.rate_findings import rate_by_chance
from slant.studies.triggers.asking import NONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Direction, Interval
    from slant.stats import Contrast
    from slant.studies.study import Method
    from slant.studies.triggers.conditions import Condition

VERSUS_NONE = f"vs:{NONE}"
VERSUS_RANDOM = "vs:the choice of random search"
_RESAMPLES = 10_000


@dataclass(frozen=True)
class Filing:
    """What findings are filed under."""

    study: str
    model: str
    axis: str
    method: Method
    signature: str

    def finding(
        self,
        condition: Condition,
        metric: str,
        contrast: str,
        figures: tuple[float, float, float] | None,
        *,
        n: int,
        statistics: str,
        p: float | None = None,
        effect: float | None = None,
        chance: Interval | None = None,
        target: float | None = None,
        direction: Direction = "lower_is_better",
        reason: str | None = None,
    ) -> Finding:
        """Make one finding; without figures it has a reason."""
        value, low, high = figures or (None, None, None)
        return Finding(
            study=self.study, metric=metric, model=self.model, axis=self.axis,
            group=condition.group, contrast=contrast, value=value, low=low, high=high, n=n,
            outcomes=condition.outcomes, p=p, q=None, effect=effect, chance=chance, target=target,
            direction=direction, signature=f"{self.signature}|{statistics}",
            condition=condition.name, reason=reason,
        )  # fmt: skip


def rate_findings(
    file: Filing,
    conditions: Sequence[Condition],
    metric: str,
    columns: tuple[str, tuple[str, ...]],
    comparisons: Sequence[tuple[str, Condition, Condition]],
    rng: np.random.Generator,
) -> list[Finding]:
    """Give every condition's rate, and compare pairs of conditions.

    Parameters
    ----------
    file, metric
        What the findings are filed under.
    conditions
        Those whose own rate is given.
    columns
        What is counted, and the columns that add up to what it is a share of.
    comparisons
        Contrast, what is compared with, and what is compared; q-values hold over all of them.
    rng
        Source of randomness.
    """
    prompts = sorted({prompt for each in conditions for prompt in each.rows["prompt"]})
    cells = {
        id(each): (
            each.counts(columns[0], prompts),
            np.sum([each.counts(name, prompts) for name in columns[1]], axis=0),
        )
        for each in conditions
    }
    compared = [
        (contrast, one, _compare(cells[id(base)], cells[id(one)], rng))
        for contrast, base, one in comparisons
    ]
    own = [_rate(file, each, metric, *cells[id(each)], rng) for each in conditions]
    chances = {id(one): result for contrast, one, result in compared if contrast == VERSUS_NONE}
    own = [
        _with_chance(finding, chances.get(id(each)))
        for finding, each in zip(own, conditions, strict=True)
    ]
    differences = [
        _difference(file, one, metric, contrast, result, int(cells[id(one)][1].sum()))
        for contrast, one, result in compared
    ]
    return [*own, *adjusted(differences)]


def adjusted(findings: Sequence[Finding]) -> list[Finding]:
    """Give a family of findings its q-values."""
    p = [math.nan if each.p is None else each.p for each in findings]
    return [
        replace(each, q=None if math.isnan(q) else float(q))
        for each, q in zip(findings, benjamini_hochberg(p), strict=True)
    ]


_Cells = tuple[
    np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.int64]]
]


def _compare(base: _Cells, one: _Cells, rng: np.random.Generator) -> Contrast | None:
    """Compare two conditions over the prompts that both were asked."""
    both = (base[1] > 0) & (one[1] > 0)
    if not both.any():
        return None
    k, n = (np.stack([base[side][both], one[side][both]]) for side in (0, 1))
    return grouped_rates(k, n, reference=0, resamples=_RESAMPLES, rng=rng).vs_reference


def _rate(
    file: Filing,
    condition: Condition,
    metric: str,
    k: np.ndarray[tuple[int], np.dtype[np.int64]],
    n: np.ndarray[tuple[int], np.dtype[np.int64]],
    rng: np.random.Generator,
) -> Finding:
    total = int(n.sum())
    if not total:
        return file.finding(
            condition, metric, "rate", None, n=0, statistics="ci:none", target=0.0,
            reason="no answer that can be measured",
        )  # fmt: skip
    used = n > 0
    if file.method == "paper":
        share = k.sum() / total
        draws = rng.binomial(total, share, _RESAMPLES) / total
        low, high = map(float, interval(draws, share))
        figures = (float(share), low, high)
        statistics = f"ci:bootstrap({_RESAMPLES},completions)"
    else:
        rates = grouped_rates(k[None, used], n[None, used], resamples=_RESAMPLES, rng=rng).rates
        figures = (float(rates.value[0]), float(rates.low[0]), float(rates.high[0]))
        kind = "wilson" if used.sum() == 1 else f"bootstrap({_RESAMPLES},prompts)"
        statistics = f"ci:{kind}"
    return file.finding(
        condition, metric, "rate", figures, n=total, statistics=statistics, target=0.0
    )


def _with_chance(finding: Finding, contrast: Contrast | None) -> Finding:
    """Say where the rate would be if the trigger did nothing."""
    if contrast is None or finding.value is None:
        return finding
    return replace(finding, chance=rate_by_chance(contrast, 1, finding.value))


def _difference(
    file: Filing,
    condition: Condition,
    metric: str,
    contrast: str,
    result: Contrast | None,
    n: int,
) -> Finding:
    if result is None:
        return file.finding(
            condition, metric, contrast, None, n=n, statistics="ci:none", target=0.0,
            direction="closer_to_target", reason="there is no prompt that both were asked",
        )  # fmt: skip
    statistics = f"ci:95%|null:permutation({_RESAMPLES},{result.permuted})|fdr:bh|effect:cohen_h"
    return file.finding(
        condition,
        metric,
        contrast,
        (float(result.value[1]), float(result.low[1]), float(result.high[1])),
        n=n,
        statistics=statistics,
        p=float(result.p[1]),
        effect=float(result.cohen_h[1]),
        chance=chance_line(result.chance[1]),
        target=None,
        direction="lower_is_better",
    )


def by_condition(
    findings: Sequence[Finding], metric: str, contrast: str
) -> Mapping[tuple[str, str], Finding]:
    """Look findings up by group and condition."""
    return {
        (each.group, each.condition): each
        for each in findings
        if each.metric == metric and each.contrast == contrast
    }
