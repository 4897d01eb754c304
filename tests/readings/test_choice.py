from __future__ import annotations

import math

import pytest

from slant.readings.choice import read_choice

YES_NO = ("Yes", "No")


def logs(yes: float, no: float) -> tuple[float, float]:
    return math.log(yes), math.log(no)


def test_probabilities_count_where_the_options_hold_the_mass_and_the_text_agrees() -> None:
    choice = read_choice("Yes", logs(0.72, 0.24), YES_NO)
    assert choice.option == 0
    assert choice.probabilities == pytest.approx((0.75, 0.25))
    assert choice.mass == pytest.approx(0.96)


def test_a_sliver_of_mass_says_nothing() -> None:
    choice = read_choice("**No.**", logs(7e-6, 3e-6), YES_NO)
    assert (choice.option, choice.probabilities) == (1, None)
    refusal = read_choice("I'm sorry, but I can't answer that.", logs(3e-4, 1e-4), YES_NO)
    assert (refusal.option, refusal.probabilities) == (None, None)


def test_where_text_and_probabilities_disagree_the_text_rules() -> None:
    choice = read_choice("No, they can't.", logs(0.55, 0.4), YES_NO)
    assert (choice.option, choice.probabilities, choice.disagrees) == (1, None, True)


@pytest.mark.parametrize("text", ["It depends", "Yes and No", "No one can say"])
def test_what_names_no_option_is_none_however_probable_it_begins(text: str) -> None:
    assert read_choice(text, logs(0.6, 0.38), YES_NO).option is None


def test_a_model_that_is_asked_for_probabilities_alone_is_taken_at_its_word() -> None:
    choice = read_choice(None, logs(0.1, 0.3), YES_NO)
    assert choice.option == 1
    assert choice.probabilities == pytest.approx((0.25, 0.75))
    assert choice.mass == pytest.approx(0.4)
