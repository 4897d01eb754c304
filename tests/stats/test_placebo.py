"""Where a difference stands among those between groups that cannot matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

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


def test_measured_exactly_it_is_students_t() -> None:
    """A uniform prior of a standard deviation predicts Student's t (Gelman et al. 2013, 3.2)."""
    values = np.random.default_rng(2).normal(0, 0.3, 12)
    found = placebo_spread(values, np.zeros(12))
    t = np.array([0.5, 2.0, 5.0, 9.0])
    p = found.p_value(t * np.sqrt((values**2).sum() / 11), 0.0)
    assert p == pytest.approx(2 * stats.t.sf(t, 11), rel=1e-3)


def test_it_is_the_integral_over_all_that_words_may_do() -> None:
    values, error = np.array([0.3, -0.1, 0.25, -0.4, 0.2]), 0.2
    found = placebo_spread(values, np.full(5, error))

    def weight(tau: float) -> float:
        return float(np.prod(stats.norm.pdf(values, 0, np.hypot(tau, error))))

    def far(tau: float) -> float:
        return weight(tau) * 2 * float(stats.norm.sf(0.9 / np.hypot(tau, 0.1)))

    exact = quad(far, 0, np.inf)[0] / quad(weight, 0, np.inf)[0]
    assert found.p_value(0.9, 0.1) == pytest.approx(exact, rel=1e-4)


def test_noise_that_may_hide_what_words_do_leaves_it_open() -> None:
    """Six placebo groups measured three times less precisely say little, though τ is 0."""
    found = placebo_spread([0.002, -0.004, 0.003, 0.001, -0.003, 0.002], np.full(6, 0.006))
    assert found.value == 0
    assert found.p_value(0.027, 0.002) > 0.001  # of its own noise alone: 2e-41
    many = placebo_spread(np.tile([0.002, -0.004, 0.003], 200), np.full(600, 0.006))
    assert many.p_value(0.027, 0.002) < 1e-10


def test_a_dozen_differences_that_say_nothing_count_for_less_than_what_a_family_says() -> None:
    """By luck a few placebo groups agree on some noun: it is judged by what all nouns show."""
    alike = placebo_spread(np.full(12, 0.01), np.full(12, 0.3))
    assert alike.value == 0
    judged = replace(alike, pooled=0.4)
    assert judged.p_value(1.2, 0.3) > 2 * stats.norm.sf(1.2 / 0.5) > alike.p_value(1.2, 0.3)
    wide = placebo_spread(np.full(12, 2.0), np.full(12, 0.3))
    assert replace(wide, pooled=0.4).p_value(1.2, 0.3) == pytest.approx(wide.p_value(1.2, 0.3))


def test_mere_words_as_large_as_this_leave_nothing_to_say() -> None:
    rng = np.random.default_rng(3)
    found = placebo_spread(rng.normal(0, 1.0, 30), np.full(30, 0.1))
    assert found.p_value(0.8, 0.1) > 0.2  # though eight standard errors from 0
    assert found.p_value(4.0, 0.1) < 0.01
    assert found.p_value(4.0, 0.0) < 0.01


@pytest.mark.parametrize(("words", "noise"), [(0.5, 0.1), (0.3, 0.3), (0.1, 0.3), (0.0, 0.3)])
def test_far_out_few_placebo_groups_say_little(words: float, noise: float) -> None:
    """The p-value of a placebo is as small as it should be, also where many are looked at."""
    rng = np.random.default_rng(5)
    p = []
    for _ in range(4000):
        values = rng.normal(0, words, 6) + rng.normal(0, noise, 6)
        one = rng.normal(0, words) + rng.normal(0, 0.1)
        p.append(placebo_spread(values, np.full(6, noise)).p_value(one, 0.1))
    for level in (0.05, 0.01, 0.002):
        assert np.mean(np.array(p) < level) < level + 3 * np.sqrt(level / 4000)


def test_where_nothing_differs_at_all_any_difference_is_beyond() -> None:
    nothing = placebo_spread(np.zeros(6), np.zeros(6))
    assert nothing.p_value([0.0, 0.1], 0.0).tolist() == [1.0, 0.0]
    assert nothing.p_value(0.5, 0.2) == pytest.approx(2 * stats.norm.sf(2.5))


def test_the_smallest_difference_that_stands_out_is_where_p_is_the_level() -> None:
    values = np.random.default_rng(8).normal(0, 0.3, 12)
    for found in (placebo_spread(values, np.full(12, 0.2)), placebo_spread(values, np.zeros(12))):
        least = found.smallest(0.1, 0.05 / 36)
        assert found.p_value(least, 0.1) == pytest.approx(0.05 / 36, rel=1e-6)
        assert replace(found, pooled=1.0).smallest(0.1, 0.05 / 36) > least
    assert placebo_spread(np.zeros(6), np.zeros(6)).smallest(0.0, 0.05) == 0


def test_one_difference_is_too_few() -> None:
    with pytest.raises(ValueError, match="two differences or more"):
        placebo_spread([0.1], [0.1])
