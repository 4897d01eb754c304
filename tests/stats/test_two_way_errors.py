from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import stdtrit

from slant.stats.two_way_errors import Errors, two_way_errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

IN_TURN = np.array([[(row - 2 * column) % 6 < 2 for column in range(15)] for row in range(6)])
"""Two of six wordings in each of fifteen prompts, the next prompt the next ones."""


def on_average(known: NDArray[np.bool_]) -> list[float]:
    """Give the variance that is found where only rows vary, only columns, or only single cells.

    It is a quadratic form: its mean where every row's effect is a unit normal deviate is the sum
    of what it is for one row at a time.
    """
    rows, columns = known.shape
    alone = [
        np.eye(rows)[:, :, None] * known,
        np.eye(columns)[:, None, :] * known,
        np.eye(known.size).reshape(-1, rows, columns)[known.ravel()],
    ]
    return [float(two_way_errors(each, known).unbiased.sum()) for each in alone]


@given(
    st.tuples(st.integers(2, 7), st.integers(2, 7)).flatmap(
        lambda shape: arrays(np.bool_, shape, elements=st.booleans())
    )
)
def test_variances_are_right_on_average_whichever_cells_are_known(known: NDArray[np.bool_]) -> None:
    assume(known.any(axis=0).all() and known.any(axis=1).all())
    count = known.sum()
    assume(known.all() or count - sum(known.shape) + 1 >= 2)
    expected = [float((known.sum(axis=axis) ** 2).sum()) / count**2 for axis in (1, 0)]
    assert on_average(known) == pytest.approx([*expected, 1 / count])


def test_where_every_prompt_has_one_wording_the_rest_is_not_told_apart() -> None:
    known = np.array([[row == column % 6 for column in range(12)] for row in range(6)])
    found = on_average(known)
    assert found[0] == pytest.approx(1 / 6 * 10 / 11, rel=0.2)
    assert found[1] == found[2] == pytest.approx(1 / 12)


def simulated(
    known: NDArray[np.bool_], wordings: float, prompts: float
) -> tuple[float, Errors, float]:
    """Draw tables: the variance of their means, what is estimated, and how many are covered."""
    rng = np.random.default_rng([int(100 * wordings), int(100 * prompts), known.size])
    shape = (4000, *known.shape)
    values = rng.normal(size=shape) * 0.3
    values += rng.normal(size=(*shape[:2], 1)) * wordings
    values += rng.normal(size=(shape[0], 1, shape[2])) * prompts
    values *= known
    found = two_way_errors(values, known)
    means = values.sum(axis=(1, 2)) / known.sum()
    reach = stdtrit(found.freedom, 0.975) * np.sqrt(found.variance)
    return float(means.var()), found, float((np.abs(means) <= reach).mean())


@pytest.mark.parametrize("known", [np.ones((6, 6), bool), IN_TURN], ids=["crossed", "in turn"])
@pytest.mark.parametrize(
    ("wordings", "prompts"), [(0.0, 0.0), (0.1, 0.1), (0.3, 0.3), (0.0, 0.5), (0.5, 0.0)]
)
def test_intervals_cover_as_often_as_they_say(
    known: NDArray[np.bool_], wordings: float, prompts: float
) -> None:
    variance, found, covered = simulated(known, wordings, prompts)
    assert found.unbiased.mean() == pytest.approx(variance, rel=0.1)
    assert 0.925 <= covered <= 0.97


def test_what_statistics_are_divided_by_is_never_small_by_luck() -> None:
    _, found, _ = simulated(np.ones((6, 6), bool), 0.0, 0.0)
    assert (found.steady >= found.variance - 1e-15).all()
    assert np.quantile(found.steady, 0.01) > 1.5 * np.quantile(found.variance, 0.01)
    assert (two_way_errors(np.zeros((6, 6)), np.ones((6, 6), bool), 0.01)).steady == 0.01


def test_what_a_difference_varies_by_is_added_up() -> None:
    known = np.ones((6, 6), bool)
    one, two = (
        two_way_errors(np.random.default_rng(seed).normal(size=(4, 6, 6)), known) for seed in (1, 2)
    )
    found = Errors.added(one, two)
    for name in ("variance", "unbiased", "steady"):
        assert getattr(found, name) == pytest.approx(getattr(one, name) + getattr(two, name))
    assert (found.freedom > np.minimum(one.freedom, two.freedom)).all()


def test_a_variance_that_is_known_to_be_larger_is_surer() -> None:
    values = np.random.default_rng(3).normal(size=(6, 6))
    known = np.ones((6, 6), bool)
    plain = two_way_errors(values, known)
    raised = two_way_errors(values, known, 4 * plain.variance)
    assert raised.variance == pytest.approx(4 * plain.variance)
    assert raised.freedom == pytest.approx(16 * plain.freedom)
    nothing = two_way_errors(np.zeros((6, 6)), known, 0.01)
    assert nothing.variance == 0.01
    assert nothing.freedom > 1e5


def test_digits_of_no_meaning_do_not_decide_how_sure_a_mean_is() -> None:
    """Where one cell differs from the others, rows and columns add exactly nothing."""
    values = np.zeros((6, 6))
    values[2, 3] = 1.0
    noise = np.random.default_rng(14).normal(0, 1e-6, (200, 6, 6))
    errors = two_way_errors(values + noise, np.ones((6, 6), dtype=bool))
    assert errors.freedom == pytest.approx(25, rel=1e-3)
