"""Differences of findings within the units that both sides share: questions, prompts, sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.comparison.answer_pairs import answer_pairs
from slant.comparison.change import key_of
from slant.comparison.unit_values import unit_values
from slant.records import VS_REST, compared_with, is_comparison, versus
from slant.signature import Signature
from slant.stats.inference import itself, vs_rest
from slant.stats.paired_draws import FEWEST_UNITS, between_sides
from slant.stats.paired_means import paired_means
from slant.stats.paired_rates import paired_rates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.comparison.answer_pairs import AnswerPairs, CountedPairs
    from slant.comparison.change import Key
    from slant.comparison.side import Side
    from slant.comparison.unit_values import UnitValues
    from slant.records import Finding
    from slant.signature import Value
    from slant.stats.arrays import Floats
    from slant.stats.inference import Draws, Figure

_RESAMPLES = 10_000
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class PairedFigure:
    """The difference of a finding's two sides, from their answers.

    Attributes
    ----------
    value, low, high, p
        Second minus first, its 95% interval, and the p-value.
    signature
        How it was computed.
    """

    value: float
    low: float
    high: float
    p: float
    signature: Signature


@dataclass(frozen=True, slots=True)
class PairedStudy:
    """What the answers of both sides say about one study.

    Attributes
    ----------
    figures
        By the key of the finding.
    shared, same
        How many questions have a text on both sides, and how many of these are the same text.
    """

    figures: dict[Key, PairedFigure]
    shared: int
    same: int


def paired_figures(first: Side, second: Side, study: str) -> PairedStudy:
    """Find the findings of a study that both sides measured on the same units, and compare them.

    These are rates of answers, compared question by question or prompt by prompt, and means over
    sentences or pairs of them of which the study keeps a table. A finding counts as the rate or
    mean of what it says it rests on only if that gives its very value on both sides, and those of
    all other groups: where a study does something besides, such as leaving answers out, it is
    compared by its intervals. Both sides must have asked with the same prompts.

    Parameters
    ----------
    first, second
        The sides.
    study
        Label of a study that both have.
    """
    findings = [
        {key_of(finding): finding for finding in side.findings if finding.study == study}
        for side in (first, second)
    ]
    families: dict[tuple[str, str, str], list[Key]] = {}
    for key, finding in findings[0].items():
        if key in findings[1]:
            family = finding.axis, finding.metric, finding.condition
            families.setdefault(family, []).append(key)
    sections = first.section(study), second.section(study)
    answers: dict[tuple[str, str], AnswerPairs | None] = {}
    figures: dict[Key, PairedFigure] = {}
    for (axis, metric, condition), keys in families.items():
        sides = [[each[key] for key in keys] for each in findings]
        own = _own_figure(*sides)
        if own is None:
            continue
        rng = np.random.default_rng([first.run.config.seed, *metric.encode()])
        if own.kind in ("mean", "distance"):
            values = unit_values(own, sections)
            figures |= {} if values is None else _of_means(values, keys, sides, rng)
        elif own.kind == "rate" and not condition:
            about = axis, own.part
            if about not in answers:
                answers[about] = answer_pairs(first, second, study, *about)
            found = answers[about]
            counted = None if found is None else found.counted.get(own.measure)
            if counted is not None and _gives(counted, sides):
                figures |= _of_rates(counted, keys, sides, own.measure, rng)
    told = [each for each in answers.values() if each is not None]
    return PairedStudy(figures, sum(each.shared for each in told), sum(each.same for each in told))


def _own_figure(first: Sequence[Finding], second: Sequence[Finding]) -> Finding | None:
    """Give a group's own figure that rests on the same on both sides; `None` if there is none."""
    for one, two in zip(first, second, strict=True):
        if not one.is_comparison:
            same = (one.kind, one.measure, one.part, one.units) == (
                two.kind, two.measure, two.part, two.units
            )  # fmt: skip
            return one if same else None
    return None


