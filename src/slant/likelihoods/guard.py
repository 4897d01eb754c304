"""Making sure that the prefix tree gives what the model itself gives.

A mask of four dimensions is silently ignored or misread by models with ALiBi, with recurrent
layers, with short sliding windows, with code of their own. So before a tree is believed, a few
sequences are scored both ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slant.likelihoods.causal import score_batches, score_plainly, score_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

TOLERANCE = 1e-4
"""Largest relative deviation of a perplexity in float32."""

REDUCED_TOLERANCE = 0.2
"""The same in types of half the width, whose rounding alone is as large as that."""

_NEIGHBOURS, _PLACES = 4, 4


class CausalScorer:
    """Scores token sequences under a causal model: by a prefix tree where that is right.

    Parameters
    ----------
    model
        A transformers causal language model.

    Attributes
    ----------
    model
        The model.
    method
        `prefix tree`, or `sorted batches` once the tree has failed its check.
    remark
        Why the tree is not used, in words; empty as long as it is.
    """

    def __init__(self, model: Any):
        self.model = model
        self._checked = 0
        self.method = "prefix tree"
        self.remark = ""

    def score(
        self, sequences: Sequence[Sequence[int]], first: Sequence[int] | None = None
    ) -> list[NDArray[np.float64]]:
        """Score sequences of at least two tokens: natural log-probabilities from token `first` on.

        `first` is 1 for all when not given: nothing predicts the very first token.

        The first call checks the tree on about sixteen of the sequences, and so does every call
        with a sequence longer than all that were checked: a window may slide that far only then.
        """
        longest = max(map(len, sequences), default=0)
        if self.method == "prefix tree" and longest > self._checked:
            self._check(sequences)
            self._checked = longest
        if self.method == "prefix tree":
            return score_tree(self.model, sequences, first)
        scores = score_batches(self.model, sequences)
        if first is None:
            return scores
        return [values[start - 1 :] for values, start in zip(scores, first, strict=True)]

    def _check(self, sequences: Sequence[Sequence[int]]) -> None:
        probe = _probe(sequences)
        allowed = TOLERANCE if self.model.dtype.itemsize >= 4 else REDUCED_TOLERANCE
        try:
            found = deviation(self.model, probe)
        except (RuntimeError, TypeError, ValueError, AttributeError, IndexError) as error:
            reason = f"it does not take a tree: {(str(error) or repr(error)).splitlines()[0]}"
        else:
            if found <= allowed:
                return
            reason = f"by tree its perplexities are off by up to {found:.2g} (relative)"
        self.method = "sorted batches"
        self.remark = (
            f"Likelihoods are computed in sorted batches, exactly but more slowly: {reason}."
        )


def deviation(model: Any, sequences: Sequence[Sequence[int]]) -> float:
    """Give the largest relative deviation of perplexity, by tree against one by one."""
    by_tree = score_tree(model, sequences)
    worst = 0.0
    for sequence, values in zip(sequences, by_tree, strict=True):
        (plain,) = score_plainly(model, [sequence])
        apart = abs(float(np.expm1(values.mean() - plain.mean())))
        worst = apart if not apart <= worst else worst  # so that not-a-number is the worst
    return worst


def _probe(sequences: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Choose sequences to check: the longest, a double, and neighbours that share prefixes."""
    order = sorted({tuple(sequence) for sequence in sequences})
    starts = np.linspace(0, max(len(order) - _NEIGHBOURS, 0), _PLACES).astype(int)
    near = [order[i] for start in starts for i in range(start, min(start + 4, len(order)))]
    longest = max(order, key=len)
    return [longest, longest, *dict.fromkeys(near)]
