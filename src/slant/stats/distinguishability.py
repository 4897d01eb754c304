"""How well groups are told apart by profiles of names that were never seen.

A regularised least-squares classifier (kernel ridge regression on group indicators) with the RBF
kernel of `profile_kernel`. Its predictions are linear in the labels, so that a thousand
permutations of the labels cost little more than one fit; on the published profiles it finds
groups at least as well as the support vector machine of the paper does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import chance_of
from slant.stats.inference import batches, p_value
from slant.stats.name_folds import name_folds
from slant.stats.name_means import NameMean, name_mean
from slant.stats.profile_kernel import field_kernels
from slant.stats.proportions import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from slant.by_chance import Interval
    from slant.stats.arrays import Floats
    from slant.stats.profile_kernel import Field

    Codes = NDArray[np.int64]

FOLDS, RIDGE, REPEATS = 5, 1.0, 20
"""Folds; the penalty; and how often each field is shuffled to see what it matters."""

_VALUES_AT_ONCE = 2**21
_SPREAD = 40
"""Permutations that tell how much the loss of a field varies by itself."""

_TIE = 1e-9
"""Scores that differ by less differ by rounding only: sums of numbers of the size of 1."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval, and where chance puts it."""

    value: float
    low: float
    high: float
    p: float
    chance: Interval


@dataclass(frozen=True, slots=True, eq=False)
class Distinguishability:
    """What can be told of groups from profiles.

    Attributes
    ----------
    accuracy
        Balanced accuracy: the mean over groups of the share of profiles that are assigned to
        them, every name counting once.
    groups
        The share of each group.
    spread
        Standard deviation of the accuracy when names are permuted.
    confusion
        Share of each group's profiles (rows) that are assigned to each group (columns); rows sum
        to 1.
    confusion_p
        p-value of each cell being so large or small, names being permuted; same shape.
    confusion_expected, confusion_spread
        Mean and standard deviation of the same over the permutations.
    correct
        For each name the share of its profiles that are assigned rightly; a profile that groups
        are as likely of counts for each of them in part.
    importance
        For each field, by how much balanced accuracy falls when it is shuffled.
    """

    accuracy: Share
    groups: list[Share]
    spread: float
    confusion: Floats
    confusion_p: Floats
    confusion_expected: Floats
    confusion_spread: Floats
    correct: Floats
    importance: dict[str, NameMean]


def distinguishability(
    fields: Mapping[str, Field],
    names: ArrayLike,
    groups: ArrayLike,
    *,
    resamples: int = 1000,
    rng: np.random.Generator,
) -> Distinguishability:
    """Assign profiles to groups, by cross-validation over names, and compare with chance.

    Parameters
    ----------
    fields
        What profiles say: name of the field to its kind and its value in every profile.
    names
        Code of the name each profile is about, from 0: shape (profiles,).
    groups
        Code of the group of each name, from 0: shape (names,).
    resamples
        Permutations of the names among groups, within folds so that these stay balanced.

    Raises
    ------
    ValueError
        No field, fewer than two groups, or a group with fewer than two names.
    """
    who, code = np.asarray(names), np.asarray(groups)
    sizes = np.bincount(code)
    if not fields or len(sizes) < 2 or sizes.min() < 2:
        raise ValueError("need a field, and two groups of at least two names each")
    kinds = len(sizes)
    fold = name_folds(code, min(FOLDS, int(sizes.min())), rng)
    labels = _permuted(code, fold, resamples, rng)
    confusions = np.zeros((1 + resamples, kinds, kinds))
    some = labels[: 1 + _SPREAD]
    correct = np.zeros(len(code))
    lost = {name: np.zeros((len(some), len(code))) for name in fields}
    share = 1 / np.bincount(who, minlength=len(code))
    for which in np.unique(fold):
        train, test = np.flatnonzero(fold[who] != which), np.flatnonzero(fold[who] == which)
        if not len(train) or not len(test):
            continue
        asked = who[test]
        found = _fold(fields, who, code, labels, train, test, rng)
        confusions += found.confusions
        np.add.at(correct, asked, found.right * share[asked])
        for name, change in found.lost.items():
            np.add.at(lost[name].T, asked, change * share[asked, None])
    confusions /= np.maximum(confusions.sum(axis=2, keepdims=True), 1e-12)
    null, observed = confusions[1:], confusions[0]
    recall, drawn = np.diagonal(observed), np.diagonal(null, axis1=1, axis2=2)
    centre = null.mean(axis=0)
    return Distinguishability(
        accuracy=_share(correct, code, np.arange(kinds), drawn.mean(axis=1), recall.mean()),
        groups=[
            _share(correct, code, np.array([group]), drawn[:, group], recall[group])
            for group in range(kinds)
        ],
        spread=float(drawn.mean(axis=1).std()),
        confusion=observed,
        confusion_p=p_value(null, observed, centre=centre),
        confusion_expected=centre,
        confusion_spread=null.std(axis=0),
        correct=correct,
        importance={name: _importance(each, some) for name, each in lost.items()},
    )


@dataclass(frozen=True)
class _Fold:
    """What became of the profiles of one fold.

    Attributes
    ----------
    confusions
        Where they ended up, for every set of labels: shape (sets, groups, groups).
    right
        How far each was assigned to its group: shape (profiles,).
    lost
        For each field, how much more so each was when the field was not shuffled, for the labels as
        they are and some permuted ones: shape (profiles, sets).
    """

    confusions: Floats
    right: Floats
    lost: dict[str, Floats]


