"""The word level of Fang et al. (2024), beside what two halves of one article differ by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.stats.share_distance import compare_shares
from slant.studies.news.level import Level, beyond_halves

if TYPE_CHECKING:
    import numpy as np

    from slant.groups.group_words import GroupWords
    from slant.studies.news.pairs import Pairs
    from slant.studies.news.sentence_table import SentenceTable


def word_level(
    pairs: Pairs, table: SentenceTable, words: GroupWords, rng: np.random.Generator
) -> Level:
    """Compare the shares of groups' words.

    A generated article is as long as it is, its reference's half only half as long as that: short
    texts differ more by chance, so the halves' figure errs on the side of caution. The excess
    compares texts of the same length.
    """
    counts = table.counts[words.name]
    reference, generated, first, second, sample = (
        table.by_article(counts, where)
        for where in (
            table.reference,
            table.generated,
            table.reference & table.chosen,
            table.reference & ~table.chosen,
            table.generated & table.chosen,
        )
    )
    found = compare_shares(reference, generated, rng=rng)
    halves = compare_shares(first, second, rng=rng)
    excess = beyond_halves(halves, compare_shares(first, sample, rng=rng), rng)
    dropped = int((~found.kept).sum())
    note = (
        f"{words.title}, {pairs.condition}: {dropped} of {len(found.kept)} pairs were dropped, for "
        "the reference or the article has no word of any group."
    )
    notes = (note,) if dropped else ()
    how = {"words": words.name}
    return Level(
        f"word.{words.name}", "word", how, words, pairs, found, halves.means, excess, notes=notes
    )
