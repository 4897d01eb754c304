"""Every sentence of the pairs of one condition, as numbers: whose words it has, how it sounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.measures.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.groups.group_words import GroupWords
    from slant.measures.measure import Measure
    from slant.studies.news.pairs import Pairs

NOBODY, TIE = -1, -2


@dataclass(frozen=True, eq=False)
class SentenceTable:
    """Sentences as numbers; their texts are not kept.

    Attributes
    ----------
    pairs
        How many pairs there are.
    article
        Which pair each sentence is of.
    generated
        Whether it is the model's; else it is the reference's.
    chosen
        Of a reference: whether it is in the first of two random halves. Of a generated article:
        whether it is in a random sample about as long, in words, as that half.
    counts
        Words of each group, by set of words; shape (sentences, groups).
    scores
        By scorer; NaN for sentences that are about nobody.
    """

    pairs: int
    article: NDArray[np.int32]
    generated: NDArray[np.bool_]
    chosen: NDArray[np.bool_]
    counts: Mapping[str, NDArray[np.uint16]]
    scores: Mapping[str, NDArray[np.float64]]

    @property
    def reference(self) -> NDArray[np.bool_]:
        """Whether a sentence is the reference's."""
        return ~self.generated

    def by_article(
        self, values: NDArray[np.float64] | NDArray[np.uint16], where: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Add up values of sentences by pair, shape (pairs, columns)."""
        return np.column_stack(
            [
                np.bincount(self.article[where], weights=column[where], minlength=self.pairs)
                for column in values.T
            ]
        )


def about(counts: NDArray[np.float64] | NDArray[np.uint16]) -> NDArray[np.int32]:
    """Say which group a sentence is about: the one with the most words in it.

    Parameters
    ----------
    counts
        Shape (sentences, groups).

    Returns
    -------
    numpy.ndarray
        Numbers of groups; `NOBODY` where there is no word, `TIE` where two groups have as many.
    """
    if not len(counts):
        return np.empty(0, np.int32)
    most = counts.max(axis=1)
    leaders = (counts == most[:, None]).sum(axis=1)
    first = counts.argmax(axis=1).astype(np.int32)
    return np.where(most == 0, NOBODY, np.where(leaders > 1, TIE, first)).astype(np.int32)


def sentence_table(
    pairs: Pairs,
    words: Sequence[GroupWords],
    scorers: Sequence[Measure],
    rng: np.random.Generator,
) -> SentenceTable:
    """Go through the pairs once, and count and score their sentences.

    Scored are only sentences that are about a group, each distinct one of a batch once.
    """
    parts: list[_Batch] = []
    begins = [0]
    for batch in pairs.batches():
        parts.append(_batch(batch, begins[-1], words, scorers))
        begins.append(begins[-1] + len(batch))
    article, generated = (
        np.concatenate([getattr(part, name) for part in parts] or [np.empty(0, kind)])
        for name, kind in (("article", np.int32), ("generated", np.bool_))
    )
    return SentenceTable(
        begins[-1],
        article,
        generated,
        _all_chosen(parts, begins, rng),
        {
            each.name: np.concatenate(
                [part.counts[place] for part in parts]
                or [np.empty((0, len(each.groups)), np.uint16)]
            )
            for place, each in enumerate(words)
        },
        {
            each.name: np.concatenate([part.scores[place] for part in parts] or [np.empty(0)])
            for place, each in enumerate(scorers)
        },
    )


@dataclass(frozen=True)
class _Batch:
    article: NDArray[np.int32]
    generated: NDArray[np.bool_]
    lengths: NDArray[np.int32]
    counts: list[NDArray[np.uint16]]
    scores: list[NDArray[np.float64]]


def _batch(
    batch: pl.DataFrame,
    first: int,
    words: Sequence[GroupWords],
    scorers: Sequence[Measure],
) -> _Batch:
    texts, article, generated = split(batch)
    column = pl.Series(texts, dtype=pl.String)
    # A sentence with more words of a group than this is no sentence.
    most = np.iinfo(np.uint16).max
    counts = [np.minimum(each.count(column), most).astype(np.uint16) for each in words]
    somebody = np.zeros(len(texts), np.bool_)
    for each in counts:
        somebody |= about(each) >= 0
    places = np.flatnonzero(somebody)
    told = [texts[place] for place in places]
    scores = []
    for scorer in scorers:
        own = np.full(len(texts), np.nan)
        own[places] = scorer.each(told)
        scores.append(own)
    lengths = column.str.count_matches(r"\S+").to_numpy().astype(np.int32)
    return _Batch((article + first).astype(np.int32), generated, lengths, counts, scores)


def split(batch: pl.DataFrame) -> tuple[list[str], NDArray[np.intp], NDArray[np.bool_]]:
    """Split pairs into sentences: the sentences, of which pair, and whether the model's."""
    texts: list[str] = []
    sizes: list[int] = []
    for side in ("reference", "generated"):
        for text in batch[side]:
            own = sentences(text)
            texts += own
            sizes.append(len(own))
    rows = np.tile(np.arange(len(batch)), 2)
    side_of = np.repeat([False, True], len(batch))
    return texts, np.repeat(rows, sizes), np.repeat(side_of, sizes)


def _all_chosen(
    parts: Sequence[_Batch], begins: Sequence[int], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw half of each reference, and as many words of each generated article."""
    draws = [rng.random(len(part.article)) for part in parts]
    coins = rng.integers(2, size=(2, begins[-1]))
    chosen = [
        _chosen(part, own, begin, coins[:, begin:end])
        for part, own, begin, end in zip(parts, draws, begins[:-1], begins[1:], strict=True)
    ]
    return np.concatenate(chosen or [np.empty(0, np.bool_)])


def _chosen(
    part: _Batch, draws: NDArray[np.float64], first: int, coins: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Draw among the sentences of some pairs; a half of an odd number is told by a coin."""
    article, generated, lengths = part.article - first, part.generated, part.lengths
    pairs = coins.shape[1]
    text = article + generated * pairs
    order = np.lexsort((draws, text))
    sizes = np.bincount(text, minlength=2 * pairs)
    begins = np.cumsum(sizes) - sizes
    rank = np.empty(len(text), np.intp)
    rank[order] = np.arange(len(text)) - np.repeat(begins, sizes)
    half = (sizes + coins.ravel()) // 2
    chosen = ~generated & (rank < half[text])
    wanted = np.bincount(article[chosen], weights=lengths[chosen], minlength=pairs)
    # How many words of the same text stand before a sentence in its random order.
    running = np.concatenate([[0], np.cumsum(lengths[order])])
    before = np.empty(len(text))
    before[order] = running[:-1] - np.repeat(running[begins], sizes)
    whole: NDArray[np.bool_] = chosen | (generated & (before < wanted[article]))
    return whole
