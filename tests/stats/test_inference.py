"""The core: p and its ties, intervals, what draws come to, and the pieces that designs share."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.blocked_means import blocked_means
from slant.stats.inference import (
    SINGLE,
    Draws,
    batches,
    interval,
    itself,
    p_value,
    permuted_within,
    strata_of,
    times,
    vs_rest,
)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_p_is_never_zero_and_counts_equals() -> None:
    assert p_value(np.zeros(9), 1.0) == pytest.approx(0.1)
    assert p_value(np.zeros(9), 0.0) == 1
    # 0.1 + 0.2 is 0.3, whatever floating point says.
    assert p_value([0.3, 0.0], 0.1 + 0.2) == pytest.approx(2 / 3)
    assert p_value([-0.3, 0.0], 0.1 + 0.2) == pytest.approx(2 / 3)
    assert p_value([-0.3, 0], 0.3, "greater") == pytest.approx(1 / 3)
    assert p_value([-0.3, 0], 0.3, "less") == 1
    with pytest.raises(ValueError, match="alternative"):
        p_value([0.0], 0.0, "both")  # type: ignore[arg-type]


def test_distances_are_from_the_centre() -> None:
    null = np.array([[4.0], [5.0], [7.0]])
    assert p_value(null, [7.0], centre=[5.0]) == pytest.approx([0.5])
    assert p_value(null, [7.0]) == pytest.approx([0.5])
    assert p_value(null, [3.0], centre=[5.0]) == pytest.approx([0.5])
    assert p_value(null, [3.0]) == pytest.approx([1.0])


def test_what_rounding_alone_makes_of_differences_is_a_tie() -> None:
    noise = np.array([1e-16, -2e-16, 0.0, 0.0])  # differences of numbers around 1
    assert p_value(noise, 2e-16) < 0.5
    assert p_value(noise, 2e-16, scale=1.0) == 1
    assert p_value([1.0], 1 + 1e-6, rounding=SINGLE) == 1
    assert p_value([1.0], 1 + 1e-6) == 0.5


def test_equal_sums_in_another_order_differ_by_nothing() -> None:
    # Two groups with the same values in other blocks: their means differ in the last digit only.
    values = np.array([[0.1, 0.2, 0.3, 0.7], [0.7, 0.3, 0.2, 0.1], [0.3, 0.1, 0.7, 0.2]])
    found = blocked_means(values, resamples=200, rng=rng())
    assert found.vs_rest.p.tolist() == [1, 1, 1]


def test_an_interval_holds_its_estimate_and_leaves_out_what_is_not_known() -> None:
    draws = np.column_stack([np.arange(101.0), np.arange(101.0), np.full(101, np.nan)])
    low, high = interval(draws, [50.0, 200.0, np.nan])
    np.testing.assert_allclose(low, [2.5, 2.5, np.nan])
    np.testing.assert_allclose(high, [97.5, 200.0, np.nan])
    draws[:50, 0] = np.nan
    assert interval(draws, [60.0, 50.0, np.nan])[0][0] == pytest.approx(51.25)
    assert np.ravel(interval(np.arange(101.0), 50.0, 0.9)).tolist() == pytest.approx([5, 95])


def test_draws_come_to_an_estimate() -> None:
    draws = Draws(
        observed=np.array([1.0, 2.0, 6.0]),
        resampled=np.array([1.0, 2.0, 6.0]) + np.linspace(-1, 1, 201)[:, None] * [1, 1, 2],
        exchanged=np.tile(np.linspace(0, 6, 61)[:, None], 3) * [1, 1, 0],
        unit="blocks",
    )
    own = draws.estimate(itself, centred=True)
    assert own.value.tolist() == [1, 2, 6]
    assert own.ends(2) == pytest.approx((6, 6 - 1.9, 6 + 1.9))
    line = own.chance[0]
    assert line is not None
    assert (line.expected, line.low, line.high) == pytest.approx((3, 0.15, 5.85))
    # As far from the middle, 3, as 1 is: 0 to 1 and 5 to 6 in steps of a tenth.
    assert own.p[0] == pytest.approx((1 + 22) / 62)
    rest = draws.estimate(vs_rest, expected=0.0)
    assert rest.value.tolist() == [1 - 4, 2 - 3.5, 6 - 1.5]
    assert rest.chance.expected.tolist() == [0, 0, 0]


def test_few_units_stretch_an_interval_about_its_estimate() -> None:
    drawn = np.linspace(-1, 1, 201)[:, None] + 5
    for stretch, least, reach in ((1.0, 0.0, 0.95), (2.0, 0.0, 1.9), (1.0, 3.0, 3.0)):
        draws = Draws(np.array([5.0]), drawn, drawn, "blocks", stretch, least)
        assert draws.estimate(itself).ends(0) == pytest.approx((5, 5 - reach, 5 + reach))


def test_what_is_not_known_stays_unknown() -> None:
    nothing = np.full((50, 1), np.nan)
    found = Draws(np.array([np.nan]), nothing, nothing, "blocks").estimate(itself, centred=True)
    assert np.isnan([found.low[0], found.high[0], found.p[0]]).all()
    assert found.chance[0] is None


def test_batches_cover_all_draws_once() -> None:
    assert [(each.start, each.stop) for each in batches(7, 3)] == [(0, 3), (3, 6), (6, 7)]
    assert len(list(batches(3, 0))) == 3


def test_a_bootstrap_takes_as_many_units_as_there_are() -> None:
    taken = times(4, 2000, rng())
    assert set(taken.sum(axis=1)) == {4}
    np.testing.assert_allclose(taken.mean(axis=0), 1, atol=0.1)
    assert taken[:, 0].var() == pytest.approx(0.75, abs=0.1)


def test_values_are_exchanged_within_strata_only() -> None:
    data, labels = np.arange(6), ["b", "a", "b", "a", "a", "b"]
    strata = strata_of(labels)
    assert [where.tolist() for where in strata] == [[1, 3, 4], [0, 2, 5]]
    drawn = permuted_within(data, strata, 300, rng())
    assert drawn.shape == (300, 6)
    for where in strata:
        assert {tuple(sorted(row)) for row in drawn[:, where]} == {tuple(where)}
        assert len({tuple(row) for row in drawn[:, where]}) == 6
