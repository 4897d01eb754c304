import numpy as np
import pytest

from slant.stats.name_covariates import without_covariates


def test_a_straight_line_is_taken_out_and_means_stay() -> None:
    rng = np.random.default_rng(0)
    length, values = rng.integers(1, 5, 30).astype(float), rng.normal(0, 1, (30, 4, 2))
    slopes = rng.normal(0, 1, (4, 2))
    left, count = without_covariates(values + length[:, None, None] * slopes, length[:, None])
    same, _ = without_covariates(values, length[:, None])
    assert count == 1
    np.testing.assert_allclose(left - left.mean(axis=0), same - same.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(same.mean(axis=0), values.mean(axis=0), atol=1e-12)
    assert np.corrcoef(left[:, 0, 0], length)[0, 1] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("names", "count"), [(9, 0), (15, 1), (20, 2)])
def test_few_names_bear_few_covariates(names: int, count: int) -> None:
    rng = np.random.default_rng(1)
    assert without_covariates(rng.normal(size=(names, 3)), rng.normal(size=(names, 2)))[1] == count


def test_what_does_not_vary_explains_nothing() -> None:
    values = np.random.default_rng(2).normal(size=(30, 3))
    left, count = without_covariates(values, np.full((30, 1), 4.0))
    assert count == 0
    np.testing.assert_array_equal(left, values)
