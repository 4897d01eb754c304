from typing import Any

import numpy as np
import pytest
from scipy import stats

from slant.stats import permutation_test
from slant.stats.inference import Alternative


def difference(values: np.ndarray, labels: np.ndarray) -> Any:
    return values[..., labels == 1].mean(-1) - values[..., labels == 0].mean(-1)


def each_against_all(values: np.ndarray, labels: np.ndarray) -> Any:
    means = [values[..., labels == label].mean(-1) for label in np.unique(labels)]
    return np.stack(means, axis=-1) - values.mean(-1)[..., None]


LABELS = np.repeat([0, 1], [8, 9])
VALUES = np.random.default_rng(0).normal(size=17) + 0.8 * LABELS


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_agrees_with_scipy(alternative: Alternative) -> None:
    result = permutation_test(
        VALUES,
        LABELS,
        difference,
        resamples=20_000,
        alternative=alternative,
        rng=np.random.default_rng(1),
    )
    # The exact null, from all 24,310 arrangements.
    exact = stats.permutation_test(
        (VALUES[LABELS == 1], VALUES[LABELS == 0]),
        lambda x, y, axis: x.mean(axis) - y.mean(axis),
        n_resamples=100_000,
        alternative="less" if alternative == "less" else "greater",
        vectorized=True,
    )
    null = exact.null_distribution
    expected = exact.pvalue
    if alternative == "two-sided":
        expected = np.mean(np.abs(null) >= abs(exact.statistic) - 1e-12)
    assert result.observed == pytest.approx(exact.statistic)
    assert result.p == pytest.approx(expected, abs=4 * np.sqrt(expected / 20_000))
    chance = result.chance[0]
    assert chance is not None
    assert chance.expected == pytest.approx(null.mean(), abs=0.02)
    np.testing.assert_allclose(
        [chance.low, chance.high], np.quantile(null, [0.025, 0.975]), atol=0.05
    )


def test_agrees_with_fishers_exact_test() -> None:
    outcome = np.repeat([1.0, 0, 1, 0], [9, 6, 3, 12])
    label = np.repeat([1, 0], [15, 15])
    result = permutation_test(
        outcome, label, difference, resamples=20_000, rng=np.random.default_rng(2)
    )
    fisher = stats.fisher_exact(np.array([[9, 6], [3, 12]])).pvalue
    assert result.p == pytest.approx(fisher, abs=0.006)


def test_several_statistics_of_several_groups_at_once() -> None:
    labels = np.repeat(["a", "b", "c"], 20)
    values = np.random.default_rng(3).normal(size=60) + 3 * (labels == "b")
    result = permutation_test(
        values, labels, each_against_all, resamples=999, rng=np.random.default_rng(4)
    )
    assert result.p.shape == result.chance.low.shape == result.chance.expected.shape == (3,)
    assert result.p[1] == pytest.approx(1 / 1000)
    chance = result.chance
    assert chance.low[1] < chance.expected[1] < chance.high[1] < result.observed[1]


def test_strata_keep_what_differs_between_them() -> None:
    # All of the difference lies between the strata, none within.
    strata = np.repeat([0, 1], 20)
    labels = np.concatenate([np.repeat([0, 1], [15, 5]), np.repeat([0, 1], [5, 15])])
    values = 5.0 * strata + np.tile([0.0, 1.0], 20)

    def p(**strata_or_none: Any) -> float:
        rng = np.random.default_rng(5)
        return float(
            permutation_test(
                values, labels, difference, resamples=2000, rng=rng, **strata_or_none
            ).p
        )

    assert p() < 0.01
    assert p(strata=strata) > 0.2


def test_looking_up_observations_by_number() -> None:
    x = np.random.default_rng(6).normal(size=(30, 2))
    labels = np.repeat([0, 1], 15)

    def of_products(which: np.ndarray, labels: np.ndarray) -> Any:
        return difference(x[which].prod(-1), labels)

    by_number = permutation_test(
        np.arange(30), labels, of_products, resamples=500, rng=np.random.default_rng(7)
    )
    directly = permutation_test(
        x.prod(-1), labels, difference, resamples=500, rng=np.random.default_rng(7)
    )
    assert by_number.p == directly.p


def test_p_is_uniform_when_labels_do_not_matter() -> None:
    rng = np.random.default_rng(8)
    p = [
        float(permutation_test(x, LABELS, difference, resamples=199, rng=rng).p)
        for x in rng.normal(size=(600, 17))
    ]
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.05, abs=0.025)
    assert stats.kstest(p, "uniform").pvalue > 0.001


def test_impossible_input_is_refused() -> None:
    rng = np.random.default_rng(0)

    def test(
        values: Any = (1.0, 2.0), labels: Any = (0, 1), resamples: int = 9, **more: Any
    ) -> None:
        permutation_test(values, labels, difference, resamples=resamples, rng=rng, **more)

    with pytest.raises(ValueError, match="same shape"):
        test(labels=[0, 1, 1])
    with pytest.raises(ValueError, match="same shape"):
        test(strata=[0])
    with pytest.raises(ValueError, match="NaN"):
        test(values=[1, np.nan])
    with pytest.raises(ValueError, match="two groups"):
        test(labels=[1, 1])
    with pytest.raises(ValueError, match="resamples"):
        test(resamples=0)
    with pytest.raises(ValueError, match="alternative"):
        test(alternative="both")
