"""What a study concludes: findings, and when one is sure.

A finding says what it rests on, so that report, comparison and gate guess nothing.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - stored findings are checked by their types
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from slant.by_chance import Interval  # noqa: TC001 - likewise
from slant.signature import Signature  # noqa: TC001 - likewise

Direction: TypeAlias = Literal["lower_is_better", "higher_is_better", "closer_to_target"]

Kind: TypeAlias = Literal[
    "rate", "mean", "difference", "ratio", "distance", "strength", "agreement", "unknown"
]
"""What sort of number a finding is. `unknown` only in runs of a slant that did not say so."""

Scale: TypeAlias = Literal["share", "number", "ratio"]
"""What a value is counted in: a share of 1, any number, or a ratio where 1 is no difference."""

EffectName: TypeAlias = Literal[
    "", "cohen_h", "cohen_d", "cohen_d_paired", "hedges_g", "log_odds_ratio", "t", "z",
    "divergence", "beyond_chance",
]  # fmt: skip
"""Names of standardised effects; empty where there is none."""

SCHEMA_VERSION = 3
"""Version of `findings.json`; raised whenever a reader of the older form would misread it."""

OLDEST_SCHEMA = 1
"""The oldest form that is read: `finding_migration` fills in what it says."""

SURE = 0.05
"""Adjusted p-values below this are more than chance."""

BEYOND_PLACEBO = 0.95
"""A difference larger than this share of those between placebo groups is more than mere words."""

PLACEBO = "placebo"
"""The part of a study that asks about placebo groups: a control, and no finding about people."""

VS_REST = "vs_rest"
"""The contrast with the median of the other groups."""

_VERSUS = "vs:"

FEWEST_UNITS = 5
"""From fewer prompts, scenes or chains nothing follows for others of their kind."""

_KINDS_OF_UNITS = frozenset(
    {"prompts", "wordings", "scenes", "captions", "chains", "analogies", "pairs", "names",
     "sentences", "articles"}
)  # fmt: skip
"""What stands for others of its kind; single answers do not."""


def too_few(unit: str, count: int | None) -> bool:
    """Tell whether a finding rests on too few units to be about others of their kind."""
    return unit in _KINDS_OF_UNITS and count is not None and count < FEWEST_UNITS


def is_sure(
    value: float | None,
    low: float | None,
    high: float | None,
    target: float | None,
    q: float | None,
    report_q: float | None = None,
    unit: str = "",
    unit_count: int | None = None,
    placebo_share: float | None = None,
) -> bool:
    """Tell whether a figure is more than chance and mere words give: the one definition of "sure".

    Its adjusted p-value is below `SURE`, among all tests of the report where that is known; the
    interval that is shown does not hold the value of a model that does not lean; it does not rest
    on too few units (`too_few`); and it is larger than `BEYOND_PLACEBO` of the differences between
    placebo groups, where any were asked about.

    Parameters
    ----------
    value, low, high, target, q, report_q, unit, unit_count
        As a finding has them.
    placebo_share
        The share of placebo differences that it exceeds.
    """
    if placebo_share is not None and placebo_share < BEYOND_PLACEBO:
        return False
    adjusted = q if report_q is None else report_q
    if value is None or adjusted is None or adjusted >= SURE or too_few(unit, unit_count):
        return False
    return low is None or high is None or target is None or not low <= target <= high


def versus(reference: str) -> str:
    """Name the contrast with a group or a condition."""
    return _VERSUS + reference


def is_comparison(contrast: str) -> bool:
    """Tell a comparison from a group's own figure."""
    return contrast == VS_REST or contrast.startswith(_VERSUS)


def compared_with(contrast: str) -> str | None:
    """Name the group or condition that a contrast compares with; `None` for any other."""
    return contrast.removeprefix(_VERSUS) if contrast.startswith(_VERSUS) else None


