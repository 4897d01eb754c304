"""What tells a topic: its most relevant words, and the topic most like it in another model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_WEIGHT = 0.6
"""The weight that Sievert and Shirley found best in their study with readers."""


def relevant_words(
    words: ArrayLike,
    frequency: ArrayLike,
    top: int = 15,
    weight: float = _WEIGHT,
    telling: ArrayLike | None = None,
) -> NDArray[np.intp]:
    r"""Find the words most relevant to each topic.

    :math:`r(w, k) = \lambda \log \phi_{kw} + (1 - \lambda) \log(\phi_{kw} / p_w)`: words that are
    frequent in the topic, and more so than elsewhere.

    Parameters
    ----------
    words
        Probability of each word in each topic, shape (topics, words).
    frequency
        Probability of each word in the corpus, shape (words,); above 0.
    top
        How many words.
    weight
        :math:`\lambda`.
    telling
        Which words may be told, shape (words,), such as those that are no stop words; all if not
        given.

    Returns
    -------
    numpy.ndarray
        Places of words, most relevant first, shape (topics, min(top, words that may be told)).

    References
    ----------
    Sievert and Shirley (2014), LDAvis: a method for visualizing and interpreting topics, eq. 1.
    """
    phi = np.log(np.asarray(words, dtype=np.float64))
    lift = phi - np.log(np.asarray(frequency, dtype=np.float64))
    relevance = weight * phi + (1 - weight) * lift
    if telling is None:
        kept = np.arange(relevance.shape[1])
    else:
        kept = np.flatnonzero(np.asarray(telling, dtype=bool))
    order: NDArray[np.intp] = kept[np.argsort(-relevance[:, kept], axis=1, kind="stable")[:, :top]]
    return order


def similarity(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    r"""Match the topics of two models one to one, and say how alike each pair is.

    :math:`1 - \sqrt{JSD}` (base 2) of the two distributions over words: 1 for the same topic, 0
    for topics without a common word; the matching has the largest sum.

    Parameters
    ----------
    first, second
        Probability of each word in each topic, shape (topics, words), over the same words.

    Returns
    -------
    numpy.ndarray
        Shape (topics of the first,); NaN for a topic that has no partner.

    References
    ----------
    Lin (1991), Divergence measures based on the Shannon entropy. Kuhn (1955), for the matching.
    """
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    # Rounding can put the divergence of equal distributions below 0, and its root is NaN.
    alike = 1 - np.nan_to_num(cdist(one, other, metric="jensenshannon")) / np.sqrt(np.log(2))
    rows, columns = linear_sum_assignment(-alike)
    result = np.full(len(one), np.nan)
    result[rows] = alike[rows, columns]
    return result
