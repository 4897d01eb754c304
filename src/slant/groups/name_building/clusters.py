"""Clusters of names that an encoder finds alike, and how far each agrees on a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALLEST = 10
"""Names of a cluster that counts (Siddique et al., 2024)."""


def cluster(vectors: NDArray[np.float32], clusters: int, seed: int) -> NDArray[np.intp]:
    """Put names into clusters by mini-batch k-means.

    Parameters
    ----------
    vectors
        Shape (n, d), each of length 1.
    clusters
        How many; at most one for every ten names, because smaller ones do not count.
    seed
        Of the first centres and of the batches.

    Returns
    -------
    ndarray of int, shape (n,)
        The number of each name's cluster, from 0.

    References
    ----------
    Sculley (2010), Web-scale k-means clustering, WWW; k = 120 as Siddique et al. (2024).
    """
    from sklearn.cluster import MiniBatchKMeans

    count = max(1, min(clusters, len(vectors) // SMALLEST))
    fitted = MiniBatchKMeans(count, random_state=seed, n_init=3, batch_size=1024).fit(vectors)
    labels: NDArray[np.intp] = fitted.labels_.astype(np.intp)
    return labels


def agreement(labels: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.float64]:
    """Compute the share of each group in each cluster.

    Parameters
    ----------
    labels, groups
        Shape (n,): the cluster and the group of each name, as numbers from 0.

    Returns
    -------
    ndarray of float, shape (clusters, groups)
        Between 0 and 1; a row without names is 0.
    """
    counts = np.zeros((labels.max() + 1, groups.max() + 1))
    np.add.at(counts, (labels, groups), 1)
    shares: NDArray[np.float64] = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return shares


def own_neighbours(
    vectors: NDArray[np.float32], groups: NDArray[np.intp], neighbours: int = SMALLEST
) -> NDArray[np.float64]:
    """Compute the share of each name's own group among the names nearest to it.

    Parameters
    ----------
    vectors
        Shape (n, d), each of length 1.
    groups
        Shape (n,): the group of each name.
    neighbours
        How many of the others are looked at, by cosine; all of them if they are fewer.

    Returns
    -------
    ndarray of float, shape (n,)
        Between 0 and 1; 0 for a name without others.
    """
    count = min(neighbours, len(vectors) - 1)
    shares = np.zeros(len(vectors))
    if count < 1:
        return shares
    for place, vector in enumerate(vectors):
        closeness = vectors @ vector
        closeness[place] = -np.inf
        nearest = np.argpartition(-closeness, count - 1)[:count]
        shares[place] = (groups[nearest] == groups[place]).mean()
    return shares
