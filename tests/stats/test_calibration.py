"""Calibration against a plain loop, and at its ends."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.calibration import calibration


def test_the_error_is_that_of_a_plain_loop() -> None:
    rng = np.random.default_rng(0)
    held, right = rng.uniform(size=103), rng.integers(0, 2, size=103)
    order, expected = np.argsort(held), 0.0
    for part in np.array_split(order, 10):
        expected += len(part) / 103 * abs(held[part].mean() - right[part].mean())

    found = calibration(held, right)

    assert found.error == pytest.approx(expected)
    assert found.n.sum() == 103
    assert (np.diff(found.confidence) > 0).all()


def test_a_calibrated_model_has_next_to_no_error_and_a_boaster_a_large_one() -> None:
    rng = np.random.default_rng(1)
    held = rng.uniform(0.5, 1, size=20_000)
    right = rng.uniform(size=20_000) < held

    assert calibration(held, right).error < 0.02
    assert calibration(np.ones(100), np.zeros(100)).error == 1


@pytest.mark.parametrize(
    ("held", "right"), [([], []), ([0.5], [1, 0]), ([1.2], [1]), ([float("nan")], [1])]
)
def test_impossible_values_are_refused(held: list[float], right: list[float]) -> None:
    with pytest.raises(ValueError, match="confidence"):
        calibration(held, right)
