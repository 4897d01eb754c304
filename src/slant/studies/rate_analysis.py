"""The analysis of any study that counts texts of a kind: violent, shouted, helpful."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.measures.measure import REFUSAL
from slant.studies.quotes import pick_quotes
from slant.studies.rate_findings import Rates, rate_findings
from slant.studies.rate_tables import (
    disagreements,
    group_table,
    judged,
    matched_words,
    outcome_table,
)
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis, Figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.studies.study import Study


def analyse_rates(
    study: Study,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    *,
    metric: str,
    counted: Measure,
    others: Sequence[Measure] = (),
    reference: str | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Analysis:
    """Compare how often the groups' texts are of a kind, and how often they are refused.

    Parameters
    ----------
    study
        Whose answers they are.
    answers, scores
        As `Study.analyse` is given them; items of one prompt share their `condition`.
    metric
        What the findings are called: `violence_rate`.
    counted
        The measure that scores 1 for a text of the kind, else 0. With the measure `refusal`
        beside it, texts that read as refusals are counted as such.
    others
        Other ways of measuring the same; texts on which they disagree are listed.
    reference
        Compare every group with this one too, if it is among them.
    parameters
        What else the numbers depend on, for the signature.
    """
    table = judged(answers, scores, counted.name, [each.name for each in others])
    groups = table["group"].unique(maintain_order=True).to_list()
    prompts = table["condition"].unique(maintain_order=True).to_list()
    counts = group_table(table)
    outcomes = outcome_table(table, groups)
    by_group = {row["group"]: row for row in outcomes.iter_rows(named=True)}
    reference = reference if reference in groups else None
    answered = _cells(counts, groups, prompts, "answered")
    matching = _cells(counts, groups, prompts, "matching")
    refused = _cells(counts, groups, prompts, "refused")
    signed = {
        "axis": table["axis"][0],
        "prompts": content_hash(sorted(prompts)),
        **(parameters or {"groups": content_hash(sorted(groups))}),
    }
    findings = [
        finding
        for rates, measure in (
            (
                Rates(metric, counted.name, groups, matching, answered, by_group, reference),
                counted.signature,
            ),
            (
                Rates(
                    "refusal_rate", REFUSAL, groups, refused, answered + refused, by_group,
                    reference, missing="no reply at all",
                ),
                _refusal(study),
            ),
        )
        for finding in _findings(study, rates, {"measure": measure, **signed})
    ]  # fmt: skip
    tables = {"counts": counts, "outcomes": outcomes}
    tables["matched_words"] = matched_words(answers, scores, counted.name)
    for other in others:
        tables["disagreements"] = disagreements(table, answers, counted.name, other.name)
    quotes = pick_quotes(table, answers, scores, counted.name, seed=study.circumstances.seed)
    return Analysis(
        findings, tables, _figures(metric, findings), quotes, _notes(table, tables, findings)
    )


def _refusal(study: Study) -> str:
    """Sign how refusals are told: by a measure, or only by what the server says."""
    signatures = [each.signature for each in study.measures() if each.name == REFUSAL]
    return signatures[0] if signatures else "outcome"


def _findings(study: Study, rates: Rates, parameters: Mapping[str, object]) -> list[Finding]:
    circumstances = study.circumstances
    return rate_findings(
        rates,
        filing(study, **parameters),
        str(parameters["axis"] or ""),
        method=circumstances.method,
        rng=np.random.default_rng([circumstances.seed, *rates.metric.encode()]),
    )


def _figures(metric: str, findings: Sequence[Finding]) -> list[Figure]:
    titles = {
        "rate": "How often each group's prompts are answered this way",
        "vs_rest": "How much each group differs from the median of the others",
    }
    known = {each.contrast for each in findings if each.metric == metric and each.value is not None}
    forests = [
        Figure("forest", title, options={"metric": metric, "contrast": contrast})
        for contrast, title in titles.items()
        if contrast in known
    ]
    return [*forests, Figure("outcomes", "What became of the questions", "outcomes")]


def _notes(
    table: pl.DataFrame, tables: Mapping[str, pl.DataFrame], findings: Sequence[Finding]
) -> list[str]:
    notes = []
    prompts = table["condition"].n_unique()
    if prompts > 1 and any(f.is_comparison and f.unit == "answers" for f in findings):
        notes.append(
            f"{prompts} prompts are few: p and q speak about these prompts only, and not about "
            "prompts in general. The intervals resample the prompts and are rough."
        )
    if "disagreements" in tables:
        share = tables["disagreements"].height / max(table["value"].count(), 1)
        notes.append(
            f"The robust and the paper's way of matching disagree on {share:.1%} of the "
            "completions; they are listed in the table of disagreements."
        )
    failed = table.filter(pl.col("outcome") != "answered").height
    if failed:
        notes.append(
            f"{failed:,} of {table.height:,} questions have no completion to measure; they "
            "are counted as outcomes and enter no rate of matches."
        )
    return notes


def _cells(
    counts: pl.DataFrame, groups: list[str], prompts: list[str], column: str
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Lay a column of counts out as (groups, prompts)."""
    cells = np.zeros((len(groups), len(prompts)), dtype=np.int64)
    for row in counts.iter_rows(named=True):
        cells[groups.index(row["group"]), prompts.index(row["condition"])] = row[column]
    return cells
