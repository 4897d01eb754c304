"""Signal detection against worked values and the normal distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from slant.stats.signal_detection import signal_detection


def test_sensitivity_and_criterion_are_those_of_the_textbook() -> None:
    found = signal_detection(75, 99, 25, 99)
    high, low = 75.5 / 100, 25.5 / 100

    assert found.sensitivity == pytest.approx(stats.norm.ppf(high) - stats.norm.ppf(low))
    assert found.criterion == pytest.approx(-(stats.norm.ppf(high) + stats.norm.ppf(low)) / 2)


def test_one_who_says_yes_to_everything_has_a_bias_and_no_sensitivity() -> None:
    found = signal_detection(40, 40, 40, 40)

    assert found.sensitivity == 0
    assert found.criterion < -2


def test_shapes_are_kept() -> None:
    found = signal_detection(np.array([3, 0]), 4, np.array([0.5, 0]), 4)

    assert found.sensitivity.shape == (2,)
    assert found.criterion[1] > 1


@pytest.mark.parametrize("counts", [(5, 4, 0, 4), (-1, 4, 0, 4), (0, 0, 0, 4), (0, 4, np.nan, 4)])
def test_impossible_counts_are_refused(counts: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="count"):
        signal_detection(*counts)
