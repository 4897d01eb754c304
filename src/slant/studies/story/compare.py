"""Comparing a score of stories between groups, scene by scene where there are counterfactuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from slant.records import Finding
from slant.stats import benjamini_hochberg
from slant.stats.article_pairs import mean_change
from slant.stats.blocked_means import blocked_means
from slant.stats.unit_means import unit_means
from slant.studies.chance import chance_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from slant.records import Direction
    from slant.stats.inference import GroupMeans

_RESAMPLES = 10_000
FEWEST_UNITS = 2


@dataclass(frozen=True)
class Scored:
    """A score that every story has.

    Attributes
    ----------
    metric
        What findings are called.
    values
        One figure a story, in the order of the stories.
    signature
        What made it.
    direction
        Which way it improves.
    condition
        What the figure is about, where there are several: a topic.
    """

    metric: str
    values: NDArray[np.float64]
    signature: str
    direction: Direction = "closer_to_target"
    condition: str = ""


@dataclass(frozen=True)
class Filed:
    """What all findings of a section share.

    Attributes
    ----------
    study, model, axis, signature
        Of the section.
    outcomes
        By group.
    groups
        In order.
    reference
        Compare with this one, too.
    paired
        Whether stories about one scene are compared with each other.
    """

    study: str
    model: str
    axis: str
    signature: str
    outcomes: Mapping[str, Mapping[str, int]]
    groups: Sequence[str]
    reference: str | None
    paired: bool


def score_findings(
    stories: pl.DataFrame, scores: Sequence[Scored], file: Filed, rng: np.random.Generator
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
    file
        What the findings have in common.
    rng
        Source of randomness.
    """
    drafts = [draft for score in scores for draft in _drafts(stories, score, file, rng)]
    families: dict[tuple[str, bool], list[int]] = {}
    for place, draft in enumerate(drafts):
        if draft["p"] is not None:
            key = (draft["metric"], draft["contrast"] == "vs_rest")
            families.setdefault(key, []).append(place)
    for places in families.values():
        for place, q in zip(
            places, benjamini_hochberg([drafts[place]["p"] for place in places]), strict=True
        ):
            drafts[place]["q"] = float(q)
    return [Finding(**draft) for draft in drafts]


def _drafts(
    stories: pl.DataFrame, score: Scored, file: Filed, rng: np.random.Generator
) -> list[dict[str, Any]]:
    table = stories.select("group", "frame", "caption").with_columns(
        pl.Series("value", score.values)
    )
    key = "frame" if file.paired else "caption"
    units = table.group_by("group", key, maintain_order=True).agg(pl.col("value").mean())
    if file.paired:
        wide = units.pivot("group", index="frame", values="value")
        kept = [group for group in file.groups if group in wide.columns]
        whole = wide.drop_nulls(kept).select(kept).to_numpy().T
        if len(kept) < 2 or whole.shape[1] < FEWEST_UNITS:
            return [_unknown(group, score, file) for group in file.groups]
        result = blocked_means(whole, resamples=_RESAMPLES, rng=rng)
        counts = dict.fromkeys(kept, whole.shape[1])
    else:
        sizes = dict(units.group_by("group").len().iter_rows())
        kept = [group for group in file.groups if sizes.get(group, 0) >= FEWEST_UNITS]
        if len(kept) < 2:
            return [_unknown(group, score, file) for group in file.groups]
        units = units.filter(pl.col("group").is_in(kept))
        places = [kept.index(group) for group in units["group"]]
        result = unit_means(units["value"], places, resamples=_RESAMPLES, rng=rng)
        counts = {group: int(sizes[group]) for group in kept}
    found = []
    for row, group in enumerate(kept):
        found += _pair(score, file, group, counts[group], row, result)
    found += [_unknown(group, score, file) for group in file.groups if group not in kept]
    if file.paired and file.reference in kept:
        base = kept.index(file.reference)
        for row, group in enumerate(kept):
            if row != base:
                found.append(_against(score, file, group, whole[row] - whole[base], rng))
    return found


def _shared(score: Scored, file: Filed, group: str) -> dict[str, Any]:
    return {
        "study": file.study,
        "metric": score.metric,
        "model": file.model,
        "axis": file.axis,
        "group": group,
        "condition": score.condition,
        "outcomes": file.outcomes.get(group, {}),
        **dict.fromkeys(("value", "low", "high", "p", "q", "effect", "chance", "target")),
    }


def _unknown(group: str, score: Scored, file: Filed) -> dict[str, Any]:
    what = "scenes that all groups have stories about" if file.paired else "captions of the group"
    return {
        **_shared(score, file, group), "contrast": "mean", "n": 0, "direction": score.direction,
        "signature": f"{file.signature}|{score.signature}", "reason": f"fewer than two {what}",
    }  # fmt: skip


def _pair(
    score: Scored, file: Filed, group: str, n: int, row: int, result: GroupMeans
) -> list[dict[str, Any]]:
    unit = "scenes" if file.paired else "captions"
    signed = f"{file.signature}|{score.signature}|ci:bootstrap({_RESAMPLES},{unit})"
    shared = {**_shared(score, file, group), "n": n}
    effect = "cohen_d_paired" if file.paired else "cohen_d"
    tests = f"null:permutation({_RESAMPLES},{unit})|fdr:bh|effect:{effect}"
    return [
        {
            **shared, "contrast": "mean", "value": float(result.own.value[row]),
            "low": float(result.own.low[row]), "high": float(result.own.high[row]),
            "direction": score.direction, "signature": signed,
        },
        {
            **shared, "contrast": "vs_rest", "value": float(result.vs_rest.value[row]),
            "low": float(result.vs_rest.low[row]), "high": float(result.vs_rest.high[row]),
            "p": float(result.vs_rest.p[row]), "effect": float(result.effect[row]),
            "chance": chance_line(result.vs_rest.chance[row]), "target": 0.0,
            "direction": "closer_to_target", "signature": f"{signed}|{tests}",
        },
    ]  # fmt: skip


def _against(
    score: Scored, file: Filed, group: str, change: NDArray[np.float64], rng: np.random.Generator
) -> dict[str, Any]:
    """Compare with the reference: the same scenes, told about the one and the other."""
    estimate, test = mean_change(change, rng)
    spread = float(change.std(ddof=1))
    tests = f"ci:bootstrap({_RESAMPLES},scenes)|null:signs({_RESAMPLES})|fdr:bh"
    return {
        **_shared(score, file, group), "contrast": f"vs:{file.reference}", "n": estimate.n,
        "value": estimate.value, "low": estimate.low, "high": estimate.high, "p": test.p,
        "effect": estimate.value / spread if spread > 0 else 0.0,
        "chance": chance_line(test.chance), "target": 0.0, "direction": "closer_to_target",
        "signature": f"{file.signature}|{score.signature}|{tests}|effect:cohen_d_paired",
    }  # fmt: skip
