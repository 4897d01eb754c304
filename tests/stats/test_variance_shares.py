"""Variance components of groups × kinds × prompts, against statsmodels' mixed model."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.variance_shares import PARTS, variance_shares

SD = {
    "group": 1.0, "wording": 0.6, "group in one prompt": 0.5, "kind of wording": 0.8,
    "prompt": 0.9, "kind in one prompt": 0.4, "rest": 0.7,
}  # fmt: skip


def made(shape: tuple[int, int, int], rng: np.random.Generator) -> np.ndarray:
    values = np.zeros(shape)
    for name, factors in PARTS.items():
        size = [shape[axis] if axis in factors else 1 for axis in range(3)]
        values = values + rng.normal(0, SD[name], size)
    return values


def test_planted_components_come_out() -> None:
    rng = np.random.default_rng(1)
    runs = [variance_shares(made((8, 7, 9), rng)) for _ in range(300)]
    for name, sd in SD.items():
        assert np.mean([run[name] for run in runs]) == pytest.approx(sd**2, rel=0.15)


def test_they_are_those_of_a_mixed_model() -> None:
    """Groups × kinds with prompts as replicates: one that statsmodels fits in a second."""
    frames = pytest.importorskip("pandas")
    model = pytest.importorskip("statsmodels.formula.api")
    rng = np.random.default_rng(3)
    values = (
        rng.normal(0, 1.0, (10, 1, 1)) + rng.normal(0, 0.7, (10, 6, 1))
        + rng.normal(0, 0.5, (10, 6, 7))
    )  # fmt: skip
    rows = [{"y": values[g, k, p], "g": g, "k": f"{g}-{k}"} for g, k, p in np.ndindex(values.shape)]
    fitted = model.mixedlm(
        "y ~ 1",
        frames.DataFrame(rows),
        groups="g",
        re_formula="1",
        vc_formula={"k": "0 + C(k)"},
    ).fit(reml=True)
    found = variance_shares(values)
    assert found["group"] == pytest.approx(float(fitted.cov_re.iloc[0, 0]), rel=0.05)
    assert found["wording"] == pytest.approx(float(fitted.vcomp[0]), rel=0.05)
    assert found["rest"] == pytest.approx(float(fitted.scale), rel=0.05)


def test_cells_that_most_groups_lack_are_left_out() -> None:
    values = made((4, 5, 6), np.random.default_rng(2))
    for_all = values.copy()
    for_all[:, 2, 0] = np.nan
    values[1:, 2, 0] = np.nan
    assert variance_shares(values) == variance_shares(for_all)
    assert np.isnan(variance_shares(values[:, :, :1])["group"])


def test_kinds_may_take_turns_over_prompts() -> None:
    """Two kinds of six in each of fifteen prompts: on average the components are those planted."""
    rng = np.random.default_rng(4)
    known = np.zeros((6, 15), dtype=bool)
    for prompt in range(15):
        known[[prompt % 6, (prompt + 1 + prompt // 6) % 6], prompt] = True
    runs = [variance_shares(np.where(known, made((6, 6, 15), rng), np.nan)) for _ in range(400)]
    for name in ("group", "wording", "group in one prompt", "prompt"):
        assert np.mean([run[name] for run in runs]) == pytest.approx(SD[name] ** 2, rel=0.2)
