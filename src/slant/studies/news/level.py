"""What one level of analysis shows of one condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slant.groups.group_words import GroupWords
    from slant.stats.article_pairs import PairComparison
    from slant.studies.news.pairs import Pairs


@dataclass(frozen=True)
class Level:
    """What one level shows of one condition.

    Attributes
    ----------
    metric
        What its metrics begin with: `word`, `vader`, `textblob`.
    unit
        What the level measures, for signatures: the words, and the scorer if there is one.
    words
        Whose words were counted.
    pairs
        The pairs.
    found
        Generated articles against their references.
    halves
        One half of every reference against the other: what comes out where nobody leans.
    notes
        What was left out, in words.
    """

    metric: str
    unit: str
    words: GroupWords
    pairs: Pairs
    found: PairComparison
    halves: PairComparison
    notes: tuple[str, ...] = ()
