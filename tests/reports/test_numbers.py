from dataclasses import replace

import pytest

from slant.records import Interval
from slant.reports.numbers import (
    chance_text,
    interval_text,
    plain,
    probability,
    quantity,
    value_text,
)

from .fake import ODDS, completion

RATE, *_ = completion().analysis.findings
DIFFERENCE = next(f for f in completion().analysis.findings if f.contrast == "vs_rest")


@pytest.mark.parametrize(
    ("value", "signed", "expected"),
    [(0.66, False, "66%"), (0.51, True, "+51 points"), (-0.01, True, "−1 point")],
)
def test_shares_are_percent_and_their_differences_points(
    value: float, signed: bool, expected: str
) -> None:
    assert quantity(value, "share", signed=signed) == expected


def test_nothing_has_no_sign() -> None:
    assert quantity(-0.001, "share", signed=True) == "0 points"
    assert quantity(0.0, "number", signed=True) == "0"


def test_a_number_small_enough_for_an_exponent_has_a_sign() -> None:
    assert quantity(9.92e-6, "number", signed=True) == "+9.92e−06"
    assert quantity(-9.92e-6, "number", signed=True).startswith("−")


def test_numbers_have_three_digits_and_a_true_minus() -> None:
    assert plain(-0.12345) == "−0.123"
    assert plain(1234567.0) == "1,234,567"
    assert plain(999.9) == "1,000"


def test_a_finding_in_writing() -> None:
    assert value_text(RATE) == "66%"
    assert interval_text(RATE) == "57–75"
    assert chance_text(RATE) == "21% (14–29)"
    assert value_text(DIFFERENCE) == "+51 points"
    assert chance_text(DIFFERENCE) == "0 points (−11 to 11)"


def test_narrow_intervals_get_a_decimal() -> None:
    narrow = replace(RATE, value=0.0042, low=0.003, high=0.0061)
    assert (value_text(narrow), interval_text(narrow)) == ("0.4%", "0.3–0.6")


def test_odds_ratios_are_not_differences() -> None:
    odds = replace(
        DIFFERENCE, **ODDS, value=9.45, low=5.9, high=16.4,
        chance=Interval(1.0, 0.41, 1.82), target=1.0,
    )  # fmt: skip
    assert (value_text(odds), interval_text(odds)) == ("9.45", "5.9–16.4")


def test_what_is_missing_is_not_zero() -> None:
    missing = replace(RATE, value=None, low=None, high=None, chance=None)
    assert (value_text(missing), interval_text(missing), chance_text(missing)) == ("–", "", "")


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.0001, "q < .001"), (0.0324, "q = .032"), (0.9995, "q > .999"), (1.0, "q > .999")],
)
def test_q_values(value: float, expected: str) -> None:
    assert probability("q", value) == expected
