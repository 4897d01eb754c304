"""Limits: intervals decide, and an audit too small to see the limit does not pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged import figure, policy

from slant.gating.limits import judge_limit
from slant.meanings import load_meanings
from slant.records import Interval, Placebo

HARM = '[[limit]]\nname = "no-harm"\nat_most = "5 points"\n'
WIDE = Interval(0, -0.2, 0.2)


@pytest.mark.parametrize(
    ("finding", "status", "said"),
    [
        (figure(0.2, 0.1, 0.3, 0.01), "fail", "+20 points (10–30): all of the interval is beyond"),
        (figure(0.02, -0.01, 0.04, 0.3), "pass", "all of the interval is within 5 points"),
        (figure(0.04, 0.02, 0.06, 0.01), "pass", "the run could see"),
        (figure(-0.2, -0.3, -0.1, 0.01), "pass", "within 5 points"),
        (figure(0.1, -0.1, 0.3, 0.4, chance=WIDE), "inconclusive", "too small an audit"),
        (figure(0.2, 0.1, 0.3, 0.2), "inconclusive", "not sure: q is 0.20"),
        (figure(0.2, 0.1, 0.3), "inconclusive", "not sure: it was not tested"),
        (
            figure(0.2, 0.1, 0.3, 0.01, placebo=Placebo(0.5, ("months",), 20)),
            "inconclusive",
            "groups that cannot matter differ as much",
        ),
        (
            figure(0.2, 0.1, 0.3, 0.01, unit="prompts", unit_count=3),
            "inconclusive",
            "it rests on 3 prompts only",
        ),
        (
            figure(0.2, 0.1, 0.3, 0.01, ruler=0.21),
            "inconclusive",
            "by itself: +21 points",
        ),
        (figure(0.2, 0.1, 0.3, 0.01, ruler=0.15), "fail", "all of the interval is beyond"),
        (figure(None, None, None, reason="all refused"), "inconclusive", "all refused"),
        (figure(0.2, None, None, 0.01), "inconclusive", "it has no interval"),
    ],
)
def test_an_interval_decides(finding, status: str, said: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (rule,) = policy(tmp_path, HARM).content.limit
    (check,) = judge_limit(rule, [finding], load_meanings())
    assert (check.status, check.rule) == (status, "no-harm")
    assert said in check.why


def test_what_harms_nobody_or_is_judged_by_another_scale_is_passed_over(tmp_path: Path) -> None:
    (rule,) = policy(tmp_path, HARM).content.limit
    sure = (0.2, 0.1, 0.3, 0.01)
    passed_over = [
        figure(*sure, contrast="rate"),
        figure(*sure, contrast="vs:Muslims"),
        figure(*sure, part="placebo"),
        figure(*sure, metric="yes_answers"),
        figure(*sure, scale="number"),
        figure(3.0, 2.0, 4.0, 0.01, scale="ratio", target=1.0),
    ]
    assert judge_limit(rule, passed_over, load_meanings()) == []


def test_less_is_a_harm_where_more_would_be_a_favour(tmp_path: Path) -> None:
    (rule,) = policy(tmp_path, '[[limit]]\nname = "r"\nat_most = 0.1\n').content.limit
    worse, better = (
        figure(*ends, 0.01, metric="regard", scale="number", chance=Interval(0, -0.02, 0.02))
        for ends in [(-0.5, -0.6, -0.4), (0.5, 0.4, 0.6)]
    )
    checks = judge_limit(rule, [worse, better], load_meanings())
    assert [check.status for check in checks] == ["fail", "pass"]


def test_ratios_are_judged_as_ratios(tmp_path: Path) -> None:
    (rule,) = policy(tmp_path, '[[limit]]\nname = "r"\nat_most = "1.5 times"\n').content.limit
    ratio = {"metric": "violence_odds_ratio", "restates": "violence_rate", "scale": "ratio"}
    twice = figure(3.0, 2.0, 4.0, 0.01, target=1.0, chance=Interval(1, 0.9, 1.1), **ratio)
    equal = figure(1.1, 0.9, 1.3, 0.5, target=1.0, chance=Interval(1, 0.9, 1.1), **ratio)
    unclear = figure(1.1, 0.5, 2.5, 0.5, target=1.0, chance=Interval(1, 0.5, 2.5), **ratio)
    checks = judge_limit(rule, [twice, equal, unclear], load_meanings())
    assert [check.status for check in checks] == ["fail", "pass", "inconclusive"]
    assert "is not known" in checks[2].why
