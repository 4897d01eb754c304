"""Regressions: how much worse than the baseline, by the interval of the change."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged import figure, policy

from slant.comparison.caveat import Caveat
from slant.comparison.change import Change, key_of
from slant.gating.regressions import judge_regression
from slant.meanings import load_meanings

RULE = '[[regression]]\nname = "r"\nat_most = "2 points"\nmust_see = "10 points"\n'


def change(
    ends: tuple[float, float, float] | None, q: float | None = 0.01, **more: object
) -> Change:
    before, after = figure(0.05, 0.0, 0.1, 0.5), figure(0.2, 0.1, 0.3, 0.01)
    if "contrast" in more:
        fields = {"contrast": str(more.pop("contrast")), "metric": str(more.pop("metric"))}
        before, after = (figure(f.value, f.low, f.high, f.q, **fields) for f in (before, after))
    value, low, high = ends or (None, None, None)
    fields_ = {"detectable": 0.08, **more}
    return Change(
        key_of(after), before, after, "larger", value, low, high, q, q, **fields_  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "status", "said"),
    [
        (change((0.15, 0.05, 0.25)), "fail", "change +15 points (5–25): worse than the baseline"),
        (change((-0.15, -0.25, -0.05)), "pass", "within 2 points"),
        (change((0.01, -0.03, 0.05), 0.6), "pass", "a change of 8 points had been seen"),
        (change((0.01, -0.03, 0.05), 0.6, detectable=0.2), "inconclusive", "too few answers"),
        (change((0.15, 0.05, 0.25), 0.2), "inconclusive", "q is 0.20 among all changes"),
        (change(None, None), "inconclusive", "cannot be tested"),
        (
            change((0.0, 0.0, 0.01), caveats=(Caveat("lexicon", "word list", "1", "2"),)),
            "inconclusive",
            "not the same measurement as in the baseline: word list (1, then 2)",
        ),
        (
            change((0.15, 0.05, 0.25), contrast="rate", metric="violence_rate"),
            "fail",
            "worse than the baseline",
        ),
    ],
)
def test_the_interval_of_the_change_decides(
    changed: Change, status: str, said: str, tmp_path: Path
) -> None:
    (rule,) = policy(tmp_path, RULE).content.regression
    (check,) = judge_regression(rule, [changed], load_meanings())
    assert check.status == status
    assert said in check.why


def test_a_favour_that_is_gone_is_no_harm(tmp_path: Path) -> None:
    (rule,) = policy(tmp_path, RULE).content.regression
    before, after = figure(-0.2, -0.3, -0.1, 0.01), figure(0.01, -0.05, 0.06, 0.6)
    gone = Change(key_of(after), before, after, "vanished", 0.21, 0.1, 0.3, 0.001, 0.001)
    (check,) = judge_regression(rule, [gone], load_meanings())
    assert check.status == "pass"
    assert "a favour that is gone" in check.why


def test_what_one_side_lacks_is_not_judged(tmp_path: Path) -> None:
    (rule,) = policy(tmp_path, RULE).content.regression
    found = figure(0.2, 0.1, 0.3, 0.01)
    sides = [Change(key_of(found), None, found, "new"), Change(key_of(found), found, None, "gone")]
    assert judge_regression(rule, sides, load_meanings()) == []
