from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from slant.stats.group_permutation import Unit, permute_groups, permute_pairs, unit_to_permute

COMPLETE = (
    np.array([[6.0, 2, 5], [1, 3, 0], [4, 4, 2]]),
    np.array([[8.0, 9, 5], [8, 9, 9], [4, 9, 5]]),
)
WITH_HOLES = (
    np.array([[6.0, 2, 0], [1, 0, 0], [4, 4, 2]]),
    np.array([[8.0, 9, 0], [8, 0, 9], [4, 9, 5]]),
)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("shape", "compared", "unit"),
    [
        ((6, 1), 6, "observations"),
        ((50, 4), 50, "observations"),
        ((6, 5), 6, "cells"),
        ((3, 6), 3, "observations"),  # 729 arrangements
        ((3, 7), 3, "cells"),
        ((6, 9), 2, "observations"),  # 512 arrangements
        ((6, 10), 2, "cells"),
    ],
)
def test_cells_are_exchanged_where_there_are_enough(
    shape: tuple[int, int], compared: int, unit: Unit
) -> None:
    assert unit_to_permute(np.full(shape, 20.0), compared) == unit


def test_clusters_that_only_one_group_has_allow_no_exchange() -> None:
    trials = np.full((6, 6), 20.0)
    trials[1:, :2] = 0
    assert unit_to_permute(trials, 6) == "observations"
    trials[1, 0] = 3
    assert unit_to_permute(trials, 6) == "cells"


@pytest.mark.parametrize("counts", [COMPLETE, WITH_HOLES])
@pytest.mark.parametrize("unit", ["observations", "cells"])
def test_means_are_exact(counts: tuple[np.ndarray, np.ndarray], unit: Unit) -> None:
    drawn, mean = permute_groups(*counts, unit, 40_000, rng())
    np.testing.assert_allclose(drawn.mean(0), mean, atol=0.005)
    differences, mean = permute_pairs(*counts, 1, unit, 40_000, rng())
    np.testing.assert_allclose(differences.mean(0), mean, atol=0.005)
    assert (differences[:, 1] == 0).all()
    if counts is COMPLETE:
        np.testing.assert_allclose(mean, 0, atol=1e-15)


def test_exchanging_cells_among_all_gives_every_arrangement() -> None:
    k, n = COMPLETE
    drawn, _ = permute_groups(k[:, :2], n[:, :2], "cells", 40_000, rng())
    cells = (k / n)[:, :2].T
    expected = [
        (np.array(first) + np.array(second)) / 2
        for first, second in product(*(permutations(cell) for cell in cells))
    ]
    for group in range(3):
        np.testing.assert_allclose(
            np.quantile(drawn[:, group], np.linspace(0, 1, 9)),
            np.quantile([row[group] for row in expected], np.linspace(0, 1, 9)),
            atol=0.03,
        )


def test_exchanging_observations_gives_fishers_distribution() -> None:
    k, n = np.array([[9.0], [3.0]]), np.array([[15.0], [20.0]])
    expected = stats.hypergeom(35, 12, 15)
    drawn, _ = permute_groups(k, n, "observations", 40_000, rng())
    differences, _ = permute_pairs(k, n, 1, "observations", 40_000, rng())
    fallen = np.rint(drawn[:, 0] * 15).astype(int)
    np.testing.assert_allclose(
        np.bincount(fallen, minlength=13) / 40_000, expected.pmf(np.arange(13)), atol=0.01
    )
    # All successes are somewhere.
    np.testing.assert_allclose(drawn[:, 0] * 15 + drawn[:, 1] * 20, 12)
    x = np.arange(13)
    spread = np.sqrt(np.sum(expected.pmf(x) * (x / 15 - (12 - x) / 20) ** 2))
    assert differences[:, 0].std() == pytest.approx(spread, rel=0.02)


@pytest.mark.parametrize("counts", [COMPLETE, WITH_HOLES])
def test_exchanging_cells_of_two_gives_every_swap(counts: tuple[np.ndarray, np.ndarray]) -> None:
    k, n = counts
    drawn, _ = permute_pairs(k, n, 2, "cells", 2000, rng())
    cells = np.divide(k, n, out=np.full(k.shape, np.nan), where=n > 0)
    for group in (0, 1):
        both = ~np.isnan(cells[group] + cells[2])
        expected = set()
        for swap in product([False, True], repeat=3):
            swapped = np.array(swap) & both
            own = np.where(swapped, cells[2], cells[group])
            other = np.where(swapped, cells[group], cells[2])
            expected.add(round(float(np.nanmean(own) - np.nanmean(other)), 9))
        assert set(np.round(drawn[:, group], 9)) == expected
