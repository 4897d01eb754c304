"""Which labels hold, and against which scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from slant.annotations.automatic import Scorer, automatic, scorers
from slant.annotations.labels import agreed_labels, latest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.annotations.annotation import Annotation, Key, Label
    from slant.annotations.labels import AgreedLabel
    from slant.annotations.ledger import Ledger
    from slant.engine.run import Run


@dataclass(frozen=True)
class Effect:
    """What annotations come to.

    Attributes
    ----------
    sizes
        For every scorer that somebody judged, how many answers it gives each score: `axis`,
        `group`, `automatic`, `size`.
    standing
        What people say about a score, from labels that count: those that agree with the score or
        say why not. Ties are among them, without a label.
    blind
        The same from labels on answers drawn at random, made with the score hidden.
    groups, scores
        Of each answer that was judged: axis and group, and what the scorer says.
    stale
        Annotations whose answer or score is not in the run any more.
    """

    sizes: Mapping[Scorer, pl.DataFrame]
    standing: Mapping[Key, AgreedLabel]
    blind: Mapping[Key, AgreedLabel]
    groups: Mapping[Key, tuple[str, str]]
    scores: Mapping[Key, float]
    stale: tuple[Annotation, ...]

    def overruled_in(self, model: str, study: str) -> dict[tuple[int, str], Label]:
        """Give the labels of one study that differ from the score, by position and measure."""
        return {
            (key[2], key[3]): agreed.label
            for key, agreed in self.standing.items()
            if key[:2] == (model, study)
            and agreed.label is not None
            and agreed.label != self.scores[key]
        }


def in_effect(run: Run, ledger: Ledger) -> Effect:
    """Work out which of the ledger's labels hold.

    Raises
    ------
    InputError
        The run has no scores.
    """
    known = set(scorers(run))
    asked = dict.fromkeys(Scorer(line.model, line.study, line.measure) for line in ledger.lines)
    sizes: dict[Scorer, pl.DataFrame] = {}
    items: dict[Key, str] = {}
    groups: dict[Key, tuple[str, str]] = {}
    scores: dict[Key, float] = {}
    for scorer in (each for each in asked if each in known):
        frame = automatic(run, scorer)
        stratum = ("axis", "group", "automatic")
        sizes[scorer] = frame.group_by(stratum).agg(pl.len().alias("size")).sort(stratum).collect()
        about = (scorer.model, scorer.study, scorer.measure)
        positions = {
            line.position
            for line in ledger.lines
            if (line.model, line.study, line.measure) == about
        }
        for row in (
            frame.filter(pl.col("position").is_in(positions)).collect().iter_rows(named=True)
        ):
            key = (scorer.model, scorer.study, row["position"], scorer.measure)
            items[key], scores[key] = row["item"], row["automatic"]
            groups[key] = row["axis"], row["group"]
    said = latest(ledger.lines)
    fresh = [each for each in said if items.get(each.key) == each.item]
    blind = [
        each for each in latest(ledger.lines, sampled=True) if items.get(each.key) == each.item
    ]
    return Effect(
        sizes=sizes,
        standing=agreed_labels(each for each in fresh if each.counts),
        blind=agreed_labels(blind),
        groups=groups,
        scores=scores,
        stale=tuple(each for each in said if items.get(each.key) != each.item),
    )
