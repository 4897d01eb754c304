import math
from dataclasses import replace
from statistics import NormalDist

import pytest
from scipy.stats import t

from slant.records import Finding, Interval, Placebo
from slant.reports.difference_words import plain_sentence
from slant.reports.families import ranked
from slant.reports.null_words import smallest_detectable
from slant.reports.verdict import verdicts

from .fake import ODDS, completion

FINDINGS = completion().analysis.findings


def told(findings: list[Finding]) -> list[str]:
    return [plain_sentence(s) for verdict in verdicts(findings) for s, _ in verdict.sentences]


def test_the_largest_effect_is_said_first_with_all_its_numbers() -> None:
    assert told(FINDINGS)[0] == (
        "Prompts about Muslims get violent completions in 66% of answers (57–75), against 15% "
        "for the median of the other groups: +51 points (39–63), q < .001, n = 96."
    )


def test_nothing_found_says_what_could_have_been_found() -> None:
    sentences = told(completion(scale=0.2).analysis.findings)
    assert sentences[0].startswith(
        "Violent completions: no group differs from the others beyond what chance gives; "
        "the smallest difference this run could see is about "
    )
    assert sentences[1].startswith("The largest difference seen: Muslims, +10 points")


def test_a_run_that_could_see_no_difference_of_shares_says_so() -> None:
    wide = [
        replace(f, chance=Interval(0.0, -0.9, 0.9)) if f.is_comparison else f
        for f in completion(scale=0.2).analysis.findings
    ]
    assert told(wide)[0] == (
        "Violent completions: no group differs from the others beyond what chance gives; this run "
        "was too small to see any difference (80% power)."
    )


def test_a_verdict_names_the_finding_it_rests_on() -> None:
    first = verdicts(FINDINGS)[0]
    assert first.differs
    finding = first.sentences[0][1]
    assert finding is not None
    assert (finding.group, finding.contrast) == ("Muslims", "vs_rest")


def test_what_could_not_be_measured_is_not_called_unbiased() -> None:
    assert told(FINDINGS)[-1] == (
        "Overall regard: positive minus negative statements: could not be measured: the extra "
        "slant[scorers] is not installed"
    )


def test_without_tests_nothing_is_claimed() -> None:
    rates = [f for f in FINDINGS if f.contrast == "rate" and f.metric == "violence_rate"]
    assert told(rates) == [
        "Violent completions: measured, but no difference between groups was tested."
    ]


def test_comparisons_with_one_group_are_judged_when_there_are_no_others() -> None:
    one = [f for f in FINDINGS if f.contrast in ("rate", "vs:Christians")]
    assert "against 15% for Christians" in told(one)[0]


def test_many_differences_are_counted() -> None:
    contrasts = [f for f in FINDINGS if f.contrast == "vs_rest" and f.metric == "violence_rate"]
    middle = {"Hindus", "Christians"}  # if they differed, too, there would be two camps
    many = [replace(f, q=0.001, low=0.001, high=0.9) for f in contrasts if f.group not in middle]
    alike = [f for f in contrasts if f.group in middle]
    assert told(many + alike)[-1] == "3 more groups differ from the others."


def test_odds_ratios_that_restate_a_rate_are_passed_over() -> None:
    odds = [
        replace(f, **ODDS, value=3.0, low=2.0, high=4.0, target=1.0)
        for f in FINDINGS
        if f.contrast == "vs_rest" and f.metric == "violence_rate"
    ]
    assert told([*FINDINGS, *odds]) == told(FINDINGS)
    assert len(verdicts(odds)) == 1


def test_low_coverage_is_said_once() -> None:
    outcomes = {"answered": 40, "refused": 60, "unparseable": 0, "error": 0}
    sentences = told([replace(f, outcomes=outcomes) for f in FINDINGS])
    assert [s for s in sentences if s.startswith("Only 40% of 800 questions were answered: ")]
    assert sum(s.startswith("Only") for s in sentences) == 1


def test_conditions_are_named() -> None:
    sentences = told([replace(f, condition="refusals requested") for f in FINDINGS])
    assert "(condition: refusals requested)" in sentences[0]


def test_an_unknown_metric_speaks_under_its_own_name() -> None:
    sentences = told([replace(f, metric="odd_{thing}_rate") for f in FINDINGS])
    assert "score 66% on “odd {thing} rate” (57–75), against 15%" in sentences[0]


def test_names_cannot_hide_anything() -> None:
    sentences = told([replace(f, group="a\u202eb\n" + f.group) for f in FINDINGS])
    assert "⟦U+202E⟧b Muslims" in sentences[0]
    assert "\n" not in sentences[0]


def test_the_smallest_detectable_difference_by_hand() -> None:
    normal = NormalDist()
    contrast = replace(
        FINDINGS[8], value=0.0, low=-0.049, high=0.049, q=0.5, chance=Interval(0, -0.098, 0.098)
    )
    error = 0.196 / (2 * normal.inv_cdf(0.975))
    expected = error * (normal.inv_cdf(1 - 0.025 / 4) + normal.inv_cdf(0.8))
    assert smallest_detectable([contrast] * 4, []) == pytest.approx(expected)


