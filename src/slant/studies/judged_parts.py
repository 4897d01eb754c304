"""A judge's verdicts on texts of a study's own, corrected: sentences, statements, profiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from slant.measures.measure import REFUSAL
from slant.measures.spans import EMPTY_TEXT
from slant.records import VS_REST, versus
from slant.stats.clustered_share import clustered_share
from slant.studies.compared_texts import forests
from slant.studies.filing import Measured, Subject, added_quantity, adjusted, outcome_counts
from slant.studies.judge_words import judge_notes, verdict_table
from slant.studies.judged_cells import Cells
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.measures.judge import Judge
    from slant.records import Finding
    from slant.studies.filing import Filing, Quantity
    from slant.studies.text_study import JudgedBy, MeasuredStudy


def judged_parts(
    study: MeasuredStudy, judge: Judge, by: JudgedBy, scores: pl.LazyFrame, labels: pl.DataFrame
) -> Analysis:
    """Compare groups, or conditions of each group, by a judge's verdicts on texts of its own.

    Parameters
    ----------
    study, judge
        Whose texts; who has ruled on them.
    by
        What is compared with what.
    scores
        Of the study's answers: texts that are the whole of a refusal are left out.
    labels
        What people ruled: `position` and `item` of a text, `label`.
    """
    refused = scores.filter(pl.col("measure") == REFUSAL, pl.col("value") == 1)
    ruled = (
        judge.texts.filter(pl.col("reason").ne_missing(EMPTY_TEXT))
        .join(refused.select(answer="position").collect(), on="answer", how="anti")
        .join(labels, on=["position", "item"], how="left", maintain_order="left")
        .with_columns(whom=_whom())
    )
    file = filing(study, measure=judge.signature, texts=content_hash(ruled["item"].to_list()))
    parts = {
        str(axis): _told(study, judge, by, file, texts)
        for (axis,), texts in ruled.group_by("axis", maintain_order=True)
    }
    every = [finding for part in parts.values() for finding in part.findings]
    findings = [
        finding
        for contrast in dict.fromkeys(f.contrast for f in every)
        for finding in adjusted(
            [f for f in every if f.contrast == contrast], f"{judge.metric} {contrast}"
        )
    ]
    tables = {
        f"{judge.name}_corrected" + (f"_{axis}" if len(parts) > 1 else ""): part.table
        for axis, part in parts.items()
    }
    told = ruled.select("value", "reason", "label", group="whom")
    if told.height:
        tables[f"{judge.name}_verdicts"] = verdict_table(told)
    what = f"{judge.called[:1].upper()}{judge.called[1:]}, corrected for the judge's errors"
    contrast = versus(by.against) if by.against else VS_REST
    against = by.against or "the median of the other groups"
    figures = forests(judge.metric, {contrast: f"{what}: the difference from {against}"}, findings)
    notes = judge_notes(
        study, judge, [each for part in parts.values() for each in part.rates], told
    )
    return Analysis(findings, tables, figures, notes=notes)


def _whom() -> pl.Expr:
    """Name the texts whose errors are known together: of a group, or of one condition of it."""
    of_condition = pl.format("{} ({})", "group", "condition")
    return pl.when(pl.col("condition") == "").then("group").otherwise(of_condition)


@dataclass(frozen=True)
class _Told:
    """What follows on one axis: findings, rates named as the texts are, and the judge's errors."""

    findings: Sequence[Finding]
    rates: Sequence[Finding]
    table: pl.DataFrame


def _told(
    study: MeasuredStudy, judge: Judge, by: JudgedBy, file: Filing, texts: pl.DataFrame
) -> _Told:
    """Correct the verdicts on the texts of one axis."""
    rate = added_quantity(judge, by.unit)
    seed = [study.circumstances.seed, *judge.name.encode()]
    kept = texts.select("position", "value", "label", group="whom")
    about = texts.select("whom", "group", "condition").unique(maintain_order=True)
    base = dict(about.filter(condition=by.against).select("group", "whom").iter_rows())
    findings: list[Finding] = []
    rates: list[Finding] = []
    tables: list[pl.DataFrame] = []
    # Conditions are compared within a group, groups with each other.
    together = about.partition_by("group", maintain_order=True) if by.against else [about]
    for part in together:
        own = [_rate(file, rate, texts.filter(whom=whom)) for whom in part["whom"]]
        cells = Cells.of(own, kept, seed)
        where = {whom: (group, condition) for whom, group, condition in part.iter_rows()}
        contrast = versus(base.get(part["group"][0], "")) if by.against else VS_REST
        shown = versus(by.against) if by.against else VS_REST
        what = rate.against(contrast, effect_name="cohen_h")
        others = [f for f in own if contrast != versus(f.group)]
        compared = [_compared(file, what, f) for f in others]
        for f in cells.findings([*own, *compared]):
            group, condition = where[f.group]
            if f.contrast == "rate":
                rates.append(f)
            findings.append(
                replace(
                    f, group=group, condition=condition,
                    contrast=shown if f.contrast == contrast else f.contrast,
                )
            )  # fmt: skip
        tables.append(cells.table())
    return _Told(findings, rates, pl.concat(tables))


def _rate(file: Filing, what: Quantity, texts: pl.DataFrame) -> Finding:
    """Give the share that a judge says yes to, whatever it is worth."""
    known = texts.drop_nulls("value")
    value, low, high = clustered_share(known["value"], known["unit"])
    counts = outcome_counts({"answered": texts.height})
    whom = Subject(texts["axis"][0], texts["whom"][0], counts)
    reason = "nothing could be judged"
    found = Measured(value, low, high, known.height, known["unit"].n_unique(), reason=reason)
    return file(what, whom, found)


def _compared(file: Filing, what: Quantity, rate: Finding) -> Finding:
    """Make room for the difference of a rate from what it is compared with."""
    whom = Subject(rate.axis, rate.group, rate.outcomes)
    found = Measured(rate.value, n=rate.n, unit_count=rate.unit_count, reason=rate.reason)
    return file(what, whom, found)
