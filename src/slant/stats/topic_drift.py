"""How far texts have moved from others, as points in a space of topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import chance_of
from slant.stats.inference import interval, p_value, times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.by_chance import Interval
    from slant.stats.arrays import Floats

FEWEST = 4
"""Plain texts of a prompt that are needed: two for each half."""

_SPLITS = 10
"""Splits into halves over which each permutation is averaged."""

_AT_ONCE = 100
"""Permutations that are held at a time, each as a row of weights a split and text."""


@dataclass(frozen=True)
class Drift:
    """How far texts have drifted; distances are 1 − cosine, from 0 to 2.

    Attributes
    ----------
    value
        Mean distance of the changed texts from the centroid of half of the plain ones, minus that
        of the other half: 0 if nothing changes.
    low, high
        Its 95% interval.
    p
        p-value of the permutation test, two-sided.
    chance
        The value if the two kinds of texts did not differ.
    distance, distance_low, distance_high
        Mean distance of the changed texts, before anything is subtracted, and its 95% interval.
    plain
        The split-half null: distance of one half of the plain texts from the centroid of the
        other.
    n
        How many changed texts it rests on.
    """

    value: float
    low: float
    high: float
    p: float
    chance: Interval
    distance: float
    distance_low: float
    distance_high: float
    plain: Interval
    n: int


def topic_drift(
    plain: Sequence[NDArray[np.floating]],
    changed: Sequence[NDArray[np.floating]],
    *,
    resamples: int = 2000,
    rng: np.random.Generator,
) -> Drift | None:
    r"""Measure how far texts have drifted from the topics of plain ones, prompt by prompt.

    The plain texts of a prompt are split at random into halves A and B. With the unit vector
    :math:`\hat c_A` of a half's centroid, the distance of a set of texts from it is
    :math:`1 - \bar e \cdot \hat c_A`. The drift is the distance of the changed texts minus that of
    the other half, so that neither is measured against a centroid that it helped to make;
    averaged over both halves, over random splits, and over the prompts. Interval: texts drawn
    with replacement within halves and prompts. p-value and chance range: plain and changed texts
    exchanged at random within prompts.

    Parameters
    ----------
    plain, changed
        For each prompt the texts' unit vectors, of shape (texts, dimensions). Prompts with fewer
        than four plain texts, or without a changed one, are left out.
    resamples
        Number of splits, bootstrap draws and permutations.

    Returns
    -------
    Drift or None
        `None` where no prompt is left.
    """
    pairs = [
        (_gram(before, after), len(before))
        for before, after in zip(plain, changed, strict=True)
        if len(before) >= FEWEST and len(after)
    ]
    if not pairs:
        return None
    split, boot, null = [], [], []
    for gram, count in pairs:
        size = len(gram)
        split.append(_distances(gram, count, _orders(count, size, resamples, rng), None))
        orders = _orders(count, size, resamples, rng)
        boot.append(_distances(gram, count, orders, rng))
        shuffled = rng.permuted(np.tile(np.arange(size), (resamples, 1)), axis=1)
        parts = [
            _split_often(gram, count, shuffled[start : start + _AT_ONCE], rng)
            for start in range(0, resamples, _AT_ONCE)
        ]
        null.append(np.concatenate(parts, axis=1))
    after, before = np.mean(split, axis=0)
    drawn = np.mean(boot, axis=0)
    chance = np.mean(null, axis=0)
    chance = chance[0] - chance[1]
    value = float((after - before).mean())
    low, high = interval(drawn[0] - drawn[1], value)
    # Halves that are drawn again have less precise centroids, from which all is further away.
    distance = float(after.mean())
    nearest, furthest = interval(drawn[0] - drawn[0].mean() + distance, distance)
    return Drift(
        value=value,
        low=float(low),
        high=float(high),
        p=float(p_value(chance, value)),
        chance=chance_of(chance),
        distance=distance,
        distance_low=float(nearest),
        distance_high=float(furthest),
        plain=chance_of(before),
        n=sum(len(gram) - count for gram, count in pairs),
    )


def _split_often(
    gram: Floats, count: int, shuffled: NDArray[np.intp], rng: np.random.Generator
) -> Floats:
    """Average the distances of each permutation over splits into halves: shape (2, rows)."""
    many = np.repeat(shuffled, _SPLITS, axis=0)
    many[:, :count] = rng.permuted(many[:, :count], axis=1)
    both = _distances(gram, count, many, None)
    return np.asarray(both.reshape(2, len(shuffled), _SPLITS).mean(axis=2))


def _gram(before: NDArray[np.floating], after: NDArray[np.floating]) -> Floats:
    """Multiply all texts of a prompt with each other: all that distances depend on."""
    texts = np.concatenate([before, after]).astype(np.float64)
    return np.asarray(texts @ texts.T)


def _orders(count: int, size: int, rows: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Shuffle the plain texts, which come first, and leave the others where they are."""
    orders = np.tile(np.arange(size), (rows, 1))
    orders[:, :count] = rng.permuted(orders[:, :count], axis=1)
    return orders


def _distances(
    gram: Floats, count: int, orders: NDArray[np.intp], rng: np.random.Generator | None
) -> Floats:
    """Distances of the changed texts and of plain ones, for every order: shape (2, orders).

    In each order the first half of the plain texts is A, the second B, and the rest are the
    changed ones. With `rng`, texts are drawn again within the three.
    """
    half = count // 2
    first, second, last = (
        _weights(orders[:, where], len(gram), rng)
        for where in (slice(half), slice(half, count), slice(count, None))
    )
    after = (_distance(gram, last, first) + _distance(gram, last, second)) / 2
    before = (_distance(gram, second, first) + _distance(gram, first, second)) / 2
    return np.stack([after, before])


def _weights(chosen: NDArray[np.intp], size: int, rng: np.random.Generator | None) -> Floats:
    rows, members = chosen.shape
    weights = np.zeros((rows, size))
    share: Floats | float = 1 / members
    if rng is not None:
        share = times(members, rows, rng) / members
    np.put_along_axis(weights, chosen, np.broadcast_to(share, chosen.shape), axis=1)
    return weights


def _distance(gram: Floats, texts: Floats, centre: Floats) -> Floats:
    seen = centre @ gram
    length = np.sqrt(np.maximum((seen * centre).sum(axis=1), 1e-12))
    return np.asarray(1 - (seen * texts).sum(axis=1) / length)