def test_what_placebos_and_the_whole_report_ask_for_must_be_passed_too() -> None:
    normal = NormalDist()
    contrast = replace(FINDINGS[8], value=0.0, low=-0.049, high=0.049, q=0.5, chance=None)
    error, spare = 0.049 / normal.inv_cdf(0.975), normal.inv_cdf(0.8)
    wider = [replace(contrast, tests=4 * 27)] * 4
    expected = error * (normal.inv_cdf(1 - 0.025 / 108) + spare)
    assert smallest_detectable(wider, []) == pytest.approx(expected)
    asked = [replace(f, placebo=Placebo(0.5, ("months",), 12, needed=(0.3, 0.6))) for f in wider]
    needed = 0.3 * 2 ** (math.log(27) / math.log(100))
    assert smallest_detectable(asked, []) == pytest.approx(needed + error * spare)
    hostile = Placebo(0.5, ("months",), 12, needed=(0.3, -0.6))
    made_up = [
        replace(f, tests=count, placebo=hostile)
        for f, count in zip(asked, (-4, 10**400, 0, 4), strict=True)
    ]
    assert 0 < (smallest_detectable(made_up, []) or 0) < 1
    alone = [replace(f, tests=4) for f in asked]
    assert smallest_detectable(alone, []) == pytest.approx(0.3 + error * spare)


def test_how_wide_a_range_is_says_less_where_it_rests_on_little() -> None:
    contrast = replace(
        FINDINGS[8], value=0.0, low=-0.1, high=0.1, q=0.5, chance=None, unit="wordings",
        unit_count=6,
    )  # fmt: skip

    def expected(freedom: float) -> float:
        error = 0.1 / t.ppf(0.975, freedom)
        return float(error * (t.ppf(1 - 0.025 / 4, freedom) + t.ppf(0.8, freedom)))

    assert smallest_detectable([contrast] * 4, []) == pytest.approx(expected(5))
    known = replace(contrast, freedom=14.2)
    assert smallest_detectable([known] * 4, []) == pytest.approx(expected(14.2))
    hostile = [replace(contrast, freedom=each) for each in (float("nan"), -3.0, 0.0, 1.0)]
    assert smallest_detectable(hostile, []) == pytest.approx(expected(1))


def test_means_of_shares_vary_like_rates() -> None:
    contrast = replace(FINDINGS[8], value=0.0, low=-0.2, high=0.2, q=0.5, chance=None)
    own = replace(FINDINGS[0], value=0.5, kind="mean", scale="share")
    rate = smallest_detectable([contrast] * 4, [replace(own, kind="rate")])
    assert smallest_detectable([contrast] * 4, [own]) == rate
    assert smallest_detectable([contrast] * 4, [replace(own, scale="number")]) != rate


def test_no_width_means_no_claim() -> None:
    flat = replace(FINDINGS[8], value=0.0, low=0.0, high=0.0, q=1.0, chance=None)
    assert smallest_detectable([flat], []) is None
    assert told([flat]) == [
        "Violent completions: no group differs from the others beyond what chance gives.",
        "Every group came out the same.",
    ]


def test_ranking_is_by_effect_and_puts_the_unmeasured_last() -> None:
    missing = replace(FINDINGS[0], value=None)
    assert ranked([missing, *FINDINGS[8:16]])[0].group == "Muslims"
    assert ranked([missing, *FINDINGS[8:16]])[-1] is missing


def test_no_findings_no_verdict() -> None:
    assert verdicts([]) == []


def test_one_group_alone_is_told_with_its_figure() -> None:
    findings = completion().analysis.findings
    own = next(f for f in findings if f.contrast == "rate" and f.value is not None)
    reason = "there is no other group to compare with"
    rest = replace(own, contrast="vs_rest", value=None, low=None, high=None, q=None, reason=reason)
    (said,) = told([own, rest])
    assert own.value is not None
    assert f"{own.group}, {own.value:.0%}" in said
    assert f"n = {own.n}" in said
    assert reason in said


def test_what_is_compared_with_no_group_is_not_called_a_group() -> None:
    findings = [
        replace(f, contrast="vs:no trigger", condition="kind", q=0.9)
        for f in completion(scale=0.0).analysis.findings
        if f.contrast == "vs_rest" and f.metric == "violence_rate"
    ]
    first = plain_sentence(verdicts(findings)[0].sentences[0][0])
    assert first.startswith("Violent completions: nothing differs from “no trigger” beyond what")


def test_where_only_the_largest_cells_are_told_of_no_power_is_promised() -> None:
    # Of 768 cells of names and descriptors, the 36 largest became findings.
    one = next(f for f in FINDINGS if f.contrast == "vs_rest" and f.group == "Muslims")
    told_of = [
        replace(one, group=group, condition=condition)
        for group, condition in (("Ash", "tall"), ("Ash", "kind"), ("Elm", "kind"))
    ]
    every = [*told_of, replace(one, group="Elm", condition="tall")]
    assert smallest_detectable(every, []) is not None
    assert smallest_detectable(told_of, []) is None
