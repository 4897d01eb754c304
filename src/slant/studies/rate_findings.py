"""Findings of any study whose answers are, or are not, of a kind: violent, refused, "yes"."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slant.records import VS_REST, versus
from slant.stats import grouped_rates
from slant.stats.chance import moved_chance
from slant.stats.inference import interval
from slant.studies.filing import Measured, Quantity, Subject, adjusted, outcome_counts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.by_chance import Interval
    from slant.records import Direction, Finding
    from slant.stats import Contrast, GroupedRates
    from slant.studies.filing import Filing
    from slant.studies.study import Method

_RESAMPLES = 10_000
_SAME_ODDS = 1.0


@dataclass(frozen=True)
class Rates:
    """A table of counts and what the findings made from it are to say.

    Attributes
    ----------
    metric
        For example `violence_rate`.
    measure
        Whose scores are counted.
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
    measure: str
    groups: Sequence[str]
    successes: NDArray[np.int64]
    trials: NDArray[np.int64]
    outcomes: Mapping[str, Mapping[str, int]]
    reference: str | None = None
    direction: Direction = "lower_is_better"
    target: float | None = 0.0
    missing: str = "no answer that can be measured"


def rate_findings(
    rates: Rates, file: Filing, axis: str, *, method: Method, rng: np.random.Generator
) -> list[Finding]:
    """Turn counts into findings: each group's rate, and its contrasts with the others.

    For every group: its rate; its difference from the median of the other groups (`vs_rest`) and
    from the reference group (`vs:<group>`), each with p, q (Benjamini-Hochberg over the groups)
    and Cohen's h; and the same two contrasts as odds ratios, which test the same hypotheses.

    Parameters
    ----------
    file, axis
        What the findings are filed under.
    method
        `paper` gives the rates the publication's plain bootstrap intervals.
    """
    reference = None if rates.reference is None else list(rates.groups).index(rates.reference)
    result = grouped_rates(
        rates.successes, rates.trials, reference=reference, resamples=_RESAMPLES, rng=rng
    )
    table = _Table(rates, file, axis)
    contrasts = [(VS_REST, result.vs_rest)]
    if result.vs_reference is not None:
        contrasts.append((versus(str(rates.reference)), result.vs_reference))
    findings = _own_rates(table, result, method, rng)
    for name, contrast in contrasts:
        findings += _compared(table, name, contrast)
    return findings


@dataclass(frozen=True)
class _Table:
    """Files what is measured of the rows of a table of counts."""

    rates: Rates
    file: Filing
    axis: str

    @property
    def rate(self) -> Quantity:
        """The groups' own rates, before it is said how their intervals come about."""
        several = self.rates.trials.shape[1] > 1
        return Quantity(
            self.rates.metric, "rate", "rate", self.rates.direction, self.rates.target, "share",
            self.rates.measure, "prompts" if several else "answers",
        )  # fmt: skip

    def finding(self, what: Quantity, row: int, found: Measured) -> Finding:
        """File what was found in a row."""
        rates, group = self.rates, self.rates.groups[row]
        n, prompts = int(rates.trials[row].sum()), int((rates.trials[row] > 0).sum())
        found = replace(
            found, n=n, unit_count=prompts if what.unit == "prompts" else n,
            reason=self._reason(row, what.contrast),
        )  # fmt: skip
        outcomes = outcome_counts(rates.outcomes.get(group, {}))
        return self.file(what, Subject(self.axis, group, outcomes), found)

    def _reason(self, row: int, contrast: str) -> str:
        if not self.rates.trials[row].any():
            return self.rates.missing
        if contrast == versus(self.rates.groups[row]):
            return "this is the reference group"
        return "there is no other group to compare with"


def _own_rates(
    table: _Table, result: GroupedRates, method: Method, rng: np.random.Generator
) -> list[Finding]:
    own, rest, what = result.rates, result.vs_rest, table.rate
    interval = "wilson" if what.unit == "answers" else f"bootstrap({_RESAMPLES},prompts)"
    low, high = own.low, own.high
    if method == "paper":
        interval = f"bootstrap({_RESAMPLES},completions)"
        low, high = _plain_bootstrap(table.rates, rng)
        what = replace(what, unit="answers")
    chance = f"permutation({_RESAMPLES},{rest.permuted})"
    what = replace(what, how={"ci": interval, "chance": chance})
    return [
        table.finding(
            what,
            row,
            Measured(
                own.value[row], low[row], high[row],
                chance=rate_by_chance(rest, row, float(own.value[row])),
            ),
        )
        for row in range(len(table.rates.groups))
    ]  # fmt: skip


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
    return moved_chance(chance, rate - float(contrast.value[row]), 0.0, 1.0)


def rate_difference(
    rate: Quantity, name: str, contrast: Contrast, resamples: int = _RESAMPLES
) -> Quantity:
    """Say how rates are compared with something: as a difference, tested by a permutation."""
    return rate.against(
        name,
        effect_name="cohen_h",
        # Answers that change places speak of these prompts only; whole cells, of prompts.
        unit="answers" if contrast.permuted == "observations" else "prompts",
        ci="95%",
        null=f"permutation({resamples},{contrast.permuted})",
    )


def difference_of(contrast: Contrast, row: int) -> Measured:
    """Give a row of a comparison of rates, as a difference."""
    return Measured(
        contrast.value[row], contrast.low[row], contrast.high[row], p=contrast.p[row],
        effect=contrast.cohen_h[row], chance=contrast.chance[row],
    )  # fmt: skip


def _compared(table: _Table, name: str, contrast: Contrast) -> list[Finding]:
    """Give the differences, then the same as odds ratios: one family, for it is the same tests."""
    rates = table.rates
    difference = rate_difference(replace(table.rate, how={}), name, contrast)
    ratio = replace(
        difference,
        metric=rates.metric.removesuffix("_rate") + "_odds_ratio",
        kind="ratio", scale="ratio", target=_SAME_ODDS, effect_name="log_odds_ratio",
        restates=rates.metric,
    )  # fmt: skip
    rows, family = range(len(rates.groups)), f"{rates.metric} {name}"
    differences = [table.finding(difference, row, difference_of(contrast, row)) for row in rows]
    ratios = [
        table.finding(
            ratio,
            row,
            Measured(
                contrast.odds_ratio[row], contrast.odds_low[row], contrast.odds_high[row],
                p=contrast.p[row], effect=math.log(contrast.odds_ratio[row]),
                chance=contrast.odds_chance[row],
            ),
        )
        for row in rows
    ]  # fmt: skip
    return [*adjusted(differences, family), *adjusted(ratios, family)]


def _plain_bootstrap(
    rates: Rates, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bootstrap each group's completions by themselves, as Abid et al. (figure 1c) did."""
    k, n = rates.successes.sum(axis=1), rates.trials.sum(axis=1)
    share = np.divide(k, n, out=np.full(len(k), math.nan), where=n > 0)
    # The mean of a resample of zeros and ones is a binomial draw: no need to resample them.
    draws = rng.binomial(n, np.nan_to_num(share), (_RESAMPLES, len(k))) / np.maximum(n, 1)
    return interval(draws, share)
