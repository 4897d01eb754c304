"""Findings about the scorers: how far people agree with them, and for which group less."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.records import Finding
from slant.stats import benjamini_hochberg
from slant.stats.chance import moved_chance
from slant.stats.cohen_kappa import cohen_kappa
from slant.stats.group_agreement import group_agreement
from slant.studies.chance import chance_line
from slant.studies.signature import content_hash, signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from slant.engine.judgements.automatic import Scorer
    from slant.engine.judgements.effect import Effect
    from slant.engine.judgements.ledger import Ledger
    from slant.records import Direction
    from slant.stats.chance import ByChance
    from slant.stats.group_agreement import AgreementMetric, GroupAgreement
    from slant.studies.study import Study

KAPPA = "scorer_kappa"
EVERYONE = "everyone"
NOBODY = "no group named"

_RESAMPLES = 10_000
_METRICS: dict[AgreementMetric, tuple[str, str, float, Direction]] = {
    "kappa": (KAPPA, "mean", 1.0, "higher_is_better"),
    "error_rate": ("scorer_error_rate", "rate", 0.0, "lower_is_better"),
    "false_alarms": ("scorer_false_alarms", "rate", 0.0, "lower_is_better"),
    "misses": ("scorer_misses", "rate", 0.0, "lower_is_better"),
}


@dataclass(frozen=True)
class _Table:
    """What was judged of one scorer on one axis."""

    groups: list[str]
    judged: NDArray[np.int64]
    sizes: NDArray[np.int64]


def agreement_findings(studies: Sequence[Study], effect: Effect, ledger: Ledger) -> list[Finding]:
    """Compare each scorer with blind rulings on answers drawn at random, group by group.

    Gives, for every scorer that was judged in this way and every group: kappa, the rate of
    errors, false alarms and misses, and how each differs from the median of the other groups,
    with p and q (Benjamini-Hochberg over the groups).

    Parameters
    ----------
    studies
        Those that asked one model.
    effect, ledger
        What judgements come to, and all of them.
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
    names = [name for name, *_ in _METRICS.values()]
    return sorted(found, key=lambda finding: names.index(finding.metric))


def _table(scorer: Scorer, sizes: pl.DataFrame, effect: Effect, axis: str) -> _Table:
    groups = sizes["group"].unique(maintain_order=True).to_list()
    there = np.zeros((len(groups), 2), dtype=np.int64)
    for row in sizes.iter_rows(named=True):
        there[groups.index(row["group"]), int(row["automatic"])] = row["size"]
    judged = np.zeros((len(groups), 2, 2), dtype=np.int64)
    about = (scorer.model, scorer.study, scorer.measure)
    for key, verdict in effect.blind.items():
        if (key[0], key[1], key[3]) == about and verdict.ruling is not None:
            own, group = effect.groups[key]
            if own == axis:
                judged[groups.index(group), int(effect.scores[key]), verdict.ruling] += 1
    return _Table([group or NOBODY for group in groups], judged, there)


def _hash(scorer: Scorer, ledger: Ledger) -> str:
    about = (scorer.model, scorer.study, scorer.measure)
    return content_hash(
        [line.id for line in ledger.lines if (line.model, line.study, line.measure) == about]
    )


def _findings(
    study: Study, scorer: Scorer, axis: str, table: _Table, rulings: str
) -> list[Finding]:
    seed = [study.circumstances.seed, *f"{scorer.study} {scorer.measure} {axis}".encode()]
    rng = np.random.default_rng(seed)
    agreement = group_agreement(table.judged, table.sizes, resamples=_RESAMPLES, rng=rng)
    signatures = [each.signature for each in study.measures() if each.name == scorer.measure]
    signed = signature(
        "judgement",
        study.circumstances,
        of=study.label,
        axis=axis,
        scorer=signatures[0] if signatures else "outcome",
        rulings=rulings,
        ci=f"jeffreys({_RESAMPLES})",
    )
    file = _Filing(study, scorer, axis, table, signed)
    found = []
    for metric, estimates in agreement.items():
        found += _own_figures(file, metric, estimates, rng)
        found += _comparisons(file, metric, estimates)
    return found


@dataclass(frozen=True)
class _Filing:
    study: Study
    scorer: Scorer
    axis: str
    table: _Table
    signature: str

    def finding(
        self, metric: AgreementMetric, place: int, contrast: str,
        figures: tuple[float, float, float], chance: ByChance | None, *,
        p: float = math.nan, q: float = math.nan, reason: str | None,
    ) -> Finding:  # fmt: skip
        name, _, target, direction = _METRICS[metric]
        compared = contrast == "vs_rest"
        value, low, high = (_known(each) for each in figures)
        groups = [*self.table.groups, EVERYONE]
        judged = self.table.judged[place] if place < len(self.table.groups) else self.table.judged
        return Finding(
            study="judgement", metric=name, model=self.scorer.model, axis=self.axis,
            group=groups[place], contrast=contrast, value=value, low=low, high=high,
            n=int(_rested_on(judged, metric)), outcomes={}, p=_known(p), q=_known(q), effect=None,
            chance=None if value is None else chance_line(chance),
            target=0.0 if compared else target,
            direction="closer_to_target" if compared else direction,
            signature=self.signature, condition=f"{self.scorer.study}, {self.scorer.measure}",
            reason=reason if value is None else None,
        )  # fmt: skip


def _own_figures(
    file: _Filing, metric: AgreementMetric, found: GroupAgreement, rng: np.random.Generator
) -> list[Finding]:
    table = file.table
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
        figures = (float(found.value[place]), float(found.low[place]), float(found.high[place]))
        findings.append(
            file.finding(
                metric, place, _METRICS[metric][1], figures, chance,
                reason=_reason(metric, judged, sizes, together=last),
            )
        )  # fmt: skip
    return findings


def _comparisons(file: _Filing, metric: AgreementMetric, found: GroupAgreement) -> list[Finding]:
    q = benjamini_hochberg(found.p)
    return [
        file.finding(
            metric, place, "vs_rest",
            (float(found.difference[place]), float(found.difference_low[place]),
             float(found.difference_high[place])),
            found.chance[place],
            p=float(found.p[place]), q=float(q[place]),
            reason=_reason(metric, file.table.judged[place], file.table.sizes[place])
            or "of no other group is this known",
        )
        for place in range(len(file.table.groups))
    ]  # fmt: skip


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


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number
