"""What one level of analysis shows of one condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.article_pairs import mean_change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.groups.group_words import GroupWords
    from slant.records import Scale
    from slant.signature import Value
    from slant.stats.article_pairs import Estimate, PairComparison, PairMeans
    from slant.studies.news.pairs import Pairs


@dataclass(frozen=True, eq=False)
class Level:
    """What one level shows of one condition.

    Attributes
    ----------
    place
        Where it stands in a summary: `word.gender`, `sentence.gender.sentiment`.
    metric
        What its metrics begin with: `word`, `document`, or the scorer.
    how
        What the level measures, for signatures: the words, and the scorer if there is one.
    words
        Whose words were counted.
    pairs
        The pairs.
    found
        Generated articles against their references.
    halves
        One half of every reference against the other: what comes out where nobody leans.
    excess
        How much further a sample of the generated article, as long as the first half, is from that
        half than the second half is. It is not tested: two halves of one article have an author in
        common, and articles by two authors are further apart whoever the second one is.
    scorer
        What the scorer is called, if there is one.
    binary
        Whether it says yes or no of each sentence.
    notes
        What was left out, in words.
    reason
        Why nothing could be measured; empty if it could.
    """

    place: str
    metric: str
    how: Mapping[str, Value]
    words: GroupWords
    pairs: Pairs
    found: PairComparison
    halves: PairMeans
    excess: Estimate
    scorer: str = ""
    binary: bool = False
    notes: tuple[str, ...] = ()
    reason: str = ""

    @property
    def measure(self) -> str:
        """What gives the figures: a scorer, the words, or topics."""
        return self.metric if self.scorer else {"word": "group words"}.get(self.metric, "topics")

    @property
    def scale(self) -> Scale:
        """What a group's figure is counted in: a share of words, topics, sentences, or a score."""
        return "number" if self.scorer and not self.binary else "share"


def beyond_halves(
    halves: PairComparison, sample: PairComparison, rng: np.random.Generator
) -> Estimate:
    """Say how much further articles are than two halves of a reference, article by article.

    Texts of one length are compared with texts of one length.

    Parameters
    ----------
    halves
        The comparison whose means are `halves` in `Level`.
    sample
        The same, with a sample of the generated article in place of the second half.
    """
    longer = sample.spread(sample.distances) - halves.spread(halves.distances)
    return mean_change(longer[~np.isnan(longer)], rng)[0]
