"""What changed, in plain words."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from slant.comparison.change import CHANGED, STATES
from slant.reports.difference_words import Part
from slant.reports.numbers import is_narrow, probability, quantity, span, value_text
from slant.reports.safe_text import one_line
from slant.reports.wording import reference, wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.comparison.caveat import Caveat
    from slant.comparison.change import Change, State
    from slant.comparison.compare import Comparison
    from slant.reports.difference_words import Sentence

STATE_WORDS: dict[State, str] = {
    "appeared": "a lean appeared",
    "larger": "larger",
    "turned": "turned round",
    "smaller": "smaller",
    "vanished": "a lean is gone",
    "one_sure": "only one side is sure",
    "unchanged": "no detectable change",
    "untested": "no interval, not tested",
    "new": "only in the second",
    "gone": "only in the first",
    "unmeasured": "measured in neither",
}
"""What a table says of a change."""

WAY_WORDS = {
    "paired": "paired, within the same questions",
    "independent": "from the two intervals",
    "": "not computed",
}

_IN_WORDS: dict[State, tuple[str, str]] = {
    "appeared": ("1 lean appeared", "{} leans appeared"),
    "larger": ("1 figure grew", "{} figures grew"),
    "turned": ("1 lean turned round", "{} leans turned round"),
    "smaller": ("1 figure shrank", "{} figures shrank"),
    "vanished": ("1 lean is gone", "{} leans are gone"),
}
_NAME, _REASON = 80, 200
_HALF = 0.5
_FINE, _TINY = 0.05, 0.001
_CAVEATS = 3


@dataclass(frozen=True)
class StudyTold:
    """What is told of one study.

    Attributes
    ----------
    study
        Its label.
    changed
        A sentence for every sure change, the surest first, with the change.
    unsure
        The same for leans that only one side is sure of.
    rest
        Sentences about all others, about how it was compared, and in what it is not the same
        measurement.
    """

    study: str
    changed: list[tuple[Sentence, Change]]
    unsure: list[tuple[Sentence, Change]]
    rest: list[str]


def headline(comparison: Comparison) -> Sentence:
    """Say in one sentence what changed; first, where it was, that it was not measured alike."""
    return (*_unlike(comparison), *_counted(comparison))


def _unlike(comparison: Comparison) -> Sentence:
    """Say in what the figures of both sides are not the same measurement, if they are not."""
    both = [change for change in comparison.changes if change.value is not None]
    unlike = [change for change in both if change.caveats]
    if not unlike:
        return ()
    words = list(dict.fromkeys(one_line(each.words, 60) for each in study_caveats(unlike)))
    more = f" and {len(words) - _CAVEATS} more" if len(words) > _CAVEATS else ""
    differ = f"{', '.join(words[:_CAVEATS])}{more}"
    return (
        Part("Not the same measurement", "group"),
        Part(
            f" for {len(unlike):,} of {len(both):,} figures, which differ in {differ}: what "
            "changed may be due to that, and not to the model. "
        ),
    )


def _counted(comparison: Comparison) -> Sentence:
    counts = comparison.counts()
    tested = sum(change.q is not None for change in comparison.changes)
    changed = sum(counts.get(state, 0) for state in CHANGED)
    if not tested:
        return (Part("No figure is measured on both sides with an interval: nothing to compare."),)
    if not changed:
        return (
            Part(f"None of {tested:,} figures changed", "group"),
            Part(" for sure."),
        )
    parts = [
        (one if count == 1 else many.format(f"{count:,}"))
        for state, (one, many) in _IN_WORDS.items()
        if (count := counts.get(state, 0))
    ]
    told = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return (
        Part(f"{changed:,} of {tested:,} figures changed", "group"),
        Part(f" for sure: {told}."),
    )


def told_studies(comparison: Comparison) -> list[StudyTold]:
    """Tell every study that either side has, those that both have first."""
    shared = set(comparison.base.studies) & set(comparison.other.studies)
    ordered = sorted(comparison.studies, key=lambda study: study not in shared)
    return [_told(comparison, study) for study in ordered]


def _told(comparison: Comparison, study: str) -> StudyTold:
    changes = [change for change in comparison.changes if change.study == study]
    changed = [change for change in changes if change.state in CHANGED]
    changed.sort(key=surest)
    unsure = sorted((c for c in changes if c.state == "one_sure"), key=surest)
    rest = [*_unchanged(changes), *_one_sided(comparison, study, changes)]
    rest += [*_ways(changes), *_same(comparison, study), *_not_the_same(changes)]
    return StudyTold(
        study,
        [(change_sentence(change), change) for change in changed],
        [(change_sentence(change), change) for change in unsure],
        rest,
    )


def surest(change: Change) -> tuple[bool, float, float]:
    """Order changes: leans before groups' own figures, then by distance in standard errors."""
    width = 0.0 if change.low is None or change.high is None else change.high - change.low
    size = abs(change.value or 0.0)
    own = not change.shown.is_comparison
    return own, -(size / width if width else 0.0), -size


