"""What a group is compared with: candidates, simulated, as docs/statistics.md has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from slant.stats import benjamini_hochberg, median_of_others
from slant.stats.blocked_means import exchange_groups
from slant.stats.inference import p_value
from slant.stats.two_camps import two_camps

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from slant.stats.arrays import Floats

RUNS, RESAMPLES, BLOCKS = 300, 400, 12
_FAR = 4.685
"""Where Tukey's biweight ends, in standard errors."""


def main() -> None:
    """Print how many of the groups are found, by what they are compared with."""
    print("groups, planted, against; in percent: any false, found of planted, of all, two camps")
    for groups in (4, 5, 6, 8):
        for name, planted in _plans(groups).items():
            for contrast, results in _simulated(np.array(planted)).items():
                print(groups, name, contrast, *results, sep="\t")


def _plans(groups: int) -> dict[str, list[float]]:
    half = groups // 2
    plans = {
        "nothing": [0.0] * groups,
        "one": [1.5] + [0.0] * (groups - 1),
        "two camps": [1.5] * half + [0.0] * (groups - half),
    }
    if groups > 5:
        plans["two alike"] = [1.5, 1.5] + [0.0] * (groups - 2)
        plans["two opposed"] = [1.5, -1.5] + [0.0] * (groups - 2)
    return plans


def _simulated(planted: Floats) -> dict[str, tuple[str, ...]]:
    """Give, by contrast: false findings, planted ones found, groups found, two camps."""
    rng, groups = np.random.default_rng(0), len(planted)
    found: dict[str, list[NDArray[np.bool_]]] = {}
    camps: dict[str, list[bool]] = {}
    for _ in range(RUNS):
        data = rng.normal(0, 1, (groups, BLOCKS)) + planted[:, None]
        exchanged, error, exchanged_error = exchange_groups(data, RESAMPLES, rng)
        means = data.mean(axis=1)
        for name, against in _CONTRASTS.items():
            null = (exchanged - against(exchanged, exchanged_error)) / exchanged_error
            seen = (means - against(means, error)) / error
            sure = benjamini_hochberg(p_value(null, seen)) < 0.05
            found.setdefault(name, []).append(sure)
            camps.setdefault(name, []).append(two_camps(seen, sure) is not None)
        found.setdefault("most pairs", []).append(_most_pairs(data))
    apart = planted != 0
    results = {}
    for name, each in found.items():
        hits = np.array(each)
        false = hits[:, ~apart].any(axis=1).mean()
        power = hits[:, apart].mean() if apart.any() else 0.0
        shares = (false, power, hits.mean(), np.mean(camps.get(name, [False])))
        results[name] = tuple(f"{100 * share:.0f}" for share in shares)
    return results


def _of_others(means: Floats, average: Callable[[Floats], Floats]) -> Floats:
    """Average the other groups, for every group."""
    groups = means.shape[-1]
    others = [np.delete(np.arange(groups), each) for each in range(groups)]
    return average(means[..., others])


def _trimmed(others: Floats) -> Floats:
    """Leave out the least and the greatest of three or more."""
    ordered = np.sort(others, axis=-1)
    return np.asarray(ordered[..., 1:-1].mean(axis=-1))


def _weighted(means: Floats, error: Floats) -> Floats:
    """Weigh the others by Tukey's biweight of their distance from their median."""
    centre = median_of_others(means)
    scale = np.sqrt((error**2).mean(axis=-1, keepdims=True))[..., None]

    def average(others: Floats) -> Floats:
        apart = (others - centre[..., None]) / (_FAR * scale)
        weight = np.maximum(1 - apart**2, 0) ** 2
        return np.asarray((weight * others).sum(axis=-1) / weight.sum(axis=-1))

    return _of_others(means, average)


_CONTRASTS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "median": lambda means, _: median_of_others(means),
    "mean": lambda means, _: _of_others(means, lambda others: np.asarray(others.mean(axis=-1))),
    "trimmed mean": lambda means, _: _of_others(means, _trimmed),
    "biweight": _weighted,
}


def _most_pairs(data: Floats) -> NDArray[np.bool_]:
    """Find groups that differ from more than half of the others, pair by pair."""
    groups = len(data)
    upper = np.triu_indices(groups, 1)
    p = stats.ttest_rel(data[upper[0]], data[upper[1]], axis=1).pvalue
    differ = np.zeros((groups, groups))
    differ[upper] = benjamini_hochberg(p) < 0.05
    return np.asarray((differ + differ.T).sum(axis=1) > (groups - 1) / 2)


if __name__ == "__main__":
    main()
