from typing import Any

import numpy as np
import pytest
from scipy import stats

from slant.stats import bootstrap_interval
from slant.stats.bootstrap import Method

SKEWED = np.random.default_rng(0).lognormal(size=40)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("statistic", [np.mean, np.median, np.std])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_agrees_with_scipy(statistic: Any, method: Method) -> None:
    ours = bootstrap_interval(
        SKEWED, statistic, method=method, resamples=20_000, level=0.9, rng=rng()
    )
    theirs = stats.bootstrap(
        (SKEWED,),
        statistic,
        method="BCa" if method == "bca" else "percentile",
        n_resamples=20_000,
        confidence_level=0.9,
        rng=rng(2),
    )
    interval = theirs.confidence_interval
    atol = 0.12 * float(theirs.standard_error)
    np.testing.assert_allclose(ours, [interval.low, interval.high], atol=atol)


def test_bca_follows_the_skew() -> None:
    low, high = bootstrap_interval(SKEWED, np.mean, rng=rng())
    bca_low, bca_high = bootstrap_interval(SKEWED, np.mean, method="bca", rng=rng())
    assert bca_low > low
    assert bca_high > high


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_clusters_of_equal_values_count_as_one_observation(method: Method) -> None:
    clustered = bootstrap_interval(
        np.repeat(SKEWED, 5), np.mean, clusters=np.repeat(range(40), 5), method=method, rng=rng()
    )
    one_each = bootstrap_interval(SKEWED, np.mean, method=method, rng=rng())
    np.testing.assert_allclose(clustered, one_each, rtol=1e-12)


def test_clusters_may_differ_in_size_and_lie_anywhere() -> None:
    # A ratio of sums over clusters of 1 to 6 values: compare with a plain loop.
    source = rng(3)
    sizes = source.integers(1, 7, 25)
    clusters = np.repeat(np.arange(25), sizes)
    values = source.normal(size=len(clusters)) + clusters / 10
    shuffled = source.permutation(len(values))
    ours = bootstrap_interval(
        values[shuffled], np.mean, clusters=clusters[shuffled] * 10, resamples=20_000, rng=rng()
    )
    sums = np.bincount(clusters, values)
    drawn = rng(4).integers(25, size=(20_000, 25))
    means = sums[drawn].sum(1) / sizes[drawn].sum(1)
    np.testing.assert_allclose(ours, np.quantile(means, [0.025, 0.975]), atol=0.06 * means.std())
    # Ignoring the clusters would pretend to know more.
    low, high = bootstrap_interval(values, np.mean, rng=rng())
    assert high - low < 0.8 * (ours[1] - ours[0])


def test_memory_limits_change_nothing_but_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[tuple[int, ...]] = []

    def mean(values: np.ndarray, axis: int) -> Any:
        shapes.append(values.shape)
        return values.mean(axis)

    at_once = bootstrap_interval(SKEWED, mean, resamples=1000, rng=rng())
    assert shapes == [(1000, 40)]
    shapes.clear()
    monkeypatch.setattr("slant.stats.bootstrap._VALUES_AT_ONCE", 40 * 300)
    in_turn = bootstrap_interval(SKEWED, mean, resamples=1000, rng=rng())
    assert [rows for rows, _ in shapes] == [300, 300, 300, 100]
    np.testing.assert_allclose(at_once, in_turn)


def test_the_same_seed_gives_the_same_interval() -> None:
    first, again, other = (bootstrap_interval(SKEWED, np.mean, rng=rng(seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_values_without_spread(method: Method) -> None:
    assert bootstrap_interval([2.0] * 5, np.mean, method=method, rng=rng()) == (2, 2)


def test_a_statistic_that_is_undefined_in_some_resample() -> None:
    def ratio(values: np.ndarray, axis: int) -> Any:
        return np.where(values.sum(axis) == 0, np.nan, 1.0)

    low, high = bootstrap_interval([0.0, 0.0, 1.0], ratio, method="bca", rng=rng())
    assert np.isnan([low, high]).all()


def test_covers_the_truth() -> None:
    source = rng(7)
    hits = 0
    for _ in range(400):
        effect = source.normal(size=25)
        values = np.repeat(effect, 4) + source.normal(size=100)
        low, high = bootstrap_interval(
            values, np.mean, clusters=np.repeat(np.arange(25), 4), resamples=500, rng=source
        )
        hits += low <= 0 <= high
    assert hits / 400 == pytest.approx(0.94, abs=0.035)


def test_impossible_input_is_refused() -> None:
    def interval(values: Any = (1.0, 2.0), **more: Any) -> None:
        bootstrap_interval(values, np.mean, rng=rng(), **more)

    with pytest.raises(ValueError, match="same shape"):
        interval(clusters=[1])
    with pytest.raises(ValueError, match="same shape"):
        interval([[1.0, 2.0]])
    with pytest.raises(ValueError, match="NaN"):
        interval([1, np.nan])
    with pytest.raises(ValueError, match="two clusters"):
        interval(clusters=[1, 1])
    with pytest.raises(ValueError, match="two clusters"):
        interval([])
    with pytest.raises(ValueError, match="resamples"):
        interval(resamples=0)
    with pytest.raises(ValueError, match="method"):
        interval(method="BCa")
    with pytest.raises(ValueError, match="level"):
        interval(level=95)