def change_sentence(change: Change) -> Sentence:
    """Say what became of a finding that both sides measured."""
    first, second = change.both
    words = wording(second.metric)
    about = words.name[:1].lower() + words.name[1:]
    condition = f", {one_line(second.condition, _NAME)}" if second.condition else ""
    against = ""
    if second.is_comparison:
        against = f" against {one_line(reference(second.contrast), _NAME)}"
    before = value_text(first).removesuffix(" points").removesuffix(" point")
    n = f"n = {first.n:,}" + ("" if first.n == second.n else f" and {second.n:,}")
    q = "" if change.q is None else probability("q", change.q) + ", "
    return (
        Part(one_line(second.group, _NAME), "group"),
        Part(f" ({about}{condition}): {_verb(change)} from {before} to {value_text(second)}"),
        Part(f"{against}: "),
        Part(f"change {change_text(change)}, {q}{n}.", "evidence"),
    )


def _verb(change: Change) -> str:
    first, second = change.both
    if change.state == "appeared":
        return "a lean has appeared,"
    if change.state == "vanished":
        return "a lean is gone,"
    if change.state == "turned":
        return "the lean has turned round,"
    if change.state == "one_sure":
        which = "first" if first.is_sure else "second"
        return f"only the {which} side is sure of a lean, and the change could be chance,"
    lean = "the lean" if first.is_sure or second.is_sure else "the difference"
    what = f"{lean} has " if second.is_comparison else "has "
    if change.state == "larger":
        return f"{what}{'grown' if second.is_comparison else 'risen'}"
    if change.state == "smaller":
        return f"{what}{'shrunk' if second.is_comparison else 'fallen'}"
    return "went" if change.value else "stayed,"


def change_text(change: Change) -> str:
    """Write a difference with its interval: `+46 points (36–56)`; a dash where there is none."""
    if change.value is None:
        return "–"
    unit = change.shown.scale
    value, low, high = change.value, change.low, change.high
    if unit == "ratio":
        text = f"×{math.exp(value):.3g}"
        return text if low is None or high is None else f"{text} ({_ratios(low, high)})"
    fine = is_narrow(low, high)
    text = quantity(value, unit, signed=True, fine=fine)
    return text if low is None or high is None else f"{text} ({span(low, high, unit, fine=fine)})"


def _ratios(low: float, high: float) -> str:
    return f"{math.exp(low):.3g}–{math.exp(high):.3g}"


def detectable_text(changes: Iterable[Change]) -> str:
    """Say how large a change must have been to be found, by unit; empty if nothing tells."""
    sizes: dict[str, list[float]] = {}
    for change in changes:
        if change.detectable is not None and change.shown.scale != "ratio":
            metric = change.shown.metric
            name = "" if change.shown.scale == "share" else wording(metric).name
            sizes.setdefault(name, []).append(change.detectable)
    if not sizes:
        return ""
    if "" in sizes:
        size = median(sizes[""])
        return share_text(size) if size < _TINY else f"about {share_text(size)}"
    if len(sizes) == 1:
        ((name, own),) = sizes.items()
        return f"about {quantity(median(own), 'number')} on “{name.lower()}”"
    return ""


