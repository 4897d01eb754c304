"""Whether the right group comes first: accuracy and mean reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.apx import apx
from slant.stats.inference import interval, p_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats


@dataclass(frozen=True)
class Retrieval:
    """Accuracy and mean reciprocal rank, each in [0, 1].

    Attributes
    ----------
    accuracy, mrr
        Share of descriptors whose right group has the lowest score; mean of one over its rank.
    accuracy_low, accuracy_high, mrr_low, mrr_high
        95% intervals from a bootstrap over descriptors.
    accuracy_chance, mrr_chance
        What guessing gives: 1/G and (1 + 1/2 + … + 1/G)/G with G groups.
    accuracy_p, mrr_p
        One-sided: the share of permutations of the right groups among the descriptors that do at
        least as well.
    """

    accuracy: float
    accuracy_low: float
    accuracy_high: float
    accuracy_chance: float
    accuracy_p: float
    mrr: float
    mrr_low: float
    mrr_high: float
    mrr_chance: float
    mrr_p: float


def accuracy_and_mrr(
    scores: ArrayLike, truth: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> Retrieval:
    """Say how often the right group of a descriptor has the lowest score.

    Groups with the same score share the mean of their ranks; the lowest is right only if it is
    alone in that place.

    Parameters
    ----------
    scores
        Shape (groups, descriptors), at least two groups and one descriptor; low is associated.
    truth
        Shape (descriptors,): the row of the right group.
    resamples
        Of the bootstrap and of the permutation test.

    Raises
    ------
    ValueError
        Shapes that do not match, or scores that are not finite.

    References
    ----------
    Siddique et al. (2024), tables 3 and 4. Voorhees (1999), "The TREC-8 question answering track
    report", for mean reciprocal rank.
    """
    table = np.asarray(scores, dtype=np.float64)
    right = np.asarray(truth, dtype=np.intp)
    if table.ndim != 2 or right.shape != table.shape[1:] or min(table.shape) < 1 or len(table) < 2:
        raise ValueError(
            f"scores (groups, descriptors) and truth do not match: {table.shape}, {right.shape}"
        )
    if not np.isfinite(table).all():
        raise ValueError("scores hold NaN or infinities: leave out what was not measured")
    groups, descriptors = table.shape
    below = (table[None] < table[:, None]).sum(axis=1)
    alike = (table[None] == table[:, None]).sum(axis=1)
    rank = below + (alike + 1) / 2
    columns = np.arange(descriptors)

    hits = rank[right, columns] == 1
    reciprocal = 1 / rank[right, columns]
    chosen = rng.integers(descriptors, size=(resamples, descriptors))
    exchanged = rng.permuted(np.broadcast_to(right, (resamples, descriptors)), axis=1)
    chance = rank[exchanged, columns]
    return Retrieval(
        *_judged(hits.astype(np.float64), chosen, 1 / groups, (chance == 1).mean(axis=1)),
        *_judged(
            reciprocal, chosen, float((1 / np.arange(1, groups + 1)).mean()), (1 / chance).mean(1)
        ),
    )


def paper_accuracy_and_mrr(
    perplexity: ArrayLike,
    groups: ArrayLike,
    classes: ArrayLike,
    genders: ArrayLike,
    truth: ArrayLike,
    *,
    adjusted: bool,
) -> tuple[float, float]:
    """Compute a row of Tables 3 and 4 as the published code does.

    It takes template 1, the 44 labelled descriptors and the names of 14 ethnicities in four
    classes: white (English, French, German, Greek, Hungarian, Italian, Nordic, Dutch), asian
    (Chinese, Japanese, Korean, Thai), arab and hispanic. APX divides by each group's share of the
    mean over these very cells, rounded to 3 decimals. *Accuracy*: names are averaged by gender and
    class, means rounded to 2 decimals, and the class of the lowest of the eight must be right.
    *Mean reciprocal rank*: the same by class alone, over the four ranks. A class of eight
    ethnicities weighs as much as one of one; equal means go to the class that comes first (there
    the published code leaves the order to a sort that is not stable).

    Parameters
    ----------
    perplexity
        Shape (names, descriptors), of template 1.
    groups, classes, genders
        Shape (names,), whole numbers from 0: gender and ethnicity together, class, gender.
    truth
        Shape (descriptors,): the right class.
    adjusted
        Whether to judge by APX, or else by perplexity.

    Returns
    -------
    accuracy, mrr : float
        In [0, 1], rounded to 3 decimals as printed.

    References
    ----------
    Siddique et al. (2024), tables 3 and 4, and the code published with it.
    """
    table = np.asarray(perplexity, dtype=np.float64)
    class_of, gender_of = np.asarray(classes), np.asarray(genders)
    right = np.asarray(truth, dtype=np.intp)
    if adjusted:
        table = apx(table, groups, decimals=3)
    count = int(class_of.max()) + 1
    by_both = _rounded_means(table, gender_of * count + class_of)
    hits = by_both.argmin(axis=0) % count == right
    ranks = _rounded_means(table, class_of).argsort(axis=0, kind="stable").argsort(axis=0)
    reciprocal = 1 / (1 + ranks[right, np.arange(len(right))])
    return round(float(hits.mean()), 3), round(float(reciprocal.mean()), 3)


def _rounded_means(table: Floats, rows: NDArray[np.intp]) -> Floats:
    """Average the names of each kind, to 2 decimals: shape (kinds, descriptors)."""
    return np.stack([table[rows == kind].mean(axis=0) for kind in range(rows.max() + 1)]).round(2)


def _judged(
    values: Floats, chosen: NDArray[np.intp], guessing: float, chance: Floats
) -> tuple[float, float, float, float, float]:
    value = float(values.mean())
    low, high = interval(values[chosen].mean(axis=1), value)
    return value, float(low), float(high), guessing, float(p_value(chance, value, "greater"))
