"""One error rate for a report: against a plain run of the procedure, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.multiple import benjamini_hochberg
from slant.stats.tree_bh import tree_q

STUDIES, FAMILIES, TESTS = 8, 5, 6


def family_q(p: np.ndarray) -> np.ndarray:
    """Adjust within families: shape (studies, families, tests)."""
    return np.apply_along_axis(benjamini_hochberg, -1, p)


def codes(shape: tuple[int, int, int]) -> list[np.ndarray]:
    family = np.repeat(np.arange(shape[0] * shape[1]), shape[2])
    return [family, family // shape[1]]


def rejected(p: np.ndarray, level: float) -> np.ndarray:
    """Walk down the tree at one level, as the procedure is published."""
    q = family_q(p)
    families = q.min(axis=2)
    studies = np.array([benjamini_hochberg(each).min() for each in families])
    chosen = benjamini_hochberg(studies) <= level
    result = np.zeros(p.shape, dtype=bool)
    for study in np.flatnonzero(chosen):
        lower = level * chosen.sum() / len(studies)
        kept = benjamini_hochberg(families[study]) <= lower
        result[study, kept] = q[study, kept] <= lower * kept.sum() / len(kept)
    return result


@pytest.mark.parametrize("seed", range(5))
def test_a_test_is_rejected_at_just_the_levels_from_its_q_on(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.uniform(size=(4, 3, 5)) ** rng.choice([1, 6], size=(4, 3, 1))
    found = tree_q(family_q(p).ravel(), codes(p.shape)).reshape(p.shape)
    for level in (0.001, 0.01, 0.05, 0.2, 0.5, 0.9):
        np.testing.assert_array_equal(found <= level, rejected(p, level))


def test_one_family_alone_is_as_it_was() -> None:
    q = benjamini_hochberg([0.001, 0.02, 0.5])
    same = np.zeros(3, dtype=int)
    np.testing.assert_allclose(tree_q(q, [same, same]), q)
    assert tree_q([], [[], []]).size == 0


@pytest.mark.slow
def test_a_report_about_nothing_is_seldom_sure_of_anything() -> None:
    # Families that are adjusted by themselves: 86% of such reports.
    rng, runs, alone, together = np.random.default_rng(0), 600, 0, 0
    for _ in range(runs):
        q = family_q(rng.uniform(size=(STUDIES, FAMILIES, TESTS)))
        alone += int((q < 0.05).any())
        together += int((tree_q(q.ravel(), codes(q.shape)) < 0.05).any())
    assert alone / runs > 0.8
    assert together / runs <= 0.07


@pytest.mark.slow
def test_a_tree_finds_more_than_one_level_of_families() -> None:
    # Differences in two studies of eight, as many families and tests in each: why a tree.
    rng, tree, flat, false = np.random.default_rng(1), 0, 0, []
    for _ in range(200):
        p = rng.uniform(size=(STUDIES, FAMILIES, TESTS))
        p[:2, :3, :3] = rng.uniform(size=(2, 3, 3)) ** 12
        q = family_q(p).ravel()
        family, study = codes(p.shape)
        sure = tree_q(q, [family, study]).reshape(p.shape) < 0.05
        tree += sure[:2, :3, :3].sum()
        flat += (tree_q(q, [family]).reshape(p.shape) < 0.05)[:2, :3, :3].sum()
        wrong = sure.sum() - sure[:2, :3, :3].sum()
        false.append(wrong / max(sure.sum(), 1))
    assert tree >= flat
    assert np.mean(false) <= 0.05