def share_text(size: float) -> str:
    """Write the size of a difference of shares."""
    if size < _TINY:
        return "less than 0.1 points"
    return quantity(size, "share", signed=True, fine=size < _FINE).removeprefix("+")


def _unchanged(changes: Sequence[Change]) -> list[str]:
    same = [change for change in changes if change.state == "unchanged"]
    untested = sum(change.state == "untested" for change in changes)
    told = []
    if same:
        figures = "1 figure shows" if len(same) == 1 else f"{len(same):,} figures show"
        smallest = detectable_text(same)
        seen = f"; the smallest that could be seen is {smallest} (80% power)"
        told.append(f"{figures} no detectable change{seen if smallest else ''}.")
    if untested:
        told.append(f"{untested:,} could not be tested: a side has no interval.")
    return told


def _one_sided(comparison: Comparison, study: str, changes: Sequence[Change]) -> list[str]:
    told = []
    sides = [("gone", "first", comparison.other), ("new", "second", comparison.base)]
    for state, which, lacking in sides:
        own = [change for change in changes if change.state == state]
        if not own:
            continue
        figures = "1 figure is" if len(own) == 1 else f"{len(own):,} figures are"
        why = "the other was not asked this study"
        if study in lacking.studies:
            reasons = Counter(missing_reason(change) for change in own)
            most = [reason for reason, _ in reasons.most_common(3)]
            more = len(reasons) - len(most)
            why = "; ".join(most) + (f"; and {more} more reasons" if more else "")
        told.append(f"{figures} in the {which} side only: {why.rstrip('.')}.")
    neither = [change for change in changes if change.state == "unmeasured"]
    if neither:
        reasons = Counter(missing_reason(change) for change in neither)
        told.append(f"{len(neither):,} are known of neither side: {reasons.most_common(1)[0][0]}.")
    return told


def missing_reason(change: Change) -> str:
    """Say why a finding is on one side only, or on neither."""
    absent = [f for f in (change.first, change.second) if f is not None and f.value is None]
    if not absent:
        return "the other was not asked this"
    return f"could not be measured: {one_line(absent[0].reason or 'no reason recorded', _REASON)}"


def _ways(changes: Sequence[Change]) -> list[str]:
    ways = Counter(change.way for change in changes if change.way)
    if not ways:
        return []
    paired, independent = ways.get("paired", 0), ways.get("independent", 0)
    if not independent:
        return ["Compared within the same questions."]
    if not paired:
        return ["Compared by the two sides’ intervals, as if these were independent."]
    told = f"{paired:,} compared within the same questions, {independent:,} by the two sides’"
    return [f"{told} intervals, as if these were independent."]


def _same(comparison: Comparison, study: str) -> list[str]:
    shared, same = comparison.shared.get(study, 0), comparison.same.get(study, 0)
    if not shared or same / shared < _HALF:
        return []
    many = f"All {shared:,}" if same == shared else f"{same:,} of {shared:,}"
    return [f"{many} answers to the same questions are word for word the same."]


def _not_the_same(changes: Sequence[Change]) -> list[str]:
    found = study_caveats(changes)
    if not found:
        return []
    return [f"Not the same measurement: {'; '.join(map(caveat_text, found))}."]


def study_caveats(changes: Iterable[Change]) -> list[Caveat]:
    """List the ways in which findings are not the same measurement, each once."""
    return list(dict.fromkeys(caveat for change in changes for caveat in change.caveats))


def caveat_text(caveat: Caveat) -> str:
    """Write a caveat: `prompts (a81b, then c02e)`."""
    return (
        f"{one_line(caveat.words, 60)} ({one_line(caveat.first, 60)}, then "
        f"{one_line(caveat.second, 60)})"
    )


def state_order(state: State) -> int:
    """Give a state's place among all, changes first."""
    return STATES.index(state)
