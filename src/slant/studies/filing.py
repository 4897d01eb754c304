"""Filing: the one place where what a study measured becomes findings.

A study says what it measured (`Quantity`), of whom (`Subject`), and what came out (`Measured`);
`Filing` makes the finding. So a figure that could not be measured has the same target and
direction as one that could, and what every finding is to say is said here. `adjusted` adjusts the
p-values of a family, `count_outcomes` counts what became of questions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from slant.records import OUTCOMES, VS_REST, Finding, Interval
from slant.signature import Signature
from slant.stats.multiple import benjamini_hochberg

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import polars as pl
    from numpy.typing import ArrayLike, NDArray

    from slant.measures.measure import Measure
    from slant.records import Direction, EffectName, Kind, Placebo, Scale, Units
    from slant.signature import Value

_UNKNOWN = math.nan


@dataclass(frozen=True)
class Quantity:
    """What is measured: all that findings say alike, whoever they are about.

    Attributes
    ----------
    metric, contrast, kind, direction, target, scale, measure, unit, units, part
        As a finding has them.
    effect_name, restates
        Likewise.
    how
        What the signature says of the statistics: how intervals and chance are computed.
    selected
        As a finding has it.
    """

    metric: str
    contrast: str
    kind: Kind
    direction: Direction
    target: float | None = None
    scale: Scale = "number"
    measure: str = ""
    unit: str = ""
    units: Units | None = None
    part: str = ""
    effect_name: EffectName = ""
    restates: str = ""
    how: Mapping[str, Value] = field(default_factory=dict)
    selected: bool = False

    def against(
        self,
        contrast: str = VS_REST,
        *,
        effect_name: EffectName = "",
        unit: str | None = None,
        **how: Value,
    ) -> Quantity:
        """Give the difference of this from something: without a lean it is 0.

        Parameters
        ----------
        contrast
            From what.
        effect_name
            Which standardised effect goes with it.
        unit
            What is drawn again or exchanged, if it is not what this rests on.
        how
            What the signature says beside, or instead of, what it says of this.
        """
        return replace(
            self,
            contrast=contrast,
            kind="difference",
            direction="closer_to_target",
            target=0.0,
            effect_name=effect_name,
            unit=self.unit if unit is None else unit,
            how={**self.how, **how},
        )


def added_quantity(measure: Measure, unit: str, /, **how: Value) -> Quantity:
    """Say what a measure's figure of a group is, a rate or a mean, before chance is simulated."""
    if measure.scale == "binary":
        target = 0.0 if measure.direction == "lower_is_better" else None
        return Quantity(measure.metric, "rate", "rate", measure.direction, target, "share",
                        measure.name, unit, how=how)  # fmt: skip
    return Quantity(measure.metric, "mean", "mean", measure.direction, measure=measure.name,
                    unit=unit, how=how)  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """Of whom, and under which circumstances.

    Attributes
    ----------
    axis, group, condition, slots
        As a finding has them.
    outcomes
        What became of the questions.
    """

    axis: str
    group: str
    outcomes: Mapping[str, int]
    condition: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """What came out; NaN stands for what is not known, as in `slant.stats`.

    Attributes
    ----------
    value, low, high, p, q, effect
        As a finding has them. A study leaves `q` to `adjusted`, unless its family has cells that
        become no findings.
    n, unit_count
        How many observations, and how many units.
    chance
        Where chance alone puts the value.
    family
        What `q` was adjusted with.
    reason
        Why there is no value; passed over where there is one.
    placebo
        Where the value stands among differences between placebo groups.
    freedom
        Degrees of freedom of the interval, where it is Student's t.
    """

    value: float | None = _UNKNOWN
    low: float | None = _UNKNOWN
    high: float | None = _UNKNOWN
    n: int = 0
    unit_count: int | None = None
    p: float | None = _UNKNOWN
    q: float | None = _UNKNOWN
    effect: float | None = _UNKNOWN
    chance: Interval | None = None
    family: str = ""
    reason: str | None = None
    placebo: Placebo | None = None
    freedom: float | None = None


@dataclass(frozen=True)
class Filing:
    """Makes the findings of one section.

    Attributes
    ----------
    study, model
        What they are filed under.
    signature
        Of the section, without the statistics.
    """

    study: str
    model: str
    signature: Signature

    def __call__(self, what: Quantity, whom: Subject, found: Measured) -> Finding:
        """Make a finding."""
        value, q, chance = known(found.value), known(found.q), found.chance
        how = {**what.how, **({} if q is None else _ADJUSTED)}
        return Finding(
            study=self.study,
            metric=what.metric,
            model=self.model,
            axis=whom.axis,
            group=whom.group,
            contrast=what.contrast,
            condition=whom.condition,
            value=value,
            low=known(found.low),
            high=known(found.high),
            n=int(found.n),
            outcomes=dict(whom.outcomes),
            p=known(found.p),
            q=q,
            effect=known(found.effect),
            chance=chance,
            target=what.target,
            direction=what.direction,
            signature=Signature(self.signature, **how),
            reason=found.reason if value is None else None,
            kind=what.kind,
            scale=what.scale,
            measure=what.measure,
            unit=what.unit,
            unit_count=None if found.unit_count is None else int(found.unit_count),
            units=what.units,
            family="" if q is None else found.family,
            part=what.part,
            slots=dict(whom.slots),
            effect_name=what.effect_name,
            restates=what.restates,
            placebo=found.placebo,
            freedom=known(found.freedom),
            selected=what.selected,
        )


_ADJUSTED = {"fdr": "bh"}


def adjusted(findings: Sequence[Finding], family: str) -> list[Finding]:
    """Give the tested findings of a family their q-values.

    Parameters
    ----------
    findings
        With those that test nothing among them: they stay as they are.
    family
        Its name, the same for none else in the section.
    """
    q = q_values([math.nan if each.p is None else each.p for each in findings])
    return [
        each
        if each.p is None
        else replace(each, q=own, family=family, signature=Signature(each.signature, **_ADJUSTED))
        for each, own in zip(findings, q, strict=True)
    ]


def q_values(p: ArrayLike) -> list[float | None]:
    """Adjust p-values of a family; what is NaN was not tested, and `None` in what is given."""
    return [known(each) for each in family_q(p).ravel().tolist()]


def family_q(p: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p-values of a family by Benjamini and Hochberg, in their shape; NaN stays NaN."""
    return benjamini_hochberg(p)


def known(number: float | None) -> float | None:
    """Turn what is no number into `None`."""
    return None if number is None or math.isnan(number) else float(number)


def outcome_counts(counts: Mapping[str, int]) -> dict[str, int]:
    """Name all four outcomes, those that did not occur with 0."""
    return {name: int(counts.get(name, 0)) for name in OUTCOMES}


def count_outcomes(rows: pl.DataFrame) -> dict[str, int]:
    """Count what became of questions."""
    return outcome_counts(dict(rows.group_by("outcome").len().iter_rows()))


def outcomes_by_group(rows: pl.DataFrame) -> dict[str, dict[str, int]]:
    """Count what became of the questions about each group."""
    return {
        str(group): count_outcomes(part)
        for (group,), part in rows.group_by("group", maintain_order=True)
    }
