"""The analysis of any study that counts texts of a kind: violent, shouted, helpful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.studies.compared_texts import ComparedTexts, forests
from slant.studies.study import Analysis, Figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from slant.measures.measure import Measure
    from slant.studies.study import Study

_TITLES = {
    "rate": "How often each group's prompts are answered this way",
    "vs_rest": "How much each group differs from the median of the others",
}
OUTCOMES = Figure("outcomes", "What became of the questions", "outcomes")


def analyse_rates(
    study: Study,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    *,
    counted: Measure,
    metric: str = "",
    others: Sequence[Measure] = (),
    added: Sequence[Measure] | None = None,
    reference: str | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Analysis:
    """Compare how often the groups' texts are of a kind, and how often they are refused.

    Parameters
    ----------
    answers, scores
        As `Study.analyse` is given them; items of one prompt share their `condition`.
    counted
        The measure that scores 1 for a text of the kind, else 0. With the measure `refusal`
        beside it, texts that read as refusals are counted as such.
    metric
        What the findings are called; what the measure calls them when empty.
    others
        Other ways of measuring the same; texts on which they disagree are listed.
    added
        What the texts are compared by besides; when left out, what the suite adds.
    reference
        Compare every group with this one too, if it is among them.
    parameters
        What else the numbers depend on, for the signature.
    """
    added = study.added if added is None else added
    texts = ComparedTexts(
        study, answers, scores, (counted, *added), reference, parameters, others
    )  # fmt: skip
    more = [finding for each in added for finding in texts.findings(each)]
    findings = [*texts.findings(counted, metric), *texts.refusals(), *more]
    tables, notes = texts.evidence(), texts.notes(findings)
    if others:
        share = tables["disagreements"].height / max(texts.table["value"].count(), 1)
        notes.append(
            f"The robust and the paper's way of matching disagree on {share:.1%} of the "
            "completions; they are listed in the table of disagreements."
        )
    figures = forests(metric or counted.metric, _TITLES, findings)
    figures += [figure for each in added for figure in texts.figures(each, findings)]
    return Analysis(findings, tables, [*figures, OUTCOMES], texts.quotes(), notes)
