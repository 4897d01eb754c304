"""Findings of groups that were asked about in several wordings and prompts, beside placebos."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slant.records import PLACEBO, VS_REST, Units, versus
from slant.stats.crossed_wordings import crossed_wordings, whole_cells
from slant.stats.effects import cohen_h
from slant.stats.median_of_others import median_of_others
from slant.stats.proportions import score_ends
from slant.studies.crossed_result import Crossed
from slant.studies.crossed_tables import crossed_figures, crossed_notes, crossed_tables
from slant.studies.filing import Measured, Quantity, Subject, adjusted
from slant.studies.placebo import beyond_placebos, placebo_finding, placebos_of
from slant.studies.study import Analysis

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.records import Finding
    from slant.stats.crossed_wordings import CrossedMeans
    from slant.stats.inference import Estimate
    from slant.studies.filing import Filing
    from slant.studies.placebo import Placebos
    from slant.studies.worded import Held, Worded

RESAMPLES = 10_000

_ONE = "vs:one"
"""Differences of placebo groups from one of them, beside those of real groups from a reference."""

_NOTHING = (
    "too few answers: two groups, wordings and prompts are needed, and an answer in more than half "
    "of their combinations"
)


def crossed_findings(
    file: Filing,
    own: Quantity,
    every: Sequence[Held],
    *,
    seed: int,
    reference: str | None = None,
) -> Analysis:
    """Compare groups over wordings and prompts, and with what placebo groups differ by.

    Gives every group's mean; its difference from the median of the other groups and from the
    reference, each with p, q and its place among the placebo groups' differences from the rest of
    their axis; and what these come to, as a finding of its own. The q-values hold over all that is
    compared here.

    Parameters
    ----------
    own
        What a group's mean is.
    every
        The groups with their controls: of several axes, or under several conditions.
    reference
        A group to compare the others with.
    """
    table = f"{own.metric}_wordings"
    own = replace(
        own, unit="wordings", units=Units(table, ("kind",), "value"),
        how={**own.how, "ci": "t(wordings,prompts)"},
    )  # fmt: skip
    rng = np.random.default_rng([seed, *own.metric.encode()])
    several = any(each.condition for each in every)
    figures = [_figures(each, reference, rng) for each in every]
    pooled = _pooled(figures)
    tests = sum(len(each.held.real.groups) for each in figures if each.result is not None)
    found = [
        _compared(file, _of(own, each.held) if several else own, each, pooled, reference, tests)
        for each in figures
    ]
    contrasts = (own.contrast, VS_REST, *(() if reference is None else (versus(reference),)))
    findings = [
        finding
        for name in contrasts
        for finding in beyond_placebos(
            adjusted(
                [f for each in found for f in each.findings if f.contrast == name],
                f"{own.metric} {name}",
            )
        )
    ]
    controls = {(f.axis, f.condition): f for each in found for f in each.control}
    measured = [each for each in found if each.result is not None]
    tables = crossed_tables(own.metric, measured)
    return Analysis(
        [*findings, *controls.values()],
        tables,
        crossed_figures(own, tables, measured),
        notes=list(dict.fromkeys(note for each in measured for note in crossed_notes(own, each))),
    )


def _of(own: Quantity, held: Held) -> Quantity:
    """Say which rows of the table are about one of several things."""
    assert own.units is not None  # noqa: S101 - the caller has just named them
    return replace(own, units=replace(own.units, where={"of": held.condition}))


@dataclass(frozen=True, eq=False)
class _Figures:
    """What was measured of groups and of their controls; `None` where nothing can be compared."""

    held: Held
    result: CrossedMeans | None
    placebo: Sequence[tuple[Worded, CrossedMeans]]


def _figures(held: Held, reference: str | None, rng: np.random.Generator) -> _Figures:
    """Measure the groups of one axis under one condition, and their controls."""
    result = _measured(held.real, reference, RESAMPLES, rng)
    if result is None:
        return _Figures(held, None, [])
    one = result.vs_reference is not None
    # What placebo groups differ by says how far mere words go: of them nothing is tested.
    controls = [(each, _measured(each, each.groups[0] if one else None, 0, rng))
                for each in held.controls if each.groups]  # fmt: skip
    return _Figures(held, result, [(each, found) for each, found in controls if found is not None])


def _pooled(every: Sequence[_Figures]) -> dict[str, float]:
    """Say what placebo groups differ by in all tables together."""
    known = _placebos([pair for each in every for pair in each.placebo], [], {})
    return {name: 0.0 if found.spread is None else found.spread.value
            for name, found in known.items()}  # fmt: skip


def _compared(
    file: Filing,
    own: Quantity,
    figures: _Figures,
    pooled: Mapping[str, float],
    reference: str | None,
    tests: int,
) -> Crossed:
    """Compare the groups of one axis under one condition, among so many tests in all."""
    held, result = figures.held, figures.result
    real = held.real
    subjects = {
        group: Subject(real.axis, group, outcomes, held.condition, held.slots)
        for group, outcomes in real.outcomes.items()
    }
    nothing = [
        file(own, subjects[group], Measured(n=n, reason=_NOTHING))
        for group, n in real.n.items()
        if result is None or group not in real.groups
    ]
    if result is None:
        return Crossed(held, nothing)
    asked = [each.axis for each in held.controls if each.outcomes]
    known = _placebos(figures.placebo, asked, pooled)
    findings = _Findings(file, own, real, result, known, subjects, tests).every(reference)
    axes = " and ".join(each.axis for each, _ in figures.placebo)
    subject = Subject(axes, PLACEBO, _summed(held.controls), held.condition, held.slots)
    n = sum(sum(each.n.values()) for each in held.controls)
    control = placebo_finding(file, replace(own, how={}), known[VS_REST].spread, subject, n)
    return Crossed(held, [*findings, *nothing], control, result, figures.placebo, known[VS_REST])


def _measured(
    worded: Worded, reference: str | None, resamples: int, rng: np.random.Generator
) -> CrossedMeans | None:
    try:
        whole_cells(worded.values)
    except ValueError:
        return None
    place = None
    if reference is not None and reference in worded.groups:
        place = list(worded.groups).index(reference)
    return crossed_wordings(
        worded.values, reference=place, least=worded.least, resamples=resamples, rng=rng
    )


def _placebos(
    results: Sequence[tuple[Worded, CrossedMeans]],
    axes: Sequence[str],
    pooled: Mapping[str, float],
) -> dict[str, Placebos]:
    """Put together what placebo groups differ by: from the rest, and from one of them."""
    rest = [(found.vs_rest, found.rest_error, found.rest_noise) for _, found in results]
    one = [
        (f.vs_reference, f.reference_error, f.reference_noise)
        for _, f in results
        if f.vs_reference is not None
    ]
    return {
        name: placebos_of(
            axes,
            np.concatenate([np.empty(0), *(found.value for found, _, _ in pairs)]),
            np.concatenate([np.empty(0), *(error for _, error, _ in pairs if error is not None)]),
            np.concatenate([np.empty(0), *(noise for _, _, noise in pairs if noise is not None)]),
            pooled.get(name, 0.0),
        )
        for name, pairs in ((VS_REST, rest), (_ONE, one))
    }


@dataclass(frozen=True)
class _Findings:
    """Files what was measured of the groups."""

    file: Filing
    own: Quantity
    real: Worded
    result: CrossedMeans
    known: Mapping[str, Placebos]
    subjects: Mapping[str, Subject]
    tests: int

    def every(self, reference: str | None) -> list[Finding]:
        means = [self._finding(self.own, row, self.result.own) for row in self._rows()]
        differences = self._compared(VS_REST, self.result.vs_rest)
        if reference is None or self.result.vs_reference is None:
            return [*means, *differences]
        return [*means, *differences, *self._compared(versus(reference), self.result.vs_reference)]

    def _rows(self) -> range:
        return range(len(self.real.groups))

    def _compared(self, name: str, found: Estimate) -> list[Finding]:
        shares = self.own.scale == "share"
        what = self.own.against(
            name,
            effect_name="cohen_h" if shares else "cohen_d_paired",
            null=f"permutation({RESAMPLES},wordings and prompts)",
        )
        effect = self._effect(name, found)
        return [self._finding(what, row, found, effect[row]) for row in self._rows()]

    def _effect(self, name: str, found: Estimate) -> NDArray[np.float64]:
        if self.own.scale != "share":
            return self.result.effect if name == VS_REST else np.full(len(found.value), np.nan)
        mean = np.clip(self.result.own.value, 0, 1)
        others = median_of_others(mean) if name == VS_REST else mean - found.value
        return np.asarray(cohen_h(mean, np.clip(others, 0, 1)))

    def _finding(
        self, what: Quantity, row: int, found: Estimate, effect: float = np.nan
    ) -> Finding:
        group, compared = self.real.groups[row], what.contrast != self.own.contrast
        value, low, high = found.ends(row)
        if self.own.scale == "share" and not compared:
            low, high = score_ends(value, (high - low) / 2, self.real.n.get(group, 0))
        errors, placebos = self.result.rest_error, self.known[VS_REST]
        if what.contrast != VS_REST and self.result.reference_error is not None:
            errors, placebos = self.result.reference_error, self.known[_ONE]
        measured = Measured(
            value, low, high, n=self.real.n.get(group, 0), unit_count=len(self.real.kinds),
            p=found.p[row], effect=effect, chance=found.chance[row] if compared else None,
            placebo=placebos.against(value, float(errors[row]), self.tests) if compared else None,
            reason="this is the reference group",
            freedom=found.freedom_of(row) if compared else None,
        )  # fmt: skip
        return self.file(what, self.subjects[group], measured)


def _summed(controls: Sequence[Worded]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for worded in controls:
        for outcomes in worded.outcomes.values():
            for name, count in outcomes.items():
                counts[name] = counts.get(name, 0) + count
    return counts
