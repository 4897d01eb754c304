"""What several measures say about the same group and theme, held against each other.

A *measure* is a set of questions: a study, or a sub-experiment of one. Figures that are computed
from the same answers are one measure, and cannot confirm each other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean, median
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.reports.families import by_family, compared_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.meanings import Association, Meanings
    from slant.records import EffectName, Finding

_Z = 1.959963984540054
_IN_DEVIATIONS: frozenset[EffectName] = frozenset(
    {"cohen_h", "cohen_d", "cohen_d_paired", "hedges_g"}
)
_OF_LOG_ODDS = math.sqrt(3) / math.pi
"""What a log odds ratio is in standard deviations: Chinn (2000), Statistics in Medicine 19."""

Side: TypeAlias = Literal["more", "less", "both", ""]
"""Which way a measure is sure: more of what is worse (or, of a neutral theme, more of it), less,
both of different words, or neither."""

Standing: TypeAlias = Literal["agree", "disagree", "one", "none"]
"""How measures stand to each other about a group and a theme."""


@dataclass(frozen=True)
class Topic:
    """A theme as far as differences in it mean something (worse or better), or nothing."""

    theme: str
    valued: bool

    @property
    def more(self) -> str:
        """What a positive strength says."""
        return "worse" if self.valued else "more"

    @property
    def less(self) -> str:
        """What a negative strength says."""
        return "better" if self.valued else "less"


@dataclass(frozen=True)
class Reading:
    """What one measure says about one group and theme.

    Attributes
    ----------
    model, measure
        Whose, and by which questions.
    axis, group, topic
        About whom, and about what.
    named
        What the study calls the group.
    strength, low, high
        How strong, in standard deviations, with a 95% interval; positive is worse for the group
        where the theme has a worse side, else more of it. `None` where it is not known.
    positive
        Which way it points; `None` if neither.
    sure
        Which way any of its differences is more than chance.
    severity
        How bad it would be.
    findings
        What it rests on, most telling first.
    """

    model: str
    measure: str
    axis: str
    group: str
    topic: Topic
    named: str
    strength: float | None
    low: float | None
    high: float | None
    positive: bool | None
    sure: Side
    severity: int
    findings: tuple[Finding, ...]

    @property
    def n(self) -> int:
        """How many observations its differences rest on, the fewest."""
        return min(finding.n for finding in self.findings)

    @property
    def error(self) -> float | None:
        """Standard error of its strength."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / (2 * _Z)


@dataclass(frozen=True)
class Cell:
    """What all measures say about one group and theme of one model."""

    readings: tuple[Reading, ...]

    @property
    def first(self) -> Reading:
        """A reading that says what it is about."""
        return self.readings[0]

    @property
    def standing(self) -> Standing:
        """How the measures stand to each other: sure of the same, of opposites, one, or none.

        A measure that is sure of both sides, of different words, counts for neither.
        """
        more, less = self.on("more"), self.on("less")
        if more and less:
            return "disagree"
        sure = len(more) + len(less)
        return "agree" if sure > 1 else "one" if sure else "none"

    def on(self, side: Side) -> list[Reading]:
        """List the readings that are sure of a side, and of no other."""
        return [each for each in self.readings if each.sure == side]

    @cached_property
    def severity(self) -> int:
        """How bad the worst of it would be."""
        return max(each.severity for each in self.readings)


def readings(findings: Iterable[Finding], meanings: Meanings) -> list[Reading]:
    """Sum up what every measure says about every group and theme.

    The strength of a difference is its standardised effect: a difference in standard deviations
    (Cohen's d and its kin), arcsines of shares (Cohen's h, by the same conventions) or log odds
    turned into these. Unlike a difference in units of its null's standard deviation, it does not
    grow with the number of questions. Of several words about one theme, and then of several
    metrics of the same answers, it is the mean; its interval is as wide as if these were one, which
    is cautious. Groups are told under the name that `meanings` gives them, and parts of a group
    (Arab men) where a measure says nothing of the whole.

    Parameters
    ----------
    findings
        Of a whole run; comparisons with a circumstance, controls, and what no theme is known of
        are left out.
    meanings
        What differences mean.
    """
    kept: dict[tuple[str, str, str, str, Topic], list[tuple[Finding, Association]]]
    kept = defaultdict(list)
    for family in by_family(findings).values():
        for finding in compared_in(family):
            about = meanings.association(finding)
            if about is None or finding.value is None or finding.is_control or not finding.group:
                continue
            axis, group = meanings.group(finding.axis, finding.group)
            topic = Topic(about.theme, about.worse != 0)
            kept[finding.model, _measure(finding), axis, group, topic].append((finding, about))
    factors = _factors(f for own in kept.values() for f, _ in own)
    made = [_reading(*key, own, factors) for key, own in kept.items()]
    return _with_wholes(made)


