"""The document level of Fang et al. (2024): how much of an article is about each group's topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.stats.share_distance import compare_shares
from slant.stats.topic_groups import TopicGroups, topic_groups
from slant.studies.news.level import Level, beyond_halves
from slant.studies.news.sentence_table import about

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from slant.groups.group_words import GroupWords
    from slant.signature import Value
    from slant.studies.news.pairs import Pairs
    from slant.studies.news.sentence_table import SentenceTable
    from slant.studies.news.topics import Content, Topics
    from slant.studies.study import Method

_COVERED = "86 to 90%"
"""Of 95% intervals, those that hold the mean over runs with topics of their own, as simulated."""


def groups_of_topics(
    table: SentenceTable,
    sentence: NDArray[np.int32],
    topics: int,
    words: GroupWords,
    method: Method,
) -> tuple[TopicGroups, TopicGroups]:
    """Tell whose topics are in references and in what a model wrote, from the sentences (Eq. 7).

    In `paper` mode from those of the references for references, and from the model's for its
    articles, so that a topic may count in one and not in the other; in `robust` mode from all
    sentences for both.

    Parameters
    ----------
    table, words
        Whose words every sentence has.
    sentence
        The topic of each; −1 for none.
    topics
        How many topics there are.
    method
        `paper` or `robust`.
    """
    label = about(table.counts[words.name])
    label[label < 0] = len(words.groups)

    def told(where: NDArray[np.bool_]) -> TopicGroups:
        known = where & (sentence >= 0)
        counts = np.zeros((topics, len(words.groups) + 1))
        np.add.at(counts, (sentence[known], label[known]), 1)
        return topic_groups(counts)

    if method == "robust":
        return (told(np.ones(len(sentence), np.bool_)),) * 2
    return told(table.reference), told(table.generated)


def document_level(
    pairs: Pairs,
    content: Content,
    groups: tuple[TopicGroups, TopicGroups],
    words: GroupWords,
    method: Method,
    how: Mapping[str, Value],
    rng: np.random.Generator,
) -> Level:
    """Compare how much of each article is about the topics of each group (Eq. 8 and 9)."""
    own, model = groups
    reference, generated, first, second, sample = content.masses[words.name]
    told = [len({*groups.group.tolist()} - {-1, len(words.groups)}) for groups in (own, model)]
    reason = ""
    if min(told) < 2:
        reason = "fewer than two groups have topics of their own"
        reference = np.zeros_like(reference)
        first = np.zeros_like(first)
    found = compare_shares(reference, generated, rng=rng, all_show=True)
    halves = compare_shares(first, second, rng=rng, all_show=True)
    other = compare_shares(first, sample, rng=rng, all_show=True)
    note = (
        f"{words.title}, {pairs.condition}: topics depend on whose sentence it is, "
        f"χ² = {model.chi2:,.0f}, p {'< .001' if model.p < 0.001 else f'= {model.p:.3f}'}; "
        f"{sum(model.group >= 0)} of {len(model.group)} topics are associated with a group or "
        f"with nobody{f'; {reason}' if reason else ''}. Intervals of distances, prejudice and "
        "decreases take these topics as given; of topics that are found anew they are not "
        f"calibrated: {_COVERED} hold the mean (docs/calibration.md)."
    )
    return Level(
        f"document.{words.name}",
        "document",
        {
            "words": words.name,
            **how,
            "associations": method,
            "prior": "kept" if method == "paper" else "taken off",
        },
        words,
        pairs,
        found,
        halves.means,
        beyond_halves(halves, other, rng),
        notes=(note,),
        reason=reason,
    )


def topic_table(
    topics: Topics,
    groups: TopicGroups,
    content: Content,
    words: GroupWords,
    condition: str,
) -> pl.DataFrame:
    """List topics with their words, their group, and where they stand on a map.

    Returns
    -------
    polars.DataFrame
        `words`, `condition`, `topic`, `group`, `residual`, `share_reference`, `share_generated`,
        `stability` (similarity to its partner under other seeds, mean), `relevant`, `x`, `y`, and
        sentences by group.
    """
    names = [*words.groups, "nobody"]
    reference, generated = content.shares
    stable = topics.stability.mean(axis=0) if len(topics.stability) else None
    place = topic_map(topics.model.words)
    rows = [
        {
            "words": words.name,
            "condition": condition,
            "topic": number + 1,
            "group": names[group] if group >= 0 else None,
            "residual": float(np.nanmax(groups.residuals[number]))
            if np.isfinite(groups.residuals[number]).any()
            else None,
            "share_reference": float(reference[number]),
            "share_generated": float(generated[number]),
            "stability": None if stable is None else float(stable[number]),
            "relevant": ", ".join(relevant),
            "x": float(place[number, 0]),
            "y": float(place[number, 1]),
            **{
                f"sentences_{name}": int(count)
                for name, count in zip(names, groups.counts[number], strict=True)
            },
        }
        for number, (group, relevant) in enumerate(
            zip(groups.group.tolist(), topics.relevant(), strict=True)
        )
    ]
    # A column may hold nothing here and something for other words.
    unknown = {"group": pl.String, "residual": pl.Float64, "stability": pl.Float64}
    return pl.DataFrame(rows, schema_overrides=unknown)


def topic_map(words: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put topics on a plane: classical scaling of the Jensen-Shannon distances of their words.

    References
    ----------
    Torgerson (1952), Multidimensional scaling I; as in LDAvis (Sievert and Shirley, 2014).
    """
    from scipy.spatial.distance import cdist

    squared = np.nan_to_num(cdist(words, words, metric="jensenshannon")) ** 2
    centre = np.eye(len(words)) - 1 / len(words)
    values, vectors = np.linalg.eigh(-centre @ squared @ centre / 2)
    top = np.argsort(values)[::-1][:2]
    place = vectors[:, top] * np.sqrt(np.maximum(values[top], 0))
    return np.pad(place, ((0, 0), (0, 2 - place.shape[1])))
