"""Comparing a score of stories between groups, scene by scene where there are counterfactuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from slant.records import VS_REST, Units, versus
from slant.stats.article_pairs import mean_change
from slant.stats.blocked_means import blocked_means
from slant.stats.unit_means import unit_means
from slant.studies.blocked_findings import RESAMPLES, difference_from_rest, difference_of, mean_of
from slant.studies.filing import Measured, Quantity, Subject, adjusted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from slant.records import Direction, Finding, Scale
    from slant.stats.inference import GroupMeans
    from slant.studies.filing import Filing

FEWEST_UNITS = 2
SCENES = "scenes"
"""Table of what `scene_scores` keeps."""


@dataclass(frozen=True)
class Scored:
    """A score that every story has.

    Attributes
    ----------
    metric
        What findings are called.
    values
        One figure a story, in the order of the stories; NaN where it has none.
    measure, signature, scored_by
        What made it, by name and with its version, and what signatures call that.
    direction, scale
        Which way it improves, and what it is counted in.
    condition
        What the figure is about, where there are several: a topic.
    what
        What pictures call it; empty for none.
    """

    metric: str
    values: NDArray[np.float64]
    measure: str
    signature: str
    scored_by: str = "scorer"
    direction: Direction = "closer_to_target"
    scale: Scale = "number"
    condition: str = ""
    what: str = ""


@dataclass(frozen=True)
class Section:
    """What all findings of a section share.

    Attributes
    ----------
    file, axis
        What they are filed under.
    outcomes
        By group.
    groups
        In order.
    reference
        Compare with this one, too.
    paired
        Whether stories about one scene are compared with each other.
    """

    file: Filing
    axis: str
    outcomes: Mapping[str, Mapping[str, int]]
    groups: Sequence[str]
    reference: str | None
    paired: bool


def score_findings(
    stories: pl.DataFrame, scores: Sequence[Scored], section: Section, rng: np.random.Generator
) -> list[Finding]:
    """Compare scores between groups; q-values hold over all scores of a metric and all groups.

    A score is averaged over the stories about one caption first: captions are what was sampled.
    With counterfactuals, differences are taken within scenes, permutations exchange the groups
    within scenes and the bootstrap draws scenes (`blocked_means`); against the reference, signs of
    the scenes' differences are flipped. Scenes that lack a group are left out. Without
    counterfactuals, captions are exchanged between groups (`unit_means`).

    Parameters
    ----------
    stories
        `group`, `frame`, `caption`: one row a story.
    scores
        What to compare.
    section
        What the findings have in common.
    """
    compare = _Comparer(stories, section, rng)
    found = [finding for score in scores for finding in compare.findings(score)]
    families: dict[str, list[int]] = {}
    for place, finding in enumerate(found):
        against = VS_REST if finding.contrast == VS_REST else "the reference"
        families.setdefault(f"{finding.metric} {against}", []).append(place)
    for family, places in families.items():
        own = adjusted([found[place] for place in places], family)
        for place, finding in zip(places, own, strict=True):
            found[place] = finding
    return found


def scene_scores(
    stories: pl.DataFrame, scores: Sequence[Scored], groups: Sequence[str]
) -> pl.DataFrame:
    """Keep each group's mean score by scene, where findings rest on scenes.

    Parameters
    ----------
    stories
        `group` and `frame`: one row a story.
    scores
        What was compared; of those with a condition nothing is kept.
    groups
        Those compared: a scene counts where all of them have a score.

    Returns
    -------
    polars.DataFrame
        `group`, `frame`, and a column a metric.
    """
    table = stories.select("group", "frame").unique(maintain_order=True)
    for score in scores:
        if score.condition:
            continue
        values = pl.Series(score.metric, score.values).fill_nan(None)
        told = stories.select("group", "frame", values).drop_nulls(score.metric)
        own = told.group_by("group", "frame").agg(pl.col(score.metric).mean())
        kept = own["group"].unique()
        whole = pl.len().over("frame") == len(set(kept) & set(groups))
        table = table.join(own.filter(whole), on=["group", "frame"], how="left",
                           maintain_order="left")  # fmt: skip
    return table


@dataclass(frozen=True)
class _Comparer:
    """Compares stories by one score after the other."""

    stories: pl.DataFrame
    section: Section
    rng: np.random.Generator

    @property
    def _unit(self) -> str:
        return "scenes" if self.section.paired else "captions"

    def findings(self, score: Scored) -> list[Finding]:
        """Compare by one score; q-values are still to come."""
        section = self.section
        values = pl.Series("value", score.values).fill_nan(None)
        table = self.stories.select("group", "frame", "caption", values).drop_nulls("value")
        key = "frame" if section.paired else "caption"
        units = table.group_by("group", key, maintain_order=True).agg(pl.col("value").mean())
        if section.paired:
            return self._within_scenes(score, units)
        sizes = dict(units.group_by("group").len().iter_rows())
        kept = [group for group in section.groups if sizes.get(group, 0) >= FEWEST_UNITS]
        if len(kept) < 2:
            return self._unknown(score, section.groups)
        units = units.filter(pl.col("group").is_in(kept))
        places = [kept.index(group) for group in units["group"]]
        result = unit_means(units["value"], places, resamples=RESAMPLES, rng=self.rng)
        return self._known(score, kept, [int(sizes[group]) for group in kept], result)

    def _within_scenes(self, score: Scored, units: pl.DataFrame) -> list[Finding]:
        section = self.section
        wide = units.pivot("group", index="frame", values="value")
        kept = [group for group in section.groups if group in wide.columns]
        whole = wide.drop_nulls(kept).select(kept).to_numpy().T
        if len(kept) < 2 or whole.shape[1] < FEWEST_UNITS:
            return self._unknown(score, section.groups)
        result = blocked_means(whole, resamples=RESAMPLES, rng=self.rng)
        found = self._known(score, kept, [whole.shape[1]] * len(kept), result)
        if section.reference in kept:
            base = kept.index(section.reference)
            found += [
                self._against_reference(score, group, whole[row] - whole[base])
                for row, group in enumerate(kept)
                if row != base
            ]
        return found

    def _own(self, score: Scored) -> Quantity:
        return Quantity(
            score.metric, "mean", "mean", score.direction, scale=score.scale,
            measure=score.measure, unit=self._unit,
            units=Units(SCENES, ("frame",), score.metric)
            if self.section.paired and not score.condition else None,
            how={score.scored_by: score.signature, "ci": f"bootstrap({RESAMPLES},{self._unit})"},
        )  # fmt: skip

    def _whom(self, score: Scored, group: str) -> Subject:
        outcomes = self.section.outcomes.get(group, {})
        return Subject(self.section.axis, group, outcomes, score.condition)

    def _known(
        self, score: Scored, kept: Sequence[str], sizes: Sequence[int],
        result: GroupMeans,
    ) -> list[Finding]:  # fmt: skip
        file, own = self.section.file, self._own(score)
        compared = difference_from_rest(own, paired=self.section.paired)
        found = []
        for row, (group, n) in enumerate(zip(kept, sizes, strict=True)):
            whom = self._whom(score, group)
            found.append(file(own, whom, mean_of(result, row, n, n)))
            found.append(file(compared, whom, difference_of(result, row, n, n)))
        left_out = [group for group in self.section.groups if group not in kept]
        return found + self._unknown(score, left_out)

    def _unknown(self, score: Scored, groups: Sequence[str]) -> list[Finding]:
        paired = self.section.paired
        what = "scenes that all groups have stories about" if paired else "captions of the group"
        nothing = Measured(reason=f"fewer than two {what}")
        own = self._own(score)
        return [self.section.file(own, self._whom(score, group), nothing) for group in groups]

    def _against_reference(self, score: Scored, group: str, change: NDArray[np.float64]) -> Finding:
        """Compare with the reference: the same scenes, told about the one and the other."""
        estimate, test = mean_change(change, self.rng)
        spread = float(change.std(ddof=1))
        what = self._own(score).against(
            versus(str(self.section.reference)), effect_name="cohen_d_paired",
            null=f"signs({RESAMPLES})",
        )  # fmt: skip
        found = Measured(
            estimate.value, estimate.low, estimate.high, n=estimate.n, unit_count=estimate.n,
            p=test.p, effect=estimate.value / spread if spread > 0 else 0.0, chance=test.chance,
        )  # fmt: skip
        return self.section.file(what, self._whom(score, group), found)
