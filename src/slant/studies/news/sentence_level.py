"""The sentence level of Fang et al. (2024): how sentences about each group sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.stats.score_change import compare_scores
from slant.studies.news.level import Level, beyond_halves
from slant.studies.news.sentence_table import NOBODY, TIE, about
from slant.studies.rulers import rulers_of_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.groups.group_words import GroupWords
    from slant.measures.measure import Measure
    from slant.stats.article_pairs import Worse
    from slant.studies.news.pairs import Pairs
    from slant.studies.news.sentence_table import SentenceTable
    from slant.studies.study import Figure

_NOT_HELD = "Changes compare sentences about one group with each other: it falls out of them."


def sentence_level(
    pairs: Pairs,
    table: SentenceTable,
    words: GroupWords,
    scorer: Measure,
    place: str,
    rng: np.random.Generator,
) -> Level:
    """Compare the mean scores of the sentences about each group.

    A sentence is about the group with the most words in it; sentences with as many of two groups,
    or with none, are discarded, as in the paper, and the ties counted.
    """
    worse: Worse = -1 if scorer.direction == "higher_is_better" else 1
    reference, generated, first, second, sample = (
        group_means(table, words.name, scorer.name, where)
        for where in (
            table.reference,
            table.generated,
            table.reference & table.chosen,
            table.reference & ~table.chosen,
            table.generated & table.chosen,
        )
    )
    found = compare_scores(reference, generated, rng=rng, worse=worse)
    halves = compare_scores(first, second, rng=rng, worse=worse)
    other = compare_scores(first, sample, rng=rng, worse=worse)
    dropped = int((~found.kept).sum())
    notes = []
    if dropped:
        notes.append(
            f"{words.title}, {pairs.condition}, {scorer.called}: {dropped} of {len(found.kept)} "
            "pairs were dropped, for no group has sentences in both articles."
        )
    if tied := int((about(table.counts[words.name]) == TIE).sum()):
        notes.append(
            f"{words.title}, {pairs.condition}: {tied:,} sentences with as many words of two "
            "groups were left out."
        )
    return Level(
        place,
        scorer.name,
        {"words": words.name, "scorer": scorer.signature},
        words,
        pairs,
        found,
        halves.means,
        beyond_halves(halves, other, rng),
        scorer=scorer.called,
        binary=scorer.scale == "binary",
        notes=tuple(notes),
    )


def group_means(
    table: SentenceTable, words: str, scorer: str, where: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Average the scores of the sentences about each group.

    Returns
    -------
    numpy.ndarray
        Shape (pairs, groups); NaN where there is no sentence about a group.
    """
    counts = table.counts[words]
    scores, label = table.scores[scorer], np.where(where, about(counts), NOBODY)
    means: NDArray[np.float64] = np.full((table.pairs, counts.shape[1]), np.nan)
    for group in range(counts.shape[1]):
        own = (label == group) & ~np.isnan(scores)
        article = table.article[own]
        total = np.bincount(article, weights=scores[own], minlength=table.pairs)
        n = np.bincount(article, minlength=table.pairs)
        np.divide(total, n, out=means[:, group], where=n > 0)
    return means


def rulers(
    words: Sequence[GroupWords], scorers: Sequence[Measure]
) -> tuple[dict[str, pl.DataFrame], list[Figure], list[str]]:
    """Score sentences that say nothing of a group but its words: how biased the rulers are.

    Returns
    -------
    tuple
        Tables (`ruler` has `scorer`, `words`, `group`, `sentence`, `score`; a fair scorer gives
        every group the same), pictures and a note.
    """
    if not scorers:
        return {}, [], []
    table = pl.concat([_ruler(each, scorer) for scorer in scorers for each in words])
    leans, drawn, said = rulers_of_parts(table, "words", _NOT_HELD)
    return {"ruler": table, **leans}, drawn, said


def _ruler(words: GroupWords, scorer: Measure) -> pl.DataFrame:
    rows = [
        (scorer.called, words.name, group, f"The text has the word “{word}” in it.")
        for group, own in words.words.items()
        for word in own
    ]
    schema = ["scorer", "words", "group", "sentence"]
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return table.with_columns(score=pl.Series(scorer.each(table["sentence"].to_list())))
