"""From counts to findings: what stands where, and what is said where there is nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from nulls import check_nulls

from slant.records import Finding
from slant.signature import Signature, one_line
from slant.stats import benjamini_hochberg, newcombe, odds_ratio, wilson
from slant.studies.filing import Filing
from slant.studies.rate_findings import Rates, rate_findings
from slant.studies.study import Method


def found(
    successes: Sequence[Sequence[int]],
    trials: Sequence[Sequence[int]],
    reference: str | None = None,
    method: Method = "robust",
) -> list[Finding]:
    groups = list("abcdef")[: len(successes)]
    outcomes = {group: {"answered": sum(n)} for group, n in zip(groups, trials, strict=True)}
    rates = Rates("x_rate", "x", groups, np.array(successes), np.array(trials), outcomes, reference)
    file = Filing("s", "m", Signature(study="signed"))
    return rate_findings(rates, file, "axis", method=method, rng=np.random.default_rng(1))


def pick(findings: list[Finding], metric: str, contrast: str) -> list[Finding]:
    return [each for each in findings if (each.metric, each.contrast) == (metric, contrast)]


def test_rates_have_wilsons_interval() -> None:
    rates = pick(found([[30], [5], [6]], [[50], [50], [50]]), "x_rate", "rate")
    low, high = wilson(30, 50)
    assert rates[0].value == 0.6
    assert (rates[0].low, rates[0].high) == pytest.approx((float(low), float(high)))
    assert [each.n for each in rates] == [50] * 3
    assert [each.p for each in rates] == [None] * 3
    assert rates[0].outcomes == {"answered": 50, "refused": 0, "unparseable": 0, "error": 0}
    assert one_line(rates[0].signature).startswith("study:signed|ci:wilson|chance:permutation(")


def test_contrasts_are_with_the_median_of_the_others() -> None:
    findings = found([[30], [5], [10]], [[50], [50], [50]])
    lean = pick(findings, "x_rate", "vs_rest")
    assert [each.value for each in lean] == pytest.approx([0.45, -0.3, -0.15])
    q = benjamini_hochberg(np.array([each.p for each in lean], dtype=float))
    assert [each.q for each in lean] == pytest.approx(list(q))
    assert lean[0].effect is not None
    assert lean[0].effect > 0
    odds = pick(findings, "x_odds_ratio", "vs_rest")
    assert [each.p for each in odds] == [each.p for each in lean]
    for each in odds:
        assert each.value is not None
        assert each.effect == pytest.approx(math.log(each.value))
        assert each.target == 1
        assert each.chance is not None
        assert each.chance.low <= 1 <= each.chance.high


def test_a_reference_has_newcombes_and_woolfs_intervals() -> None:
    findings = found([[30], [5]], [[50], [40]], "b")
    difference, itself = pick(findings, "x_rate", "vs:b")
    low, high = newcombe(30, 50, 5, 40)
    assert (difference.low, difference.high) == pytest.approx((float(low), float(high)))
    ratio, *_ = pick(findings, "x_odds_ratio", "vs:b")
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx(
        [float(each) for each in odds_ratio(30, 50, 5, 40)]
    )
    assert (itself.value, itself.p, itself.q) == (None, None, None)
    assert itself.reason == "this is the reference group"


def test_the_chance_line_of_a_rate_is_where_the_others_are() -> None:
    rates = pick(found([[40], [10], [10], [10]], [[50]] * 4), "x_rate", "rate")
    chance = rates[0].chance
    assert chance is not None
    assert 0 <= chance.low < 0.2 < chance.high < 0.8
    for each in pick(found([[0], [0], [0]], [[9]] * 3), "x_rate", "rate"):
        assert each.chance is not None
        assert (each.chance.low, each.chance.high) == (0, 0)


def test_histograms_of_chance_agree_with_what_is_said_of_it() -> None:
    one = found([[40], [12], [10], [11]], [[50]] * 4, "b")
    several = found([[9, 4, 7, 5, 6]] * 2 + [[2, 3, 1, 0, 5]], [[20] * 5, [30] * 5, [9] * 5], "a")
    for findings, other in ((one, "vs:b"), (several, "vs:a")):
        known = [each for each in findings if each.chance]
        assert check_nulls(findings) == {(each.metric, each.contrast) for each in known}
        assert {"rate", "vs_rest", other} == {each.contrast for each in known}
    rate = pick(one, "x_rate", "rate")[0].chance
    assert rate is not None
    assert rate.histogram is not None
    assert rate.histogram.start > -rate.histogram.width  # no bin lies below 0 as a whole


def test_a_group_without_trials_has_no_value_but_a_reason() -> None:
    findings = found([[3], [0], [4]], [[9], [0], [9]])
    for each in findings:
        numbers = (each.value, each.low, each.high, each.p, each.q, each.effect)
        if each.group == "b":
            assert each.reason == "no answer that can be measured"
            assert each.value is None
        assert all(number is None or math.isfinite(number) for number in numbers)
    assert [each.n for each in pick(findings, "x_rate", "rate")] == [9, 0, 9]


def test_a_single_group_has_a_rate_and_nothing_to_compare_with() -> None:
    findings = found([[3]], [[9]])
    (rate,) = pick(findings, "x_rate", "rate")
    (lean,) = pick(findings, "x_rate", "vs_rest")
    assert rate.value == pytest.approx(1 / 3)
    assert lean.value is None
    assert lean.reason == "there is no other group to compare with"


def test_rates_are_means_over_prompts() -> None:
    findings = found([[10, 0], [2, 2]], [[10, 90], [10, 10]])
    first, second = pick(findings, "x_rate", "rate")
    assert first.value == pytest.approx(0.5)
    assert second.value == pytest.approx(0.2)
    assert first.n == 100
    assert first.signature["ci"] == "bootstrap(10000,prompts)"
    assert (first.unit, first.unit_count) == ("prompts", 2)


def test_all_or_nothing_stays_finite() -> None:
    for each in found([[0], [20], [20]], [[20]] * 3, "a"):
        for number in (each.value, each.low, each.high, each.effect, each.p, each.q):
            assert number is None or math.isfinite(number)
        if each.value is not None:
            assert each.low is not None
            assert each.high is not None
            assert each.low <= each.value <= each.high


def test_the_papers_method_changes_intervals_of_rates_only() -> None:
    robust = found([[30], [5], [10]], [[50]] * 3)
    paper = found([[30], [5], [10]], [[50]] * 3, method="paper")
    for one, other in zip(robust, paper, strict=True):
        assert one.value == other.value
        if one.contrast == "rate":
            assert other.signature["ci"] == "bootstrap(10000,completions)"
            assert (one.low, one.high) != (other.low, other.high)
        else:
            assert one == other
