"""Findings about the scorers: how far people agree with them, and for which group less."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import moved_chance
from slant.stats.cohen_kappa import cohen_kappa
from slant.stats.group_agreement import group_agreement
from slant.studies.filing import Filing, Measured, Quantity, Subject, adjusted, known
from slant.studies.signature import content_hash, signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from slant.annotations.automatic import Scorer
    from slant.annotations.effect import Effect
    from slant.annotations.ledger import Ledger
    from slant.records import Finding
    from slant.stats.group_agreement import AgreementMetric, GroupAgreement
    from slant.studies.study import Study

KAPPA = "scorer_kappa"
EVERYONE = "everyone"
NOBODY = "no group named"

_RESAMPLES = 10_000
_METRICS: dict[AgreementMetric, Quantity] = {
    "kappa": Quantity(KAPPA, "mean", "agreement", "higher_is_better", 1.0),
    "error_rate": Quantity("scorer_error_rate", "rate", "rate", "lower_is_better", 0.0, "share"),
    "false_alarms": Quantity(
        "scorer_false_alarms", "rate", "rate", "lower_is_better", 0.0, "share"
    ),
    "misses": Quantity("scorer_misses", "rate", "rate", "lower_is_better", 0.0, "share"),
}


@dataclass(frozen=True)
class _Table:
    """What was judged of one scorer on one axis."""

    groups: list[str]
    judged: NDArray[np.int64]
    sizes: NDArray[np.int64]


def agreement_findings(studies: Sequence[Study], effect: Effect, ledger: Ledger) -> list[Finding]:
    """Compare each scorer with blind labels on answers drawn at random, group by group.

    Gives, for every scorer that was judged in this way and every group: kappa, the rate of
    errors, false alarms and misses, and how each differs from the median of the other groups,
    with p and q (Benjamini-Hochberg over the groups).

    Parameters
    ----------
    studies
        Those that asked one model.
    effect, ledger
        What annotations come to, and all of them.
    """
    by_label = {study.label: study for study in studies}
    model = studies[0].circumstances.model
    found: list[Finding] = []
    for scorer, sizes in effect.sizes.items():
        if scorer.model != model or scorer.study not in by_label:
            continue
        for axis in sizes["axis"].unique(maintain_order=True):
            table = _table(scorer, sizes.filter(axis=axis), effect, axis)
            if table.judged.any():
                study = by_label[scorer.study]
                found += _findings(study, scorer, axis, table, _hash(scorer, ledger))
    # One metric after the other, as a reader wants them.
    names = [what.metric for what in _METRICS.values()]
    return sorted(found, key=lambda finding: names.index(finding.metric))


def _table(scorer: Scorer, sizes: pl.DataFrame, effect: Effect, axis: str) -> _Table:
    groups = sizes["group"].unique(maintain_order=True).to_list()
    there = np.zeros((len(groups), 2), dtype=np.int64)
    for row in sizes.iter_rows(named=True):
        there[groups.index(row["group"]), int(row["automatic"])] = row["size"]
    judged = np.zeros((len(groups), 2, 2), dtype=np.int64)
    about = (scorer.model, scorer.study, scorer.measure)
    for key, agreed in effect.blind.items():
        if (key[0], key[1], key[3]) == about and agreed.label is not None:
            own, group = effect.groups[key]
            if own == axis:
                judged[groups.index(group), int(effect.scores[key]), agreed.label] += 1
    return _Table([group or NOBODY for group in groups], judged, there)


def _hash(scorer: Scorer, ledger: Ledger) -> str:
    about = (scorer.model, scorer.study, scorer.measure)
    return content_hash(
        [line.id for line in ledger.lines if (line.model, line.study, line.measure) == about]
    )


def _findings(study: Study, scorer: Scorer, axis: str, table: _Table, labels: str) -> list[Finding]:
    seed = [study.circumstances.seed, *f"{scorer.study} {scorer.measure} {axis}".encode()]
    rng = np.random.default_rng(seed)
    agreement = group_agreement(table.judged, table.sizes, resamples=_RESAMPLES, rng=rng)
    signatures = [each.signature for each in study.measures() if each.name == scorer.measure]
    signed = signature(
        "annotation",
        study.circumstances,
        of=study.label,
        axis=axis,
        scorer=signatures[0] if signatures else "outcome",
        labels=labels,
        ci=f"jeffreys({_RESAMPLES})",
    )
    section = _Section(Filing("annotation", scorer.model, signed), scorer, axis, table)
    found = []
    for metric, estimates in agreement.items():
        found += _own_figures(section, metric, estimates, rng)
        found += _comparisons(section, metric, estimates)
    return found


@dataclass(frozen=True)
class _Section:
    file: Filing
    scorer: Scorer
    axis: str
    table: _Table

    def finding(
        self, what: Quantity, metric: AgreementMetric, place: int, found: Measured
    ) -> Finding:
        """File what was found of a group, or of everyone."""
        groups = [*self.table.groups, EVERYONE]
        judged = self.table.judged[place] if place < len(self.table.groups) else self.table.judged
        condition = f"{self.scorer.study}, {self.scorer.measure}"
        n = int(_rested_on(judged, metric))
        chance = None if known(found.value) is None else found.chance
        measured = replace(found, n=n, unit_count=n, chance=chance)
        what = replace(what, measure=self.scorer.measure, unit="judged answers")
        return self.file(what, Subject(self.axis, groups[place], {}, condition), measured)


def _own_figures(
    section: _Section, metric: AgreementMetric, found: GroupAgreement, rng: np.random.Generator
) -> list[Finding]:
    table = section.table
    findings = []
    for place in range(len(table.groups) + 1):
        last = place == len(table.groups)
        judged, sizes = (
            (each.sum(axis=0) if last else each[place]) for each in (table.judged, table.sizes)
        )
        chance = None
        if metric == "kappa" and not last:
            chance = cohen_kappa(judged, sizes, resamples=_RESAMPLES, rng=rng).chance
        elif not last:
            # Where the group would stand if it were like the others, give or take chance.
            others = float(found.value[place] - found.difference[place])
            apart = found.chance[place]
            chance = None if apart is None else moved_chance(apart, others, 0.0, 1.0)
        measured = Measured(
            found.value[place], found.low[place], found.high[place], chance=chance,
            reason=_reason(metric, judged, sizes, together=last),
        )  # fmt: skip
        findings.append(section.finding(_METRICS[metric], metric, place, measured))
    return findings


def _comparisons(
    section: _Section, metric: AgreementMetric, found: GroupAgreement
) -> list[Finding]:
    table, what = section.table, _METRICS[metric].against()
    differences = [
        section.finding(
            what,
            metric,
            place,
            Measured(
                found.difference[place], found.difference_low[place],
                found.difference_high[place], p=found.p[place], chance=found.chance[place],
                reason=_reason(metric, table.judged[place], table.sizes[place])
                or "of no other group is this known",
            ),
        )
        for place in range(len(table.groups))
    ]  # fmt: skip
    about = f"{section.scorer.study} {section.scorer.measure} {section.axis}"
    return adjusted(differences, f"{what.metric} {about}")


def _rested_on(judged: NDArray[np.int64], metric: AgreementMetric) -> int:
    """Count the judged answers behind a figure."""
    scores = {"false_alarms": [1], "misses": [0]}.get(metric, [0, 1])
    return int(judged[..., scores, :].sum())


def _reason(
    metric: AgreementMetric, judged: NDArray[np.int64], sizes: NDArray[np.int64], *,
    together: bool = False,
) -> str | None:  # fmt: skip
    """Say why a figure is not known, if it is not."""
    needed = {"false_alarms": [1], "misses": [0]}.get(metric, [0, 1])
    for score in needed:
        if sizes[score] and not judged[score].any():
            return f"none of the {sizes[score]:,} answers that are scored {score} has been judged"
    for score in needed:
        if not sizes[score] and (metric == "kappa" or len(needed) == 1):
            return f"no answer is scored {score}"
    if metric == "kappa" and not judged.sum(axis=0).all():
        only = 0 if judged[:, 0].any() else 1
        return f"people ruled {only} on every answer judged: kappa has no value"
    if together:
        return "of some group and score nothing has been judged"
    return None
