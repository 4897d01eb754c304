"""The analysis of any study that measures texts by a number: how warm, how long, how positive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.studies.compared_texts import ComparedTexts
from slant.studies.rate_analysis import OUTCOMES
from slant.studies.study import Analysis

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from slant.measures.measure import Measure
    from slant.studies.study import Study


def analyse_means(
    study: Study,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    *,
    measures: Sequence[Measure],
    reference: str | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Analysis:
    """Compare the groups' texts by numbers, on average, and how often they are refused.

    Parameters
    ----------
    answers, scores
        As `Study.analyse` is given them; items of one prompt share their `condition`.
    measures
        What gives each text a number, the most important first; those that the suite adds follow.
        With the measure `refusal` beside them, texts that read as refusals are counted as such.
    reference
        Compare every group with this one too, if it is among them.
    parameters
        What else the numbers depend on, for the signature.
    """
    every = (*measures, *study.added)
    texts = ComparedTexts(study, answers, scores, every, reference, parameters)
    findings = [finding for each in every for finding in texts.findings(each)]
    findings += texts.refusals()
    figures = [figure for each in every for figure in texts.figures(each, findings)]
    tables = {"outcomes": texts.outcomes, **texts.means()}
    return Analysis(
        findings, tables, [*figures, OUTCOMES], texts.quotes(), texts.notes(findings)
    )  # fmt: skip