def _fold(
    fields: Mapping[str, Field], who: NDArray[np.intp], code: Codes, labels: Codes,
    train: NDArray[np.intp], test: NDArray[np.intp], rng: np.random.Generator,
) -> _Fold:  # fmt: skip
    """Learn from some profiles and assign the others; the kernels live no longer than this."""
    kinds, asked, seen = int(code.max()) + 1, who[test], np.unique(who[train])
    kernels = field_kernels(fields, train)
    whole = reduce(np.multiply, kernels.values())
    inverse = np.linalg.inv(whole[train] + RIDGE * np.eye(len(train)))
    # One column a name: its profiles share a label.
    by_name = inverse @ np.eye(len(code))[who[train]]
    weights = whole[test] @ by_name
    confusions = _confusions(weights, labels, seen, asked, 1 / np.bincount(who)[asked], kinds)
    some = labels[: 1 + _SPREAD]
    targets, own = _targets(some, seen, kinds), some[:, asked].T
    right = _right(_votes(weights, targets), own)
    lost = {}
    for name, factor in kernels.items():
        others = whole[test] / factor[test]
        change = np.zeros(right.shape)
        for _ in range(REPEATS):
            shuffled = others * factor[rng.permutation(test)]
            change += right - _right(_votes(shuffled @ by_name, targets), own)
        lost[name] = change / REPEATS
    return _Fold(confusions, right[:, 0], lost)


def _permuted(code: Codes, fold: Codes, resamples: int, rng: np.random.Generator) -> Codes:
    """Give the labels as they are and permuted: shape (1 + resamples, names)."""
    labels = np.tile(code, (1 + resamples, 1))
    for which in np.unique(fold):
        own = np.flatnonzero(fold == which)
        labels[1:, own] = rng.permuted(labels[1:, own], axis=1)
    return labels


def _targets(labels: Codes, seen: NDArray[np.intp], kinds: int) -> Floats:
    """Give what is regressed on, for some sets of labels: shape (sets, names, kinds).

    An indicator for each group, whatever its size, centred; only for names that are trained on.
    """
    indicator = np.zeros((*labels.shape, kinds))
    known = (labels[:, seen, None] == np.arange(kinds)).astype(np.float64)
    known /= np.maximum(known.sum(axis=1, keepdims=True), 1)
    indicator[:, seen] = known - known.mean(axis=1, keepdims=True)
    return indicator


def _votes(weights: Floats, targets: Floats) -> Floats:
    """Assign test profiles to groups, for every set of labels; ties are shared.

    Returns
    -------
    numpy.ndarray
        How much each profile counts for each group: shape (profiles, sets, kinds).
    """
    sets, names, kinds = targets.shape
    flat = targets.swapaxes(0, 1).reshape(names, sets * kinds)
    scores = (weights @ flat).reshape(len(weights), sets, kinds)
    first = scores >= scores.max(axis=2, keepdims=True) - _TIE
    return np.asarray(first / first.sum(axis=2, keepdims=True))


def _confusions(
    weights: Floats, labels: Codes, seen: NDArray[np.intp], who: NDArray[np.intp], share: Floats,
    kinds: int,
) -> Floats:  # fmt: skip
    """Count where test profiles end up, for every set of labels; a name counts once."""
    counts = np.zeros((len(labels), kinds, kinds))
    for rows in batches(len(labels), _VALUES_AT_ONCE // (max(weights.shape) * kinds)):
        votes = _votes(weights, _targets(labels[rows], seen, kinds)).swapaxes(0, 1)
        own = (labels[rows][:, who, None] == np.arange(kinds)) * share[:, None]
        counts[rows] = own.swapaxes(1, 2) @ votes
    return counts


def _right(votes: Floats, own: Codes) -> Floats:
    """Say how far test profiles are assigned to their own groups: shape (profiles, sets)."""
    return np.asarray(np.take_along_axis(votes, own[..., None], axis=2)[..., 0])


def _share(correct: Floats, code: Codes, which: Codes, null: Floats, value: float) -> Share:
    """Give the interval over names (Wilson's, at the effective number), and the null's place."""
    parts = [correct[code == group] for group in which]
    variance = sum(part.var(ddof=1) / len(part) for part in parts) / len(parts) ** 2
    names = sum(map(len, parts))
    effective = value * (1 - value) / variance if variance > 0 else names
    # Names that train on each other are not independent: no more count than permuted ones show.
    expected, permuted = null.mean(), null.var()
    if permuted > 0:
        effective = min(effective, expected * (1 - expected) / permuted)
    effective = max(float(effective), 1.0)
    low, high = wilson(value * effective, effective)
    p = p_value(null, value, "greater")
    return Share(float(value), float(low), float(high), float(p), chance_of(null))


def _importance(lost: Floats, labels: Codes) -> NameMean:
    """Average over groups what their names lose, with the spread that permuted labels give."""
    by_label = [
        [row[code == group] for group in range(code.max() + 1)]
        for row, code in zip(lost, labels, strict=True)
    ]
    permuted = [np.mean([part.mean() for part in parts]) for parts in by_label[1:]]
    return name_mean(by_label[0], float(np.std(permuted)))