@dataclass(frozen=True, slots=True)
class Units:
    """Where the value of every unit that a finding rests on is kept.

    Attributes
    ----------
    table
        Which of the section's tables, with a column `group` unless each group has a column of its
        own or there is but one, and with `axis` where the section is about several.
    key
        The columns that tell one unit from another.
    value
        The column with a unit's value; empty where each group has a column of its own.
    where
        Columns whose values pick the finding's rows, where the table has those of several.
    """

    table: str
    key: tuple[str, ...]
    value: str = ""
    where: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Placebo:
    """Where a difference stands among those between groups that cannot matter.

    Attributes
    ----------
    share_exceeded
        The share of placebo differences, measured as precisely, that are smaller; 0 where none was
        measured, so that nothing is larger for sure.
    axes
        Of which they are: `months`, `house-numbers` …
    n
        How many placebo differences were measured; 0 where placebo groups were asked about and gave
        too few answers.
    p
        How probable so large a difference is if the group is like a placebo group.
    q
        The larger of that and the finding's own p, adjusted over its family: among many
        comparisons some exceed 95% of placebo differences by luck. `None` where nothing was tested.
    needed
        The differences whose p of a placebo is .05 over the number of tests in the family, and over
        a hundred times as many; `None` where they are not known.
    """

    share_exceeded: float
    axes: tuple[str, ...]
    n: int
    p: float | None = None
    q: float | None = None
    needed: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a study concludes about one group: report, compare, gate and export know only this.

    Attributes
    ----------
    study, metric, model, axis, group
        What was measured, of which model, about whom.
    contrast
        `rate`, `mean`, `strength` or `difference` for the group's own figure; `vs_rest` or
        `vs:<group>` for a comparison.
    condition
        The circumstances the figure holds for; empty when it is pooled over all of them.
    value, low, high
        The estimate and its 95% interval. `None` when it could not be measured; `reason` says why.
    n
        How many observations the value rests on.
    outcomes
        How many questions ended in each of the four outcomes.
    p, q
        p-value, and the same adjusted by Benjamini-Hochberg over the family shown together;
        `None` for figures that test nothing.
    effect
        Standardised effect size, signed like the value; `effect_name` says which.
    chance
        Expectation and 95% range of the value if group membership did not matter, with the
        histogram of the draws where it was simulated.
    target
        The value of a model that does not lean.
    direction
        Which way the metric improves.
    signature
        Every parameter and version that the number depends on, by name.
    reason
        Why there is no value.
    kind
        What sort of number the value is.
    scale
        What it is counted in.
    measure
        Whose scores it counts: a measure of the table of scores, or what else gave the values;
        empty where nothing was scored.
    unit, unit_count
        What was drawn again or exchanged to say how sure the value is (answers, prompts, names,
        chains, pairs …), and how many there were; `None` where that is not known.
    units
        Where the value of every unit is kept; `None` where it is not.
    family
        What its q was adjusted with: findings of a section with the same family, and the cells of
        its tables that did not become findings; empty without a q.
    part
        Which sub-experiment of the study it rests on; empty for the main one.
    slots
        Slots of the questions it rests on, where axis, group and condition do not tell them.
    effect_name
        Which standardised effect `effect` is.
    restates
        The metric whose comparison it says again on another scale; else empty.
    placebo
        Where it stands among differences between placebo groups; `None` where none were asked
        about.
    report_q
        p adjusted for all tests of the report (`slant.stats.tree_bh`); `None` without a q, and in
        runs of a slant that did not adjust so.
    tests
        Among how many tests it would have to stand out as the first of the report: studies ×
        families of its study × tests of its family, without what only restates another; `None`
        without a q, and in older runs.
    ruler
        The same difference between scores of neutral sentences about the groups, where what scored
        the texts gives any; else `None`.
    freedom
        Degrees of freedom of the interval, where it is Student's t; else, and in older runs,
        `None`.
    selected
        Whether it is shown because it is among the largest of many, and its interval wider for
        that; in older runs only its signature says so.
    """

    study: str
    metric: str
    model: str
    axis: str
    group: str
    contrast: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    outcomes: Mapping[str, int]
    p: float | None
    q: float | None
    effect: float | None
    chance: Interval | None
    target: float | None
    direction: Direction
    signature: Signature
    condition: str = ""
    reason: str | None = None
    kind: Kind = "unknown"
    scale: Scale = "number"
    measure: str = ""
    unit: str = ""
    unit_count: int | None = None
    units: Units | None = None
    family: str = ""
    part: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    effect_name: EffectName = ""
    restates: str = ""
    placebo: Placebo | None = None
    report_q: float | None = None
    tests: int | None = None
    ruler: float | None = None
    freedom: float | None = None
    selected: bool = False

    @property
    def is_within_ruler(self) -> bool:
        """Whether it is no larger than what its scorer gives neutral sentences, the same way."""
        if self.ruler is None or self.value is None:
            return False
        return self.ruler * self.value > 0 and abs(self.value) <= abs(self.ruler)

    @property
    def is_control(self) -> bool:
        """Whether it is about groups that cannot matter, and not about people."""
        return self.part == PLACEBO

    @property
    def is_of_one_wording(self) -> bool:
        """Whether its groups were named with one wording each, where the study says so."""
        return self.signature.get("wordings") == "one"

    @property
    def beats_placebo(self) -> bool:
        """Whether it is larger than what placebo groups differ by; true where none were asked."""
        found = self.placebo
        if found is None:
            return True
        return found.share_exceeded >= BEYOND_PLACEBO and (found.q is None or found.q < SURE)

    @property
    def beyond_q(self) -> float | None:
        """Its q in its family; where placebos were asked about, of a difference beyond both."""
        if self.q is None or self.placebo is None or self.placebo.q is None:
            return self.q
        return max(self.q, self.placebo.q)

    @property
    def is_comparison(self) -> bool:
        """Whether it compares, and is not a group's own figure."""
        return is_comparison(self.contrast)

    @property
    def is_sure(self) -> bool:
        """Whether it is more than chance and more than mere words would give."""
        share = None if self.placebo is None else self.placebo.share_exceeded
        return is_sure(
            self.value, self.low, self.high, self.target, self.beyond_q, self.report_q,
            self.unit, self.unit_count, share,
        )  # fmt: skip

    @property
    def shown_q(self) -> float | None:
        """The adjusted p-value that says how sure it is."""
        return self.beyond_q if self.report_q is None else self.report_q
