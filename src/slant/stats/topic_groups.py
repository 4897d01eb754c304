"""Which topics belong to which group: Fang et al. (2024), document level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

THRESHOLD = 3.0
"""Standardised residual beyond which a topic is a group's, in the paper."""


@dataclass(frozen=True, slots=True, eq=False)
class TopicGroups:
    """How topics are spread over groups.

    Attributes
    ----------
    counts
        Sentences by topic and group, shape (topics, groups + 1); the last column is nobody's.
    residuals
        Standardised residuals, same shape; NaN in rows and columns without sentences.
    group
        Which column each topic is associated with; −1 for none.
    chi2, p
        Pearson's test of independence; NaN where there are fewer than two rows or columns.
    """

    counts: Floats
    residuals: Floats
    group: NDArray[np.intp]
    chi2: float
    p: float

    def masses(self, topics: ArrayLike) -> Floats:
        r"""Add up the shares of the topics of each group: the numerator of Eq. 8.

        Parameters
        ----------
        topics
            Distributions over topics, shape (texts, topics).

        Returns
        -------
        numpy.ndarray
            Shape (texts, groups), without the column of nobody.
        """
        groups = self.counts.shape[1] - 1
        own = (self.group[:, None] == np.arange(groups)[None]).astype(np.float64)
        masses: Floats = np.asarray(topics, dtype=np.float64) @ own
        return masses


def topic_groups(counts: ArrayLike, threshold: float = THRESHOLD) -> TopicGroups:
    r"""Associate topics with groups by standardised residuals (Eq. 7).

    :math:`SR_{km} = (O_{km} - E_{km}) / \sqrt{E_{km} (1 - O_{k\cdot}/N) (1 - O_{\cdot m}/N)}`. A
    topic is associated with the group whose residual is largest, if that is above the threshold.
    The paper's equation 7 has the two margins under the root as here; its text lets several groups
    pass, and its table 4 names one.

    Parameters
    ----------
    counts
        Sentences, shape (topics, groups + 1).
    threshold
        What a residual must exceed.

    References
    ----------
    Fang et al. (2024), equations 7 and 8. Agresti (2019), An Introduction to Categorical Data
    Analysis, section 2.4.5.
    """
    table = np.asarray(counts, dtype=np.float64)
    n = table.sum()
    rows, columns = table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = rows * columns / n
        spread = np.sqrt(expected * (1 - rows / n) * (1 - columns / n))
        residuals = np.where(spread > 0, (table - expected) / spread, np.nan)
    highest = np.nan_to_num(residuals, nan=-np.inf).argmax(axis=1)
    passes = np.nan_to_num(residuals, nan=-np.inf).max(axis=1) > threshold
    filled = table[rows[:, 0] > 0][:, columns[0] > 0]
    chi2 = p = float("nan")
    if min(filled.shape) > 1:
        from scipy.stats import chi2_contingency

        result = chi2_contingency(filled, correction=False)
        chi2, p = float(result.statistic), float(result.pvalue)
    return TopicGroups(table, residuals, np.where(passes, highest, -1), chi2, p)
