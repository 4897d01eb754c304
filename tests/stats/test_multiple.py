import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from slant.stats import benjamini_hochberg
from slant.stats.multiple import selected_width

FAMILIES = arrays(np.float64, st.integers(1, 40), elements=st.floats(0, 1, allow_subnormal=False))


@given(FAMILIES)
def test_agrees_with_statsmodels_and_scipy(p: np.ndarray) -> None:
    q = benjamini_hochberg(p)
    np.testing.assert_allclose(q, multipletests(p, method="fdr_bh")[1], rtol=1e-12)
    np.testing.assert_allclose(q, false_discovery_control(p), rtol=1e-12)


def test_known_figures() -> None:
    np.testing.assert_allclose(
        benjamini_hochberg([0.01, 0.02, 0.03, 0.04, 0.5]), [0.05, 0.05, 0.05, 0.05, 0.5]
    )


@given(FAMILIES)
def test_keeps_the_order_and_never_falls_below_p(p: np.ndarray) -> None:
    q = benjamini_hochberg(p)
    assert (q >= p).all()
    assert (q <= 1).all()
    assert (np.diff(q[np.argsort(p)]) >= 0).all()


@given(FAMILIES, st.integers(0, 2**32 - 1))
def test_follows_a_change_of_order(p: np.ndarray, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(p))
    np.testing.assert_array_equal(benjamini_hochberg(p)[order], benjamini_hochberg(p[order]))


def test_what_could_not_be_tested_passes_through_uncounted() -> None:
    q = benjamini_hochberg([[0.01, np.nan], [np.nan, 0.03]])
    np.testing.assert_allclose(q, [[0.02, np.nan], [np.nan, 0.03]])
    assert np.isnan(benjamini_hochberg([np.nan, np.nan])).all()
    assert benjamini_hochberg([]).shape == (0,)


@pytest.mark.parametrize("wrong", [-0.01, 1.01])
def test_impossible_p_values_are_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        benjamini_hochberg([0.5, wrong])


def test_intervals_of_the_largest_of_many_hold_the_truth() -> None:
    rng = np.random.default_rng(0)
    held = {"as they are": 0.0, "for selection": 0.0}
    for _ in range(400):
        truth = rng.normal(0, 0.5, 60)
        seen = truth + rng.normal(0, 1, 60)
        largest = np.argsort(-np.abs(seen))[:6]
        missed = np.abs(seen - truth)[largest]
        held["as they are"] += (missed <= 1.959964).mean() / 400
        held["for selection"] += (missed <= 1.959964 * selected_width(6, 60)).mean() / 400
    assert held["as they are"] < 0.75
    assert 0.94 <= held["for selection"] < 0.99


def test_intervals_of_all_stay_as_they_are() -> None:
    np.testing.assert_allclose(selected_width(7, 7, [2, 30, 1e9]), 1)
    np.testing.assert_allclose(selected_width(1, 10) * 1.959964, 2.807034, rtol=1e-5)
    with pytest.raises(ValueError, match="8 of 7"):
        selected_width(8, 7)
