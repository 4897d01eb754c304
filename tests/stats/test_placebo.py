"""Where a difference stands among those between groups that cannot matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from slant.stats.placebo import placebo_spread


def test_noise_is_taken_out_of_the_spread() -> None:
    rng = np.random.default_rng(1)
    errors = np.full(4000, 0.3)
    values = rng.normal(0, 0.4, 4000) + rng.normal(0, errors)
    found = placebo_spread(values, errors)
    assert found.value == pytest.approx(0.4, abs=0.02)
    assert found.low < found.value < found.high


def test_cautious_errors_do_not_hide_what_words_do() -> None:
    rng = np.random.default_rng(6)
    values = rng.normal(0, 0.2, 4000) + rng.normal(0, 0.3, 4000)
    cautious = np.full(4000, 0.37)
    assert placebo_spread(values, cautious).value < 0.05
    noise = rng.normal(0.09, 0.2, 4000)  # some below 0, right on average
    assert placebo_spread(values, cautious, noise).value == pytest.approx(0.2, abs=0.03)


def test_where_words_do_nothing_it_is_the_p_value() -> None:
    rng = np.random.default_rng(2)
    errors = np.full(12, 0.3)
    found = placebo_spread(rng.normal(0, 0.1, 12), errors)
    assert found.value == 0
    assert found.share_exceeded(-0.5, 0.2) == pytest.approx(1 - 2 * stats.norm.sf(2.5))


def test_a_dozen_differences_that_say_nothing_count_for_less_than_what_a_family_says() -> None:
    """By luck a few placebo groups agree on some noun: it is judged by what all nouns show."""
    alike = placebo_spread(np.full(12, 0.01), np.full(12, 0.3))
    assert alike.value == 0
    judged = replace(alike, pooled=0.4)
    known = replace(alike, value=0.4)
    assert judged.share_exceeded(1.2, 0.3) == known.share_exceeded(1.2, 0.3) < 0.99
    assert judged.p_value(1.2, 0.3) == known.p_value(1.2, 0.3)
    assert replace(known, pooled=0.1).p_value(1.2, 0.3) == known.p_value(1.2, 0.3)


def test_mere_words_as_large_as_this_leave_nothing_to_say() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(0, 1.0, 30)
    found = placebo_spread(values, np.full(30, 0.1))
    assert found.share_exceeded(0.8, 0.1) < 0.8  # though eight standard errors from 0
    assert found.share_exceeded(4.0, 0.1) > 0.99
    assert found.share_exceeded(4.0, 0.0) > 0.99


def test_a_placebo_is_beyond_placebos_in_one_case_of_twenty() -> None:
    rng = np.random.default_rng(4)
    beyond = []
    for _ in range(400):
        errors = np.full(13, 0.2)
        values = rng.normal(0, 0.3, 13) + rng.normal(0, errors)
        found = placebo_spread(values[1:], errors[1:])
        beyond.append(found.share_exceeded(values[0], 0.2) >= 0.95)
    assert np.mean(beyond) <= 0.09


def test_far_out_few_placebo_groups_say_little() -> None:
    """The p-value of a placebo is as small as it should be, also where many are looked at."""
    rng = np.random.default_rng(5)
    p = []
    for _ in range(3000):
        values = rng.normal(0, 0.5, 7) + rng.normal(0, 0.1, 7)
        p.append(placebo_spread(values[1:], np.full(6, 0.1)).p_value(values[0], 0.1))
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.02)
    assert np.mean(np.array(p) < 0.002) < 0.006
    without = placebo_spread(np.full(6, 0.01), np.full(6, 0.3))
    assert without.p_value(0.5, 0.2) == pytest.approx(2 * stats.norm.sf(2.5))
    assert without.p_value(0.0, 0.0) == 1.0


def test_one_difference_is_too_few() -> None:
    with pytest.raises(ValueError, match="two differences or more"):
        placebo_spread([0.1], [0.1])
