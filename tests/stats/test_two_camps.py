import numpy as np
import pytest

from slant.stats.two_camps import two_camps


@pytest.mark.parametrize(
    ("values", "sure", "upper"),
    [
        ([5, 5, 5, -5, -5, -5], [1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]),
        ([5, -5, 5, -5], [1, 0, 0, 0], [1, 0, 1, 0]),  # one in the middle says it for both
        ([6, 6, -3, -3, -3], [1, 1, 1, 0, 0], [1, 1, 0, 0, 0]),  # of equals, any
        ([9, 0.1, 0, 0, -0.1, -0.2], [1, 0, 0, 0, 0, 0], None),
        ([9, 9, 0, 0.1, -0.1, -9], [1, 1, 0, 0, 0, 1], None),  # two are in the middle
        ([9, -0.1, -0.2, -0.3], [1, 0, 1, 0], None),  # one group is no camp
        ([9, -9], [1, 1], None),
        ([9, -4, -5], [1, 1, 1], None),
    ],
)
def test_camps_are_where_even_the_middle_differs(
    values: list[float], sure: list[int], upper: list[int] | None
) -> None:
    found = two_camps(values, sure)
    assert (None if found is None else found.astype(int).tolist()) == upper


def test_the_order_of_groups_does_not_matter() -> None:
    values, order = np.array([3.0, 2, 1, -1, -2, -3]), np.array([3, 0, 5, 1, 4, 2])
    found = two_camps(values[order], np.ones(6))
    assert found is not None
    np.testing.assert_array_equal(found, (values > 0)[order])
