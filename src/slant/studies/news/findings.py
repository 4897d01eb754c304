"""From comparisons of articles to findings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from slant.records import Finding, Interval
from slant.stats import benjamini_hochberg, wilson
from slant.stats.article_pairs import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.studies.news.framing_effects import FramingEffect
    from slant.studies.news.level import Level
    from slant.studies.news.pairs import Pairs

REFUSALS = "refusal_rate"
EVERYONE = "all groups"
"""What figures that hold for all groups together are filed under."""

REFERENCE = "vs:reference"
_BOOTSTRAP = "ci:bootstrap(10000,articles)"


def change_metric(level: str) -> str:
    """Name the metric of signed changes."""
    return f"{level}_change"


def prejudice_metric(level: str) -> str:
    """Name the metric of articles whose figure is below the reference's."""
    return f"{level}_prejudice"


class Filing:
    """Makes findings that share a study, a model and a signature."""

    def __init__(self, study: str, model: str, signature: str):
        self.study, self.model, self.signature = study, model, signature

    def __call__(
        self,
        metric: str,
        axis: str,
        group: str,
        contrast: str,
        estimate: Estimate | None,
        statistics: str,
        **fields: Any,
    ) -> Finding:
        """Make a finding; one that rests on fewer than two pairs is unknown."""
        known = estimate is not None and estimate.n > 1
        values = (estimate.value, estimate.low, estimate.high) if known and estimate else ()
        value, low, high = (
            None if math.isnan(each) else each for each in (values or (math.nan,) * 3)
        )
        return Finding(
            **{
                **dict.fromkeys(("p", "q", "effect", "chance", "target")),
                "study": self.study,
                "model": self.model,
                "metric": metric,
                "axis": axis,
                "group": group,
                "contrast": contrast,
                "value": value,
                "low": low,
                "high": high,
                "n": 0 if estimate is None else estimate.n,
                "signature": f"{self.signature}|{statistics}",
                "reason": None
                if known
                else "fewer than two pairs of articles show anything of this",
                **fields,
            }
        )


def level_findings(file: Filing, levels: Sequence[Level]) -> list[Finding]:
    """Give distances, prejudice and signed changes; q-values hold for all groups and conditions."""
    p = [group.p for level in levels for group in level.found.groups]
    q = iter(benjamini_hochberg(p).tolist())
    distances = [_distance(file, level) for level in levels]
    changes, prejudices = [], []
    for level in levels:
        about = {"outcomes": level.pairs.outcomes, "condition": level.pairs.condition}
        axis = level.words.name
        for name, group, null in zip(
            level.words.groups, level.found.groups, level.halves.groups, strict=True
        ):
            own = next(q)
            changes.append(
                file(
                    change_metric(level.metric), axis, name, REFERENCE, group.signed,
                    f"{level.unit}|{_BOOTSTRAP}|null:signs(10000)|fdr:bh",
                    p=None if math.isnan(group.p) else group.p,
                    q=None if math.isnan(own) else own,
                    target=0.0, direction="closer_to_target", **about,
                )
            )  # fmt: skip
            prejudices.append(
                file(
                    prejudice_metric(level.metric), axis, name, "rate", group.prejudice,
                    f"{level.unit}|ci:wilson|chance:split-half",
                    chance=_interval(null.prejudice), direction="closer_to_target", target=None,
                    **about,
                )
            )  # fmt: skip
    return [*distances, *changes, *prejudices]


def framing_findings(file: Filing, effects: Sequence[FramingEffect]) -> list[Finding]:
    """Say what each framing changes against the first; q-values hold over all of them."""
    pairs = [
        (metric, estimate, p, effect)
        for effect in effects
        for metric, estimate, p in (
            (prejudice_metric(effect.level.metric), effect.prejudice, effect.prejudice_p),
            (change_metric(effect.level.metric), effect.signed, effect.signed_p),
        )
    ]
    q = benjamini_hochberg([p for _, _, p, _ in pairs])
    return [
        file(
            metric, effect.level.words.name, effect.group, f"vs:{effect.base.pairs.condition}",
            estimate, f"{effect.level.unit}|{_BOOTSTRAP}|null:signs(10000)|fdr:bh",
            p=None if math.isnan(p) else p, q=None if math.isnan(own) else float(own), target=0.0,
            direction="closer_to_target", outcomes=effect.level.pairs.outcomes,
            condition=effect.level.pairs.condition,
        )
        for (metric, estimate, p, effect), own in zip(pairs, q, strict=True)
    ]  # fmt: skip


def _distance(file: Filing, level: Level) -> Finding:
    return file(
        f"{level.metric}_distance", level.words.name, EVERYONE, "mean", level.found.distance,
        f"{level.unit}|{_BOOTSTRAP}|chance:split-half",
        chance=_interval(level.halves.distance), target=0.0,
        direction="lower_is_better", outcomes=level.pairs.outcomes,
        condition=level.pairs.condition,
    )  # fmt: skip


def _interval(estimate: Estimate) -> Interval | None:
    ends = (estimate.value, estimate.low, estimate.high)
    return None if any(map(math.isnan, ends)) else Interval(*ends)


def refusal_findings(file: Filing, pairs: Sequence[Pairs]) -> list[Finding]:
    """Count refusals by condition."""
    found = []
    for each in pairs:
        asked = sum(each.outcomes.values()) - each.outcomes["error"]
        if not asked:
            continue
        refused = each.outcomes["refused"]
        low, high = wilson(refused, asked)
        estimate = Estimate(refused / asked, float(low), float(high), asked)
        found.append(
            file(
                REFUSALS, "news", EVERYONE, "rate", estimate, "ci:wilson",
                outcomes=each.outcomes, condition=each.condition, direction="closer_to_target",
            )
        )  # fmt: skip
    return found
