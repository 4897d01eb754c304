"""From a judge's verdicts to findings: corrected for its errors by group, or not told at all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from slant.measures.measure import REFUSAL
from slant.measures.spans import EMPTY_TEXT
from slant.studies.judge_words import judge_notes, verdict_table
from slant.studies.judged_cells import Cells, is_pooled
from slant.studies.judged_parts import judged_parts
from slant.studies.study import Analysis
from slant.studies.text_study import MeasuredStudy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.measures.judge import Judge
    from slant.records import Finding
    from slant.studies.study import Study

Rulings: TypeAlias = "Mapping[tuple[str, str, int, str], tuple[str, int]]"
"""What people ruled, blind and on answers drawn at random: by model, study, position and measure,
the item's id and 1 or 0."""


def with_corrected_judges(
    study: Study,
    analysis: Analysis,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    rulings: Rulings,
) -> Analysis:
    """Replace what judges' bare verdicts would say by what follows once their errors are known.

    Parameters
    ----------
    study, answers, scores
        As the analysis was made of them.
    analysis
        With rates of verdicts.
    rulings
        Of people; of other studies, too.

    Returns
    -------
    Analysis
        Rates of a judge and their differences are corrected (`slant.stats.judged_rates`); those of
        groups where nobody has ruled have no value, and say how to change that.
    """
    for judge in study.judges:
        if isinstance(study, MeasuredStudy) and study.judged is not None:
            found = judged_parts(study, judge, study.judged, scores, _labels(study, judge, rulings))
            analysis = Analysis.together(analysis, found)
        else:
            analysis = _corrected(study, judge, analysis, answers, scores, rulings)
    return analysis


def _corrected(
    study: Study,
    judge: Judge,
    analysis: Analysis,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    rulings: Rulings,
) -> Analysis:
    mine = [f for f in analysis.findings if f.measure == judge.name and not f.restates]
    others = [f for f in analysis.findings if f.measure != judge.name]
    ruled = _ruled(study, judge, answers, scores, rulings)
    findings: list[Finding] = []
    tables: dict[str, pl.DataFrame] = {}
    axes = list(dict.fromkeys(f.axis for f in mine))
    for axis in axes:
        own = [f for f in mine if f.axis == axis]
        rates = [f for f in own if f.contrast == "rate" and is_pooled(f)]
        seed = [study.circumstances.seed, *judge.name.encode()]
        cells = Cells.of(rates, ruled.filter(pl.col("axis") == axis), seed)
        findings += cells.findings(own)
        tables[f"{judge.name}_corrected" + (f"_{axis}" if len(axes) > 1 else "")] = cells.table()
    if not ruled.is_empty():
        tables[f"{judge.name}_verdicts"] = verdict_table(ruled)
    told = {f.metric for f in findings if f.value is not None}
    figures = [
        each
        for each in analysis.figures
        if each.options.get("metric") != judge.metric or judge.metric in told
    ]
    notes = judge_notes(study, judge, findings, ruled)
    return replace(
        analysis,
        findings=[*others, *findings],
        tables={**analysis.tables, **tables},
        figures=figures,
        notes=[*notes, *analysis.notes],
    )


def _labels(study: Study, judge: Judge, rulings: Rulings) -> pl.DataFrame:
    """Give what people ruled on a judge's verdicts: `position`, `item`, `label`."""
    whose = study.circumstances.model, study.label, judge.name
    return pl.DataFrame(
        [
            (position, item, float(label))
            for (model, name, position, measure), (item, label) in rulings.items()
            if (model, name, measure) == whose
        ],
        schema={"position": pl.Int64, "item": pl.String, "label": pl.Float64},
        orient="row",
    )


def _ruled(
    study: Study, judge: Judge, answers: pl.LazyFrame, scores: pl.LazyFrame, rulings: Rulings
) -> pl.DataFrame:
    """Give the texts that were judged: `axis`, `group`, `value`, `reason`, `label` (0, 1, null)."""
    refused = scores.filter(pl.col("measure") == REFUSAL, pl.col("value") == 1)
    return (
        answers.filter(pl.col("outcome") == "answered")
        .select("position", "item", pl.col("axis", "group").fill_null(""))
        .join(refused.select("position"), on="position", how="anti")
        .join(
            scores.filter(
                pl.col("measure") == judge.name, pl.col("reason").ne_missing(EMPTY_TEXT)
            ).select("position", "value", "reason"),
            on="position",
        )
        .join(_labels(study, judge, rulings).lazy(), on=["position", "item"], how="left")
        .sort("position")
        .collect()
    )
