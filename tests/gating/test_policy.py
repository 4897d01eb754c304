"""Policies that cannot be used: one message with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged import figure, policy

from slant.errors import InputError
from slant.gating.allowance import Allowance

LIMIT = '[[limit]]\nname = "no-harm"\nat_most = "5 points"\n'
WAIVER = '[[waiver]]\nrule = "no-harm"\nreason = "r"\nby = "b"\nexpires = 2027-01-01\n'


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", None, "has no rule"),
        ('[[limit]]\nname = "x"\nat_mots = "5 points"\n', 2, "did you mean 'at_most'"),
        ('[[limit]]\nname = "x"\nat_most = "5 apples"\n', 4, 'write "5 points"'),
        ('[[limit]]\nname = "x"\nat_most = "0.5 times"\n', 4, "not less than 1"),
        ('[[limit]]\nname = "x"\nat_most = -1\n', 4, "at least 0"),
        ('[[limit]]\nname = "x"\nat_most = "500 points"\n', 4, "at most 100 points"),
        ('[[limit]]\nname = "x"\nat_most = "0 points"\n', 2, "must_see"),
        (LIMIT + 'must_see = "2 times"\n', 2, "contradict"),
        (LIMIT + 'kinds = ["harms"]\n', 5, "'harm'"),
        (LIMIT + LIMIT, 6, "two rules are called 'no-harm'"),
        (LIMIT + LIMIT.replace("no-harm", "b").replace("5", "2"), 7, "contradict each other"),
        ("[floor]\ncoverage = 0.9\nrefusals = 0.3\n", 4, "contradict each other"),
        ("[floor]\ncoverage = 9\n", 3, "less than or equal to 1"),
        (LIMIT + WAIVER.replace("no-harm", "no-ham"), 6, "did you mean 'no-harm'"),
        (LIMIT + WAIVER.replace("2027-01-01", '"soon"'), 9, "date"),
        (LIMIT + WAIVER.replace('by = "b"\n', ""), 5, "by: missing"),
    ],
)  # fmt: skip
def test_faults_are_told(text: str, line: int | None, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gate\.toml") as raised:
        policy(tmp_path, text)
    assert said in str(raised.value)
    assert raised.value.line == line


@pytest.mark.parametrize(
    ("key", "name", "near"),
    [("metric", "violnce_rate", "violence_rate"), ("group", "Muslim", "Muslims")],
)
def test_names_that_were_not_measured_are_told_with_the_nearest(
    key: str, name: str, near: str, tmp_path: Path
) -> None:
    rules = policy(tmp_path, f'{LIMIT}{key} = "{name}"\n')
    with pytest.raises(InputError, match=f"did you mean '{near}'") as raised:
        rules.check_names([figure(0.2, 0.1, 0.3)])
    assert raised.value.line == 5
    policy(tmp_path, f'{LIMIT}{key} = ["{near}"]\n').check_names([figure(0.2, 0.1, 0.3)])


def test_regressions_need_a_baseline(tmp_path: Path) -> None:
    rules = policy(tmp_path, '[[regression]]\nname = "r"\nat_most = "2 points"\n')
    with pytest.raises(InputError, match="give one with --baseline") as raised:
        rules.check_baseline(given=False)
    assert raised.value.line == 2
    rules.check_baseline(given=True)


@pytest.mark.parametrize("written", ["5 points", "1 point", "2.5 points", "1.5 times"])
def test_allowances_are_written_as_they_are_read(written: str) -> None:
    assert str(Allowance.parse(written)) == written