def _shares(counted: CountedPairs) -> tuple[Floats, Floats]:
    """Give the shares of yes on either side, shape (groups, prompts); NaN without answers."""
    sides = []
    for axis in (-1, -2):
        kinds = counted.counts.sum(axis=axis)
        measured = kinds[..., 0] + kinds[..., 1]
        unknown = np.full(measured.shape, math.nan)
        sides.append(np.divide(kinds[..., 1], measured, out=unknown, where=measured > 0))
    return sides[0], sides[1]


def _gives(counted: CountedPairs, sides: Sequence[Sequence[Finding]]) -> bool:
    """Tell whether what was counted is what the findings say, prompt by prompt alike."""
    shares = _shares(counted)
    first, second = (np.isnan(share).all(axis=0) for share in shares)
    if not np.array_equal(first, second):
        return False
    for share, findings in zip(shares, sides, strict=True):
        rates = {
            group: float(np.nanmean(row)) if not np.isnan(row).all() else None
            for group, row in zip(counted.groups, share, strict=True)
        }
        own = [finding for finding in findings if not finding.is_comparison]
        if not all(_alike(rates.get(finding.group), finding.value) for finding in own):
            return False
    return True


def _alike(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < _ROUNDING


def _of_rates(
    counted: CountedPairs,
    keys: Sequence[Key],
    sides: Sequence[Sequence[Finding]],
    name: str,
    rng: np.random.Generator,
) -> dict[Key, PairedFigure]:
    unknown = np.isnan(np.stack(_shares(counted))).all(axis=2).all(axis=0)
    known = np.flatnonzero(~unknown)
    groups = [counted.groups[place] for place in known]
    if not groups:
        return {}
    drawn = paired_rates(counted.counts[known], resamples=_RESAMPLES, rng=rng)
    return _figures(drawn, groups, keys, sides, counted=name)


def _of_means(
    values: UnitValues,
    keys: Sequence[Key],
    sides: Sequence[Sequence[Finding]],
    rng: np.random.Generator,
) -> dict[Key, PairedFigure]:
    if values.first.shape[1] < FEWEST_UNITS:
        return {}
    drawn = paired_means(values.first, values.second, values.unit, resamples=_RESAMPLES, rng=rng)
    return _figures(drawn, values.groups, keys, sides, units=values.first.shape[1])


def _figures(
    drawn: Draws,
    groups: Sequence[str],
    keys: Sequence[Key],
    sides: Sequence[Sequence[Finding]],
    **what: Value,
) -> dict[Key, PairedFigure]:
    """Compare every contrast of the groups, where it is that of the findings."""
    signature = Signature(
        compare=f"paired({drawn.unit})", **what,
        ci=f"bootstrap({_RESAMPLES},{drawn.unit})", null=f"swap({_RESAMPLES},{drawn.unit})",
    )  # fmt: skip
    places = {group: place for place, group in enumerate(groups)}
    found: dict[Key, PairedFigure] = {}
    for contrast in dict.fromkeys(key[4] for key in keys):
        figure = _figure(contrast, groups)
        if figure is None:
            continue
        change = drawn.estimate(between_sides(figure))
        one, two = figure(drawn.observed)
        for key, first, second in zip(keys, *sides, strict=True):
            place = places.get(key[3])
            if key[4] != contrast or place is None or contrast == versus(key[3]):
                continue
            # Groups that one side alone measured move the median of the others.
            if not _alike(float(one[place]), first.value) or not _alike(
                float(two[place]), second.value
            ):
                continue
            found[key] = PairedFigure(
                value=float(change.value[place]), low=float(change.low[place]),
                high=float(change.high[place]), p=float(change.p[place]), signature=signature,
            )  # fmt: skip
    return found


def _figure(contrast: str, groups: Sequence[str]) -> Figure | None:
    """Say how a contrast is made of the groups' own figures."""
    if not is_comparison(contrast):
        return itself
    if contrast == VS_REST:
        return vs_rest if len(groups) > 1 else None
    reference = compared_with(contrast)
    if reference not in groups:
        return None
    place = groups.index(reference)
    return lambda rates: rates - rates[..., [place]]
