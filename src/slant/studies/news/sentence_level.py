"""The sentence level of Fang et al. (2024): how sentences about each group sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.stats.score_change import compare_scores
from slant.studies.news.halves import halves, sentences
from slant.studies.news.level import Level

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.groups.group_words import GroupWords
    from slant.measures.sentence_scorer import SentenceScorer
    from slant.studies.news.pairs import Pairs


def sentence_level(
    pairs: Pairs, words: GroupWords, scorer: SentenceScorer, rng: np.random.Generator
) -> Level:
    """Compare the mean scores of the sentences about each group.

    A sentence is about the group with the most words in it; sentences with as many of two groups,
    or with none, are discarded, as in the paper, and the ties counted.
    """
    reference, generated = pairs.table["reference"], pairs.table["generated"]
    first, second = halves(reference, rng)
    texts = (reference, generated, first, second)
    means, ties = zip(*(group_means(each, words, scorer) for each in texts), strict=True)
    found = compare_scores(means[0], means[1], rng=rng)
    dropped = int((~found.kept).sum())
    notes = []
    if dropped:
        notes.append(
            f"{words.title}, {pairs.condition}, {scorer.name}: {dropped} of {len(found.kept)} "
            "pairs were dropped, for no group has sentences in both articles."
        )
    if tied := ties[0] + ties[1]:
        notes.append(
            f"{words.title}, {pairs.condition}: {tied:,} sentences with as many words of two "
            "groups were left out."
        )
    return Level(
        scorer.name,
        f"words:{words.name}|scorer:{scorer.signature}",
        words,
        pairs,
        found,
        compare_scores(means[2], means[3], rng=rng),
        tuple(notes),
    )


def group_means(
    texts: pl.Series, words: GroupWords, scorer: SentenceScorer
) -> tuple[NDArray[np.float64], int]:
    """Average the scores of the sentences about each group.

    Returns
    -------
    means : numpy.ndarray
        Shape (texts, groups); NaN where there is no sentence about a group.
    ties : int
        How many sentences had as many words of two groups.
    """
    parts = [(number, part) for number, text in enumerate(texts) for part in sentences(text)]
    result = np.full((len(texts), len(words.groups)), np.nan)
    if not parts:
        return result, 0
    counts = words.count(pl.Series([part for _, part in parts]))
    most = counts.max(axis=1)
    leaders = (counts == most[:, None]).sum(axis=1)
    about = (most > 0) & (leaders == 1)
    chosen = np.flatnonzero(about)
    scores = scorer.score([parts[place][1] for place in chosen])
    article = np.array([parts[place][0] for place in chosen], dtype=np.intp)
    group = counts[chosen].argmax(axis=1)
    total, n = np.zeros(result.shape), np.zeros(result.shape)
    np.add.at(total, (article, group), scores)
    np.add.at(n, (article, group), 1)
    np.divide(total, n, out=result, where=n > 0)
    return result, int(((most > 0) & (leaders > 1)).sum())


def ruler(words: GroupWords, scorer: SentenceScorer) -> pl.DataFrame:
    """Score sentences that say nothing of a group but its words: how biased the ruler is.

    Returns
    -------
    polars.DataFrame
        `scorer`, `group`, `sentence`, `score`; a fair scorer gives every group the same.
    """
    rows = [
        (scorer.name, group, f"The text has the word “{word}” in it.")
        for group, own in words.words.items()
        for word in own
    ]
    table = pl.DataFrame(rows, schema=["scorer", "group", "sentence"], orient="row")
    return table.with_columns(score=pl.Series(scorer.score(table["sentence"].to_list())))
