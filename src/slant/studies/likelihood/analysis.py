"""From answers to conclusions, step by step."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.filing import Measured, Subject, outcome_counts
from slant.studies.likelihood.affinity import (
    comparable,
    contrasts_of,
    log_probability,
    plain_contrasts,
)
from slant.studies.likelihood.agreement import template_agreement
from slant.studies.likelihood.cells import Side, cell_table
from slant.studies.likelihood.classification import classify
from slant.studies.likelihood.exclusions import exclusion_notes, leave_out
from slant.studies.likelihood.figures import figures_of
from slant.studies.likelihood.findings import (
    SETTING_APART,
    affinity_findings,
    few_sentences,
    paper_findings,
    placebo_findings,
    strength_findings,
    unknown_findings,
    worth_telling,
)
from slant.studies.likelihood.grid import lay_out
from slant.studies.likelihood.hangs_on import TABLE as LEFT_OUT
from slant.studies.likelihood.hangs_on import left_out_figures, left_out_table
from slant.studies.likelihood.known_stereotypes import published_tables
from slant.studies.likelihood.made_up_control import made_up_control, parted
from slant.studies.likelihood.nameless import analyse_nameless
from slant.studies.likelihood.notes import (
    NOT_TESTED,
    asked_notes,
    cell_notes,
    control_notes,
    paper_note,
)
from slant.studies.likelihood.pairs import pick_pairs
from slant.studies.likelihood.paper import by_chance, paper_scores
from slant.studies.likelihood.tables import group_table, name_table
from slant.studies.likelihood.views import AXES, views_of
from slant.studies.selection import SELECTED
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis

if TYPE_CHECKING:
    from slant.signature import Value
    from slant.stats.arrays import Floats
    from slant.stats.name_placebo import NamePlacebo
    from slant.studies.likelihood.affinity import Contrasts
    from slant.studies.likelihood.agreement import Agreement
    from slant.studies.likelihood.facts import Facts
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.views import View
    from slant.studies.study import Study


def analyse_grid(study: Study, answers: pl.LazyFrame, facts: Facts, resamples: int) -> Analysis:
    """Compare groups of names, descriptor by descriptor.

    Parameters
    ----------
    answers
        As `Study.analyse` is given them.
    resamples
        How often names are permuted among the groups.
    """
    answers, controls = parted(answers)
    whole, circumstances = lay_out(answers), study.circumstances
    kept = leave_out(whole)
    grid = kept.grid
    file = filing(study, **(facts.parameters or _own_parameters(whole)))
    notes = [*facts.notes, *asked_notes(whole), *exclusion_notes(kept)]
    tables = {"excluded": kept.excluded}
    views, left_out = views_of(grid.people)
    notes += left_out
    if kept.reason or not views:
        groups = whole.people["group"].unique(maintain_order=True).to_list()
        reason = kept.reason or "there is no other group of the same gender or ethnicity"
        return Analysis(unknown_findings(file, whole, groups, reason), tables, notes=notes)

    rng = np.random.default_rng([circumstances.seed, *study.label.encode()])
    paper = paper_scores(grid, published=circumstances.method == "paper")
    notes.append(paper_note(paper, by_chance(paper, rng)))
    if not grid.has_names:
        found = analyse_nameless(grid, views[0], file, whole, facts, paper, circumstances.method)
        return replace(found, tables={**tables, **found.tables}, notes=[*notes, NOT_TESTED])

    robust = circumstances.method == "robust"
    values, taken_out = log_probability(grid, adjusted=True), 0
    if robust and not grid.adjusted:
        values, taken_out = comparable(grid, values)
    control = made_up_control(controls, grid, resamples, rng)
    made_up = None if control is None else control.differ
    compared = [_compare(view, grid, values, resamples, rng, made_up) for view in views]
    cells = pl.concat(
        cell_table(grid, contrasts, side, paper, facts.sensitive) for contrasts, _, side in compared
    )
    chosen = pl.concat(
        worth_telling(own, len(views)) for own in cells.partition_by("view", maintain_order=True)
    )
    classified, lost = classify(
        grid, facts.labels, paper, values.mean(axis=2), rng, four_classes=facts.four_classes
    )
    tables |= {
        "cells": cells,
        "groups": pl.concat(group_table(contrasts, paper) for contrasts, _, _ in compared),
        "names": name_table(whole, grid),
        "template_agreement": pl.concat(agreement.table for _, agreement, _ in compared),
    }
    if classified is not None:
        tables["classification"] = classified
    if facts.four_classes:
        published, told = published_tables(grid, facts.labels)
        lost += told
        if published is not None:
            tables["known_stereotypes"] = published
    notes += [*lost, *cell_notes(cells, len(grid.templates))]
    how = _how(resamples, grid) | ({"covariates": taken_out} if taken_out else {})
    findings = [
        finding
        for contrasts, _, _ in compared
        for finding in strength_findings(file, whole, contrasts, how)
    ]
    if not robust:
        findings += paper_findings(file, whole, paper, grid)
    else:
        contrasts = [own for own, _, _ in compared]
        findings += affinity_findings(
            file, whole, chosen, contrasts, grid.descriptors, "hedges_g",
            {**how, "ci": f"{how['ci']},{SELECTED}"},
        )  # fmt: skip
        findings = [few_sentences(each, len(grid.templates)) for each in findings]
        notes += control_notes(control, len(grid.templates), grid.has_tokens)
    if control is not None:
        findings += placebo_findings(file, control.differ, control.whole, how)
        tables["made_up_names"] = control.table
    unjudged = set(whole.people["group"]) - set(grid.people["group"])
    reason = "fewer than two of its names have a perplexity for every sentence"
    findings += unknown_findings(file, whole, sorted(unjudged), reason)
    score = "APX" if grid.adjusted else facts.metric.replace("_", " ")
    quotes = [
        quote
        for view in views
        for quote in pick_pairs(grid, view, values.mean(axis=2), chosen, answers, score)
    ]
    figures = figures_of(views)
    if robust:
        tables[LEFT_OUT] = left_out_table(views, grid, values, chosen)
        figures += left_out_figures(views, grid, values, chosen)
    return Analysis(findings, tables, figures, quotes, notes)


def not_measured(study: Study) -> Analysis:
    """Say of a model that gives no likelihoods, where the suite does not insist on them."""
    nobody = Subject(AXES["intersectional"], "all groups", outcome_counts({}))
    nothing = Measured(reason=f"{study.circumstances.model} gives no likelihoods")
    return Analysis([filing(study)(SETTING_APART, nobody, nothing)])


def _compare(
    view: View,
    grid: Grid,
    values: Floats,
    resamples: int,
    rng: np.random.Generator,
    made_up: NamePlacebo | None,
) -> tuple[Contrasts, Agreement, Side]:
    """Contrast the groups of a view, and see what the templates and plain perplexity say."""
    contrasts = contrasts_of(view, values.mean(axis=2), resamples, rng, made_up)
    agreement = template_agreement(view, grid.templates, values, contrasts.cells["value"])
    if grid.adjusted:
        return contrasts, agreement, Side(agreement.share, None, None)
    plain = log_probability(grid, adjusted=False).mean(axis=2)
    return (
        contrasts,
        agreement,
        Side(agreement.share, *plain_contrasts(view, plain, resamples, rng)),
    )


def _own_parameters(grid: Grid) -> dict[str, object]:
    """Sign a file by what it holds."""
    return {
        "likelihood": "apx" if grid.adjusted else "perplexity",
        "names": content_hash(grid.people.select("name", "group").rows()),
        "descriptors": content_hash(grid.descriptors),
        "templates": content_hash(grid.templates),
        "values": hashlib.sha256(grid.log_perplexity.tobytes()).hexdigest()[:8],
    }


def _how(resamples: int, grid: Grid) -> dict[str, Value]:
    return {
        "value": "apx" if grid.adjusted else "-log(ppl)-median(name)",
        "ci": "bootstrap(names)",
        "null": f"permutation({resamples},names)",
    }
