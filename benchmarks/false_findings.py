"""What docs/statistics.md says of coverage and false findings: seeded simulations."""

from __future__ import annotations

import numpy as np

from slant.stats import benjamini_hochberg, grouped_rates
from slant.stats.article_pairs import mean_change as change_of_pairs
from slant.stats.blocked_means import blocked_means
from slant.stats.chain_means import chain_means
from slant.stats.chains import Chains
from slant.stats.mean_change import mean_change
from slant.stats.unit_means import unit_means

RUNS, RESAMPLES = 200, 400


def main() -> None:
    """Print the tables."""
    print("coverage of 95% intervals, in percent, by number of units")
    print("units  block mean  block diff.  unit mean  unit diff.  pairs  change")
    for units in (2, 3, 4, 6, 10, 20):
        print(units, *_coverage(units), sep="\t")
    print("reports with any q < .05 among six groups, and with the planted one, in percent")
    for units in (5, 8, 20):
        for name, spread, shift in (
            ("nothing", 1.0, 0.0), ("one varies x3", 3.0, 0.0), ("planted", 1.0, 1.0),
            ("planted beside x3", 3.0, 1.0),
        ):  # fmt: skip
            print(units, name, *_found(units, spread, shift), sep="\t")
    print("rates, prompts x 30: any q < .05, and the planted one, in percent")
    for prompts in (5, 8, 20):
        for name, spread, shift in (
            ("quirks", 0.5, 0.0), ("one varies x3", 1.5, 0.0), ("planted", 0.5, 1.2),
        ):  # fmt: skip
            print(prompts, name, *_rates(prompts, spread, shift), sep="\t")
    print("subjects with p <= .05 without any difference, in percent, by chains and triples")
    for chains in (2, 4, 5, 8):
        print(chains, *(_chains(chains, each) for each in (2, 4, 8)), sep="\t")


def _share(hits: list[bool]) -> str:
    return f"{100 * np.mean(hits):.0f}"


def _holds(low: np.ndarray, high: np.ndarray) -> list[bool]:
    holds: list[bool] = ((low <= 0) & (high >= 0)).tolist()
    return holds


def _coverage(units: int) -> list[str]:
    rng = np.random.default_rng(units)
    hits: list[list[bool]] = [[] for _ in range(6)]
    for _ in range(RUNS):
        noise, level = rng.normal(0, 1, (4, units)), rng.normal(0, 2, units)
        blocked = blocked_means(noise + level, resamples=RESAMPLES, rng=rng)
        apart = unit_means(
            noise[:3].ravel(), np.repeat(np.arange(3), units), resamples=RESAMPLES, rng=rng
        )
        pairs, _ = change_of_pairs(noise[0], rng)
        change = mean_change([noise[0]], [noise[1]], resamples=RESAMPLES, rng=rng)
        if change is None:
            continue
        found = (blocked.own, blocked.vs_rest, apart.own, apart.vs_rest, change.change)
        for place, each in zip((0, 1, 2, 3, 5), found, strict=True):
            hits[place] += _holds(each.low, each.high)
        hits[4].append(pairs.low <= 0 <= pairs.high)
    return [_share(each) for each in hits]


def _found(units: int, spread: float, shift: float) -> list[str]:
    rng = np.random.default_rng(units)
    hits: list[list[bool]] = [[] for _ in range(4)]
    for _ in range(RUNS):
        values = rng.normal(0, 1, (6, units))
        values[1] *= spread
        values[0] += shift
        groups = np.repeat(np.arange(6), units)
        for place, p in (
            (0, blocked_means(values, resamples=RESAMPLES, rng=rng).vs_rest.p),
            (2, unit_means(values.ravel(), groups, resamples=RESAMPLES, rng=rng).vs_rest.p),
        ):
            q = benjamini_hochberg(p)
            hits[place].append(bool((q < 0.05).any()))
            hits[place + 1].append(bool(q[0] < 0.05))
    return [_share(each) for each in hits]


def _rates(prompts: int, spread: float, shift: float) -> list[str]:
    rng, trials = np.random.default_rng(prompts), np.full((6, prompts), 30)
    hits: list[list[bool]] = [[], []]
    for _ in range(RUNS):
        quirks = rng.normal(0, 0.5, (6, prompts))
        quirks[1] *= spread / 0.5
        quirks[0] += shift
        logit = quirks - 1.2 + rng.normal(0, 1, prompts)
        successes = rng.binomial(trials, 1 / (1 + np.exp(-logit)))
        found = grouped_rates(successes, trials, resamples=RESAMPLES, rng=rng)
        q = benjamini_hochberg(found.vs_rest.p)
        hits[0].append(bool((q < 0.05).any()))
        hits[1].append(bool(q[0] < 0.05))
    return [_share(each) for each in hits]


def _chains(chains: int, each: int) -> str:
    rng = np.random.default_rng(chains)
    hits: list[bool] = []
    for _ in range(RUNS // 2):
        subject, where = np.divmod(np.arange(4 * chains * each), chains * each)
        chain = where // each
        values = rng.normal(0, 0.5, (4, chains))[subject, chain] + rng.normal(0, 1, len(subject))
        found = chain_means(values, Chains(subject, chain, 4), rng, resamples=RESAMPLES)
        hits += (found.vs_rest.p <= 0.05).tolist()
    return _share(hits)


if __name__ == "__main__":
    main()
