import numpy as np
import pytest

from slant.stats.arrays import counts, critical_value, probabilities, proportion, tails


def test_counts_broadcast() -> None:
    k, n = counts([1, 2], 5)
    assert k.tolist() == [1, 2]
    assert n.tolist() == [5, 5]


@pytest.mark.parametrize(
    ("successes", "trials", "shown"),
    [(3, 2, "3 of 2"), (-1, 2, "-1 of 2"), ([1, np.nan], 2, "nan of 2"), (1, np.inf, "1 of inf")],
)
def test_impossible_counts_are_refused(successes: object, trials: float, shown: str) -> None:
    with pytest.raises(ValueError, match=f"not {shown}"):
        counts(successes, trials)  # type: ignore[arg-type]


def test_a_share_of_nothing_is_unknown() -> None:
    k, n = counts([1, 0], [4, 0])
    np.testing.assert_array_equal(proportion(k, n), [0.25, np.nan])


def test_probabilities_may_be_unknown_but_not_impossible() -> None:
    first, second = probabilities([0, np.nan], 1)
    np.testing.assert_array_equal(first, [0, np.nan])
    assert second == 1
    with pytest.raises(ValueError, match=r"between 0 and 1, not 1\.5"):
        probabilities(0.5, [0.1, 1.5])


def test_levels() -> None:
    assert tails(0.9) == pytest.approx((0.05, 0.95))
    assert critical_value(0.95) == pytest.approx(1.959964, abs=1e-6)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan")])
def test_impossible_levels_are_refused(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        tails(level)
