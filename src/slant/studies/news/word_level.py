"""The word level of Fang et al. (2024), beside what two halves of one article differ by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.stats.share_distance import compare_shares
from slant.studies.news.halves import halves
from slant.studies.news.level import Level

if TYPE_CHECKING:
    import numpy as np

    from slant.groups.group_words import GroupWords
    from slant.studies.news.pairs import Pairs


def word_level(pairs: Pairs, words: GroupWords, rng: np.random.Generator) -> Level:
    """Compare the shares of groups' words.

    A generated article is as long as it is, its reference's half only half as long as that: short
    texts differ more by chance, so the halves' figure errs on the side of caution.
    """
    reference, generated = pairs.table["reference"], pairs.table["generated"]
    found = compare_shares(words.count(reference), words.count(generated), rng=rng)
    first, second = halves(reference, rng)
    null = compare_shares(words.count(first), words.count(second), rng=rng)
    dropped = int((~found.kept).sum())
    note = (
        f"{words.title}, {pairs.condition}: {dropped} of {len(found.kept)} pairs were dropped, for "
        "the reference or the article has no word of any group."
    )
    notes = (note,) if dropped else ()
    return Level("word", f"words:{words.name}", words, pairs, found, null, notes)
