"""Who belongs where in a grid of names × columns, and how the labels' means come from that.

A label is a group that is compared with the others; a stratum is what names are only compared
within (a gender, say, when ethnicities are compared). A label's mean is the mean over its strata
of the mean over its names there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

Ints: TypeAlias = "NDArray[np.intp]"


@dataclass(frozen=True, slots=True, eq=False)
class Stratum:
    """The names of one stratum.

    Attributes
    ----------
    values
        Shape (names, columns), with the mean over these names subtracted from every column: what
        strata differ by is no difference between labels, even if a label lacks a stratum.
    labels
        Shape (names,).
    sizes
        Shape (labels,): how many names each label has here; 0 for a label that is not here.
    share
        Shape (labels,): by what a label's sum over names here enters its mean; 0 where it is not.
    """

    values: Floats
    labels: Ints
    sizes: Ints
    share: Floats


@dataclass(frozen=True, slots=True, eq=False)
class GridDesign:
    """A checked grid.

    Attributes
    ----------
    strata
        The names, by stratum.
    sizes
        Shape (strata, labels): how many names each label has where.
    scale
        Shape (labels,): standard error of a label's mean, in units of the standard deviation
        between names.
    freedom
        Degrees of freedom of the standard deviation within labels and strata.
    columns
        Number of columns.
    """

    strata: tuple[Stratum, ...]
    sizes: Ints
    scale: Floats
    freedom: int
    columns: int


def grid_design(values: ArrayLike, labels: ArrayLike, strata: ArrayLike | None) -> GridDesign:
    """Check a grid and sort its names by stratum.

    Parameters
    ----------
    values
        Shape (names, columns), finite.
    labels
        Shape (names,): 0, 1, … without gaps; at least two labels.
    strata
        Shape (names,): any integers; one stratum when absent.

    Raises
    ------
    ValueError
        Shapes that do not match, values that are not finite, fewer than two labels, a label
        without names, or a label with a single name in a stratum: nothing could be said about
        how names differ there.
    """
    data, label = np.asarray(values, dtype=np.float64), np.asarray(labels)
    stratum = np.zeros(label.shape, dtype=int) if strata is None else np.asarray(strata)
    if data.ndim != 2 or 0 in data.shape or {label.shape, stratum.shape} != {data.shape[:1]}:
        raise ValueError(
            "values (names, columns), labels and strata (names,) do not match: "
            f"{data.shape}, {label.shape} and {stratum.shape}"
        )
    if not np.isfinite(data).all():
        raise ValueError("values hold NaN or infinities: leave out what was not measured")
    count = int(label.max()) + 1
    if count < 2 or set(np.unique(label)) != set(range(count)):
        raise ValueError("need two labels at least, numbered 0, 1, … without gaps")

    where = [np.flatnonzero(stratum == each) for each in np.unique(stratum)]
    sizes = np.array([np.bincount(label[rows], minlength=count) for rows in where])
    if (sizes == 1).any():
        raise ValueError("a label needs two names at least in every stratum where it has any")
    presence = (sizes > 0).sum(axis=0)
    inverse = np.divide(1, sizes, out=np.zeros(sizes.shape), where=sizes > 0)
    share = inverse / presence
    blocks = [
        Stratum(data[rows] - data[rows].mean(axis=0), label[rows], size, part)
        for rows, size, part in zip(where, sizes, share, strict=True)
    ]
    return GridDesign(
        strata=tuple(blocks),
        sizes=sizes,
        scale=np.sqrt((share * share * sizes).sum(axis=0)),
        freedom=len(data) - int((sizes > 0).sum()),
        columns=data.shape[1],
    )


def label_means(
    design: GridDesign, labels: Sequence[Ints], values: Sequence[NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Average by label, for many ways at once to label the names.

    Parameters
    ----------
    design
        The grid.
    labels
        For every stratum, shape (ways, names).
    values
        For every stratum, its values, in the precision to compute in.

    Returns
    -------
    means : numpy.ndarray
        Shape (ways, labels, columns): each label's mean.
    within : numpy.ndarray
        Shape (ways, columns): sum of the squares within labels and strata.
    """
    kind = values[0].dtype
    ways, count = len(labels[0]), design.sizes.shape[1]
    means = np.zeros((ways, count, design.columns), dtype=kind)
    within = np.zeros((ways, design.columns), dtype=kind)
    every = np.arange(count)[:, None]
    for stratum, label, data in zip(design.strata, labels, values, strict=True):
        belongs = (label[:, None, :] == every).astype(kind)
        sums = (belongs.reshape(-1, data.shape[0]) @ data).reshape(means.shape)
        inverse = np.divide(1, stratum.sizes, out=np.zeros(count), where=stratum.sizes > 0)
        within += (data * data).sum(axis=0)
        within -= np.einsum("wlc,wlc->wc", sums, sums * inverse.astype(kind)[:, None])
        sums *= stratum.share.astype(kind)[:, None]
        means += sums
    return means, np.maximum(within, 0, out=within)


def own_variances(design: GridDesign) -> Floats:
    """Say how much more the names of a label vary than all names do within their labels.

    Returns
    -------
    numpy.ndarray
        Shape (labels,): mean over columns of the variance of a label's names as a multiple of the
        variance within all labels; 1 where nothing varies.
    """
    own = np.zeros((len(design.scale), design.columns))
    for stratum in design.strata:
        for label in np.flatnonzero(stratum.sizes):
            names = stratum.values[stratum.labels == label]
            own[label] += ((names - names.mean(axis=0)) ** 2).sum(axis=0)
    variance = own / (design.sizes - (design.sizes > 0)).sum(axis=0)[:, None]
    usual = own.sum(axis=0) / design.freedom
    alike = np.ones_like(variance)
    return np.asarray(np.divide(variance, usual, out=alike, where=usual > 0).mean(axis=1))


def contrast(means: NDArray[Any]) -> NDArray[Any]:
    """Subtract from every label's mean the median of the other labels' means.

    The same as with `median_of_others`, at a third of the cost: the median without a label is one
    of two or three order statistics of all labels, according to the side the label lies on.

    Parameters
    ----------
    means
        Shape (ways, labels, columns), two labels or more.

    Returns
    -------
    numpy.ndarray
        Same shape.
    """
    half, odd = divmod(means.shape[1], 2)
    ordered = np.sort(means, axis=1)
    low, high = ordered[:, [half - 1]], ordered[:, [half + odd]]
    if not odd:
        return np.asarray(means - np.where(means > low, low, high))
    center = ordered[:, [half]]
    rest = np.where(
        means > center, low + center, np.where(means < center, center + high, low + high)
    )
    return np.asarray(means - rest / 2)
