"""Findings of any study whose answers are, or are not, of a kind: violent, refused, "yes"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.records import OUTCOMES, Finding
from slant.stats import benjamini_hochberg, grouped_rates
from slant.stats.chance import moved_chance
from slant.stats.inference import interval
from slant.studies.chance import chance_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from slant.records import Direction, Interval
    from slant.stats import Contrast, GroupedRates
    from slant.studies.study import Method

_RESAMPLES = 10_000
_CHANCE_ODDS = 1.0


@dataclass(frozen=True)
class Rates:
    """A table of counts and what the findings made from it are to say.

    Attributes
    ----------
    metric
        For example `violence_rate`.
    groups
        Names, in the order of the rows.
    successes, trials
        Counts of shape (groups, prompts).
    outcomes
        For each group, how many of its questions ended in each outcome.
    reference
        Compare with this group as well.
    direction
        Which way the rate improves.
    target
        The rate of a model that does not lean.
    missing
        Why a group without trials has no rate.
    """

    metric: str
    groups: Sequence[str]
    successes: NDArray[np.int64]
    trials: NDArray[np.int64]
    outcomes: Mapping[str, Mapping[str, int]]
    reference: str | None = None
    direction: Direction = "lower_is_better"
    target: float | None = 0.0
    missing: str = "no answer that can be measured"


def rate_findings(
    rates: Rates,
    *,
    study: str,
    model: str,
    axis: str,
    method: Method,
    sign: Callable[[str], str],
    rng: np.random.Generator,
) -> list[Finding]:
    """Turn counts into findings: each group's rate, and its contrasts with the others.

    For every group: its rate; its difference from the median of the other groups (`vs_rest`) and
    from the reference group (`vs:<group>`), each with p, q (Benjamini-Hochberg over the groups)
    and Cohen's h; and the same two contrasts as odds ratios, which test the same hypotheses.

    Parameters
    ----------
    rates
        The counts.
    study, model, axis
        What the findings are filed under.
    method
        `paper` gives the rates the publication's plain bootstrap intervals.
    sign
        Builds the signature from a description of the statistics.
    rng
        Source of randomness.
    """
    reference = None if rates.reference is None else list(rates.groups).index(rates.reference)
    result = grouped_rates(
        rates.successes, rates.trials, reference=reference, resamples=_RESAMPLES, rng=rng
    )
    build = _Builder(rates, study, model, axis)
    contrasts = [("vs_rest", result.vs_rest)]
    if result.vs_reference is not None:
        contrasts.append((f"vs:{rates.reference}", result.vs_reference))
    findings = _own_rates(build, result, method, sign, rng)
    for name, contrast in contrasts:
        findings += _differences(build, name, contrast, sign)
        findings += _odds_ratios(build, name, contrast, sign)
    return findings


@dataclass(frozen=True)
class _Builder:
    """Makes one finding from numbers; NaN becomes `None` with a reason."""

    rates: Rates
    study: str
    model: str
    axis: str

    def __call__(
        self,
        row: int,
        metric: str,
        contrast: str,
        figures: tuple[float, float, float],
        *,
        signature: str,
        chance: Interval | None,
        direction: Direction,
        target: float | None,
        p: float = math.nan,
        q: float = math.nan,
        effect: float = math.nan,
    ) -> Finding:
        group = self.rates.groups[row]
        value, low, high = (_known(figure) for figure in figures)
        outcomes = self.rates.outcomes.get(group, {})
        return Finding(
            study=self.study,
            metric=metric,
            model=self.model,
            axis=self.axis,
            group=group,
            contrast=contrast,
            value=value,
            low=low,
            high=high,
            n=int(self.rates.trials[row].sum()),
            outcomes={name: int(outcomes.get(name, 0)) for name in OUTCOMES},
            p=_known(p),
            q=_known(q),
            effect=_known(effect),
            chance=chance,
            target=target,
            direction=direction,
            signature=signature,
            reason=self._reason(row, contrast) if value is None else None,
        )

    def _reason(self, row: int, contrast: str) -> str:
        if not self.rates.trials[row].any():
            return self.rates.missing
        if contrast == f"vs:{self.rates.groups[row]}":
            return "this is the reference group"
        return "there is no other group to compare with"


def _own_rates(
    build: _Builder,
    result: GroupedRates,
    method: Method,
    sign: Callable[[str], str],
    rng: np.random.Generator,
) -> list[Finding]:
    rates, own, rest = build.rates, result.rates, result.vs_rest
    prompts = rates.trials.shape[1]
    interval = "wilson" if prompts == 1 else f"bootstrap({_RESAMPLES},prompts)"
    low, high = own.low, own.high
    if method == "paper":
        interval = f"bootstrap({_RESAMPLES},completions)"
        low, high = _plain_bootstrap(rates, rng)
    return [
        build(
            row,
            rates.metric,
            "rate",
            (float(own.value[row]), float(low[row]), float(high[row])),
            signature=sign(f"ci:{interval}|chance:permutation({_RESAMPLES},{rest.permuted})"),
            chance=rate_by_chance(rest, row, float(own.value[row])),
            direction=rates.direction,
            target=rates.target,
        )
        for row in range(len(rates.groups))
    ]


def rate_by_chance(contrast: Contrast, row: int, rate: float) -> Interval | None:
    """Say where a rate would be if it were like what it is compared with, give or take chance.

    Parameters
    ----------
    contrast, row
        The comparison.
    rate
        What is compared, in [0, 1].
    """
    chance = contrast.chance[row]
    if chance is None or math.isnan(rate):
        return None
    return chance_line(moved_chance(chance, rate - float(contrast.value[row]), 0.0, 1.0))


def _differences(
    build: _Builder, name: str, contrast: Contrast, sign: Callable[[str], str]
) -> list[Finding]:
    q = benjamini_hochberg(contrast.p)
    return [
        build(
            row,
            build.rates.metric,
            name,
            (float(contrast.value[row]), float(contrast.low[row]), float(contrast.high[row])),
            signature=sign(_tests(contrast, "cohen_h")),
            chance=chance_line(contrast.chance[row]),
            direction="closer_to_target",
            target=0.0,
            p=float(contrast.p[row]),
            q=float(q[row]),
            effect=float(contrast.cohen_h[row]),
        )
        for row in range(len(build.rates.groups))
    ]


def _odds_ratios(
    build: _Builder, name: str, contrast: Contrast, sign: Callable[[str], str]
) -> list[Finding]:
    q = benjamini_hochberg(contrast.p)
    metric = build.rates.metric.removesuffix("_rate") + "_odds_ratio"
    return [
        build(
            row,
            metric,
            name,
            (
                float(contrast.odds_ratio[row]),
                float(contrast.odds_low[row]),
                float(contrast.odds_high[row]),
            ),
            signature=sign(_tests(contrast, "log_odds_ratio")),
            chance=chance_line(contrast.odds_chance[row]),
            direction="closer_to_target",
            target=_CHANCE_ODDS,
            p=float(contrast.p[row]),
            q=float(q[row]),
            effect=math.log(contrast.odds_ratio[row]),
        )
        for row in range(len(build.rates.groups))
    ]


def _tests(contrast: Contrast, effect: str) -> str:
    return f"ci:95%|null:permutation({_RESAMPLES},{contrast.permuted})|fdr:bh|effect:{effect}"


def _plain_bootstrap(
    rates: Rates, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bootstrap each group's completions by themselves, as Abid et al. (figure 1c) did."""
    k, n = rates.successes.sum(axis=1), rates.trials.sum(axis=1)
    share = np.divide(k, n, out=np.full(len(k), math.nan), where=n > 0)
    # The mean of a resample of zeros and ones is a binomial draw: no need to resample them.
    draws = rng.binomial(n, np.nan_to_num(share), (_RESAMPLES, len(k))) / np.maximum(n, 1)
    return interval(draws, share)


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number
