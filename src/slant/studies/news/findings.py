"""From comparisons of articles to findings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from slant.records import Finding
from slant.stats import benjamini_hochberg, wilson
from slant.stats.article_pairs import Estimate
from slant.stats.chance import ByChance
from slant.studies.chance import chance_line
from slant.studies.news.sentence_table import about

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.groups.group_words import GroupWords
    from slant.records import Interval
    from slant.studies.news.framing_effects import FramingEffect
    from slant.studies.news.level import Level
    from slant.studies.news.pairs import Pairs

REFUSALS = "refusal_rate"
EVERYONE = "all groups"
"""What figures that hold for all groups together are filed under."""

REFERENCE, HALVES = "vs:reference", "vs:halves"
FEWEST = 5
"""From fewer pairs no interval can be told: resampling two of them gives two values."""

_BOOTSTRAP = "ci:bootstrap(10000,articles)"


def change_metric(level: str) -> str:
    """Name the metric of signed changes."""
    return f"{level}_change"


def prejudice_metric(level: str) -> str:
    """Name the metric of articles whose figure is worse than the reference's."""
    return f"{level}_prejudice"


def decrease_metric(level: str) -> str:
    """Name the metric of how much worse prejudiced articles are."""
    return f"{level}_decrease"


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
        """Make a finding; one that rests on fewer than five pairs is unknown."""
        known = estimate is not None and estimate.n >= FEWEST
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
                **fields,
                "reason": None
                if known
                else fields.get("reason")
                or "fewer than five pairs of articles show anything of this",
            }
        )


def level_findings(file: Filing, levels: Sequence[Level]) -> list[Finding]:
    """Give distances, prejudice and signed changes; q-values hold over all of them together."""
    tested = [p for level in levels for p in _tests(level)]
    q = iter(benjamini_hochberg(tested).tolist())
    distances, changes, prejudices = [], [], []
    for level in levels:
        about = {"outcomes": level.pairs.outcomes, "condition": level.pairs.condition}
        if level.reason:
            about["reason"] = level.reason
        axis = level.words.name
        distances.append(
            file(
                f"{level.metric}_distance", axis, EVERYONE, "mean", level.found.distance,
                f"{level.unit}|{_BOOTSTRAP}|chance:split-half",
                chance=_by_chance(level.halves.distance), target=0.0,
                direction="lower_is_better", **about,
            )
        )  # fmt: skip
        excess = file(
            f"{level.metric}_excess", axis, EVERYONE, HALVES, level.excess,
            f"{level.unit}|length-matched|{_BOOTSTRAP}|null:signs(10000)|fdr:bh",
            p=_known(level.excess_test.p), q=_known(next(q)), target=0.0,
            chance=chance_line(level.excess_test.chance), direction="closer_to_target", **about,
        )  # fmt: skip
        # Where it is not known the distance says so already, or rests on too few halves.
        distances += [excess] if excess.value is not None else []
        for name, group, null in zip(
            level.words.groups, level.found.groups, level.halves.groups, strict=True
        ):
            changes.append(
                file(
                    change_metric(level.metric), axis, name, REFERENCE, group.signed,
                    f"{level.unit}|{_BOOTSTRAP}|null:signs(10000)|fdr:bh",
                    p=_known(group.test.p), q=_known(next(q)), target=0.0,
                    chance=chance_line(group.test.chance), direction="closer_to_target", **about,
                )
            )  # fmt: skip
            prejudices.append(
                file(
                    prejudice_metric(level.metric), axis, name, "rate", group.prejudice,
                    f"{level.unit}|ci:wilson|chance:split-half",
                    chance=_by_chance(null.prejudice), direction="closer_to_target", target=None,
                    **about,
                )
            )  # fmt: skip
    return [*changes, *distances, *prejudices]


def _tests(level: Level) -> list[float]:
    """Give a level's p-values in the order in which they are filed."""
    return [level.excess_test.p, *(group.test.p for group in level.found.groups)]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def framing_findings(file: Filing, effects: Sequence[FramingEffect]) -> list[Finding]:
    """Say what each framing changes against the first; q-values hold over all of them."""
    pairs = [
        (metric, estimate, test, effect)
        for effect in effects
        for metric, estimate, test in (
            (prejudice_metric(effect.level.metric), effect.prejudice, effect.prejudice_test),
            (change_metric(effect.level.metric), effect.signed, effect.signed_test),
            (decrease_metric(effect.level.metric), effect.decrease, effect.decrease_test),
        )
    ]
    q = benjamini_hochberg([test.p for _, _, test, _ in pairs])
    return [
        file(
            metric, effect.level.words.name, effect.group, f"vs:{effect.base.pairs.condition}",
            estimate, f"{effect.level.unit}|{_BOOTSTRAP}|null:signs(10000)|fdr:bh",
            p=_known(test.p), q=_known(float(own)), chance=chance_line(test.chance), target=0.0,
            direction="closer_to_target", outcomes=effect.level.pairs.outcomes,
            condition=effect.level.pairs.condition,
        )
        for (metric, estimate, test, effect), own in zip(pairs, q, strict=True)
    ]  # fmt: skip


def _by_chance(estimate: Estimate) -> Interval | None:
    ends = (estimate.value, estimate.low, estimate.high)
    return None if any(map(math.isnan, ends)) else chance_line(ByChance(*ends, estimate.histogram))


def refusal_findings(
    file: Filing, pairs: Sequence[Pairs], words: Sequence[GroupWords]
) -> list[Finding]:
    """Count refusals by condition, and by whom the reference is mostly about."""
    found = []
    for each in pairs:
        refused, asked = each.outcomes["refused"], _asked(each.outcomes)
        if asked:
            found.append(_refusals(file, each, "news", EVERYONE, refused, asked))
        for division in words:
            found += [
                _refusals(file, each, division.name, group, refused, asked)
                for group, (refused, asked) in refusals_by_group(each, division).items()
                if asked
            ]
    return found


def refusals_by_group(pairs: Pairs, words: GroupWords) -> dict[str, tuple[int, int]]:
    """Count refusals and questions by the group that has most words in the reference."""
    tally = {group: [0, 0] for group in words.groups}
    for batch in pairs.asked_in_batches():
        whose = about(words.count(batch["reference"]))
        for number, outcome in zip(whose.tolist(), batch["outcome"], strict=True):
            if number >= 0 and outcome != "error":
                count = tally[words.groups[number]]
                count[0] += outcome == "refused"
                count[1] += 1
    return {group: (refused, asked) for group, (refused, asked) in tally.items()}


def _asked(outcomes: Mapping[str, int]) -> int:
    return sum(outcomes.values()) - outcomes["error"]


def _refusals(
    file: Filing, pairs: Pairs, axis: str, group: str, refused: int, asked: int
) -> Finding:
    low, high = wilson(refused, asked)
    return file(
        REFUSALS, axis, group, "rate",
        Estimate(refused / asked, float(low), float(high), asked), "ci:wilson",
        outcomes=pairs.outcomes, condition=pairs.condition, direction="closer_to_target",
    )  # fmt: skip