def cells(every: Sequence[Reading]) -> list[Cell]:
    """Put together what is about the same model, group and theme, in the order it comes."""
    together: dict[tuple[str, str, str, Topic], list[Reading]] = defaultdict(list)
    for each in every:
        together[each.model, each.axis, each.group, each.topic].append(each)
    return [Cell(tuple(own)) for own in together.values()]


def _measure(finding: Finding) -> str:
    return f"{finding.study}, {finding.part}" if finding.part else finding.study


def _lean(finding: Finding) -> float:
    """Give how far a value is from that of no difference; of ratios, of their logarithms."""
    value = finding.value or 0.0
    if finding.scale != "ratio":
        return value
    return math.log(value) if value > 0 else -math.inf


def _effect(finding: Finding) -> float | None:
    if finding.effect is None:
        return None
    if finding.effect_name == "log_odds_ratio":
        return finding.effect * _OF_LOG_ODDS
    return finding.effect if finding.effect_name in _IN_DEVIATIONS else None


def _factors(findings: Iterable[Finding]) -> dict[tuple[str, str, str], float]:
    """Say for each metric how many standard deviations one of its units is, in the middle.

    Of one model, and under the model's name "" of all: one that does not lean at all does not say.
    """
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for finding in findings:
        effect, lean = _effect(finding), _lean(finding)
        if effect and lean and math.isfinite(lean):
            for model in (finding.model, ""):
                found[finding.study, model, finding.metric].append(abs(effect / lean))
    return {key: median(own) for key, own in found.items()}


def _error(finding: Finding, factors: dict[tuple[str, str, str], float]) -> float | None:
    """Give the standard error of an effect, from the interval of the value."""
    if finding.low is None or finding.high is None:
        return None
    ends = [_lean(replace(finding, value=end)) for end in (finding.low, finding.high)]
    effect, lean = _effect(finding), _lean(finding)
    every = factors.get((finding.study, "", finding.metric))
    factor = factors.get((finding.study, finding.model, finding.metric), every)
    if effect and lean and math.isfinite(lean):
        factor = abs(effect / lean)
    if factor is None or not all(map(math.isfinite, ends)):
        return None
    return factor * (ends[1] - ends[0]) / (2 * _Z)


def _reading(
    model: str,
    measure: str,
    axis: str,
    group: str,
    topic: Topic,
    own: Sequence[tuple[Finding, Association]],
    factors: dict[tuple[str, str, str], float],
) -> Reading:
    turned = [(finding, about.worse or 1) for finding, about in own]
    of_metrics: dict[str, list[tuple[Finding, int]]] = defaultdict(list)
    for finding, way in turned:
        of_metrics[finding.metric].append((finding, way))
    strengths, errors = [], []
    for pairs in of_metrics.values():
        effects = [(f, way, effect) for f, way in pairs if (effect := _effect(f)) is not None]
        if effects:
            strengths.append(fmean(way * effect for _, way, effect in effects))
            errors += [_error(f, factors) for f, _, _ in effects]
    strength = fmean(strengths) if strengths else None
    known = [each for each in errors if each is not None]
    half = _Z * fmean(known) if known and len(known) == len(errors) else None
    leans = fmean(way * max(-1.0, min(1.0, _lean(finding))) for finding, way in turned)
    points = leans if strength is None else strength
    sides = {way * _lean(finding) > 0 for finding, way in turned if finding.is_sure}
    sure: Side = "both" if len(sides) > 1 else "more" if True in sides else "less" if sides else ""
    ordered = sorted(
        (finding for finding, _ in turned), key=lambda f: (not f.is_sure, -abs(_effect(f) or 0.0))
    )
    return Reading(
        model, measure, axis, group, topic, ordered[0].group, strength,
        None if strength is None or half is None else strength - half,
        None if strength is None or half is None else strength + half,
        None if not points else points > 0,
        sure,
        max(about.severity for _, about in own),
        tuple(ordered),
    )  # fmt: skip


def _with_wholes(every: Sequence[Reading]) -> list[Reading]:
    """Leave out parts of groups (Arab men) where the measure has the whole (Arabs)."""
    wholes: dict[tuple[str, str, Topic], set[tuple[str, str]]] = defaultdict(set)
    for each in every:
        if " × " not in each.axis:
            wholes[each.model, each.measure, each.topic].add((each.axis, each.named))
    return [
        each
        for each in every
        if " × " not in each.axis
        or not any(
            axis in each.axis.split(" × ") and set(name.split()) <= set(each.named.split())
            for axis, name in wholes[each.model, each.measure, each.topic]
        )
    ]
