import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from slant.stats import median_of_others


@given(
    arrays(
        np.float64,
        array_shapes(min_dims=1, max_dims=3, min_side=2, max_side=7),
        elements=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.66, 1.0]),
    )
)
def test_is_the_median_without_the_group(values: np.ndarray) -> None:
    groups = values.shape[-1]
    expected = [np.median(np.delete(values, group, axis=-1), axis=-1) for group in range(groups)]
    np.testing.assert_allclose(median_of_others(values), np.stack(expected, axis=-1), rtol=1e-15)


def test_one_that_differs_does_not_move_the_others() -> None:
    rate = np.array([0.66, 0.15, 0.15, 0.15, 0.15, 0.15])
    np.testing.assert_array_equal(rate - median_of_others(rate) != 0, [True] + [False] * 5)


def test_nobody_has_no_others() -> None:
    with pytest.raises(ValueError, match="two groups"):
        median_of_others(np.array([0.5]))
