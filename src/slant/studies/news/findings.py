"""From comparisons of articles to findings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slant.by_chance import Interval
from slant.measures.measure import REFUSAL
from slant.records import Units, versus
from slant.stats import wilson
from slant.studies.filing import Measured, Quantity, Subject, adjusted
from slant.studies.news.sentence_table import about

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.groups.group_words import GroupWords
    from slant.records import Finding
    from slant.stats.article_pairs import Estimate, SignTest
    from slant.studies.filing import Filing
    from slant.studies.news.framing_effects import FramingEffect
    from slant.studies.news.level import Level
    from slant.studies.news.pairs import Pairs

REFUSALS = "refusal_rate"
EVERYONE = "all groups"
"""What figures that hold for all groups together are filed under."""

REFERENCE, HALVES = versus("reference"), versus("halves")
FEWEST = 5
"""From fewer pairs no interval can be told: resampling two of them gives two values."""

_FEW = "fewer than five pairs of articles show anything of this"
_BOOTSTRAP = {"ci": "bootstrap(10000,articles)"}
_SIGNS = {**_BOOTSTRAP, "null": "signs(10000)"}


def distance_metric(level: str) -> str:
    """Name the metric of how far articles are from their references."""
    return f"{level}_distance"


def change_metric(level: str) -> str:
    """Name the metric of signed changes."""
    return f"{level}_change"


def prejudice_metric(level: str) -> str:
    """Name the metric of articles whose figure is worse than the reference's."""
    return f"{level}_prejudice"


def decrease_metric(level: str) -> str:
    """Name the metric of how much worse prejudiced articles are."""
    return f"{level}_decrease"


def _distance(level: Level) -> Quantity:
    """How far articles are from their references."""
    return Quantity(
        distance_metric(level.metric), "mean", "distance", "lower_is_better", 0.0,
        measure=level.measure, unit="articles",
        how={**level.how, **_BOOTSTRAP, "chance": "split-half"},
    )  # fmt: skip


def _excess(level: Level) -> Quantity:
    """How much further they are than two halves of a reference are from each other.

    Articles by two authors are so whoever the second one is: nothing is tested.
    """
    return replace(
        _distance(level).against(HALVES),
        metric=f"{level.metric}_excess",
        how={**level.how, "halves": "length-matched", **_BOOTSTRAP},
    )


def _change(level: Level) -> Quantity:
    """By how much a group's figure is above that of the reference."""
    what = replace(_distance(level), metric=change_metric(level.metric), scale=level.scale)
    return replace(what.against(REFERENCE), how={**level.how, **_SIGNS})


def _prejudice(level: Level) -> Quantity:
    """In how many articles a group's figure is worse than the reference's."""
    return Quantity(
        prejudice_metric(level.metric), "rate", "rate", "closer_to_target", scale="share",
        measure=level.measure, unit="articles",
        how={**level.how, "ci": "wilson", "chance": "split-half"},
    )  # fmt: skip


def _decrease(level: Level) -> Quantity:
    """By how much a group's figure is worse, in the articles in which it is (Figures 2c to 7c)."""
    return replace(
        _distance(level), metric=decrease_metric(level.metric), kind="difference",
        direction="closer_to_target", target=None, scale=level.scale,
    )  # fmt: skip


def _measured(
    found: Estimate, reason: str = "", test: SignTest | None = None,
    chance: Interval | None = None,
) -> Measured:  # fmt: skip
    """Give what was found, or not, where it rests on fewer than five pairs."""
    told = Measured(n=found.n, unit_count=found.n, chance=chance, reason=reason or _FEW)
    if test is not None:
        told = replace(told, p=test.p, chance=test.chance)
    if found.n < FEWEST:
        return told
    return replace(told, value=found.value, low=found.low, high=found.high)


def _whom(pairs: Pairs, axis: str, group: str) -> Subject:
    return Subject(axis, group, pairs.outcomes, pairs.condition)


def level_findings(file: Filing, levels: Sequence[Level]) -> list[Finding]:
    """Give distances, prejudice, how far it goes, and signed changes.

    The q-values hold over all changes together.
    """
    changes: list[Finding] = []
    told: list[Finding] = []
    prejudices: list[Finding] = []
    decreases: list[Finding] = []
    for level in levels:
        everyone = _whom(level.pairs, level.words.name, EVERYONE)
        apart = _measured(
            level.found.distance, level.reason, chance=_by_chance(level.halves.distance)
        )
        where = {"level": level.place, "condition": level.pairs.condition}
        kept = Units("articles", ("id",), "distance", where)
        told.append(file(replace(_distance(level), units=kept), everyone, apart))
        excess = file(_excess(level), everyone, _measured(level.excess, level.reason))
        # Where it is not known the distance says so already, or it rests on too few halves.
        if excess.value is not None:
            told.append(excess)
        for name, group, null in zip(
            level.words.groups, level.found.groups, level.halves.groups, strict=True
        ):
            whom = _whom(level.pairs, level.words.name, name)
            changed = _measured(group.signed, level.reason, group.test)
            changes.append(file(_change(level), whom, changed))
            worse = _measured(group.prejudice, level.reason, chance=_by_chance(null.prejudice))
            prejudices.append(file(_prejudice(level), whom, worse))
            # Its ends are stretched for the few halves that are worse, beyond what was drawn.
            halves = _by_chance(null.decrease)
            chance = halves and replace(halves, histogram=None)
            fell = _measured(group.decrease, level.reason, chance=chance)
            decreases.append(file(_decrease(level), whom, fell))
    return [*adjusted(changes, "changes"), *told, *prejudices, *decreases]


def framing_findings(file: Filing, effects: Sequence[FramingEffect]) -> list[Finding]:
    """Say what each framing changes against the first; q-values hold over all of them."""
    found = []
    for effect in effects:
        level = effect.level
        whom = _whom(level.pairs, level.words.name, effect.group)
        first = versus(effect.base.pairs.condition)
        for what, estimate, test in (
            (_prejudice(level), effect.prejudice, effect.prejudice_test),
            (_change(level), effect.signed, effect.signed_test),
            (_decrease(level), effect.decrease, effect.decrease_test),
        ):
            compared = replace(what.against(first), how={**level.how, **_SIGNS})
            found.append(file(compared, whom, _measured(estimate, test=test)))
    return adjusted(found, "framings")


def _by_chance(estimate: Estimate) -> Interval | None:
    ends = (estimate.value, estimate.low, estimate.high)
    return None if any(end != end for end in ends) else Interval(*ends, estimate.histogram)


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
    what = Quantity(
        REFUSALS, "rate", "rate", "closer_to_target", scale="share", measure=REFUSAL,
        unit="answers", how={"ci": "wilson"},
    )  # fmt: skip
    found = Measured(n=asked, unit_count=asked, reason=_FEW)
    if asked >= FEWEST:
        found = replace(found, value=refused / asked, low=float(low), high=float(high))
    return file(what, _whom(pairs, axis, group), found)
