"""Matrices without names: what can be said when there is one figure a group and sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.outlying_cells import outlying_cells
from slant.studies.filing import family_q
from slant.studies.likelihood.affinity import (
    COLUMNS,
    STRENGTHS,
    Contrasts,
    by_template,
    log_probability,
)
from slant.studies.likelihood.agreement import template_agreement
from slant.studies.likelihood.cells import Side, cell_table
from slant.studies.likelihood.figures import cell_figures
from slant.studies.likelihood.findings import affinity_findings, paper_findings, worth_telling
from slant.studies.study import Analysis

if TYPE_CHECKING:
    from slant.stats.arrays import Floats
    from slant.studies.filing import Filing
    from slant.studies.likelihood.facts import Facts
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.paper import PaperScores
    from slant.studies.likelihood.views import View
    from slant.studies.study import Method

_FEWEST_GROUPS = 3


def analyse_nameless(
    grid: Grid,
    view: View,
    file: Filing,
    whole: Grid,
    facts: Facts,
    paper: PaperScores,
    method: Method,
) -> Analysis:
    """Compare the cells of a matrix; without names nothing can be permuted or resampled.

    A cell is tested against the other groups' cells of its descriptor, by `outlying_cells`: that
    takes them for draws from one normal distribution, which `grid_contrasts` need not. Where
    fewer than three groups are compared, cells are described and not tested.

    Parameters
    ----------
    grid
        Without gaps; one row a group.
    view
        Who is compared.
    file, whole
        What the findings are filed under, and the grid before anything was left out.
    facts
        About the words.
    paper
        Scores of the groups.
    method
        `paper` gives findings for what the paper's rule flags, `robust` for the
        cells that stand out, and each group's strongest.
    """
    values = log_probability(grid, adjusted=True)
    value = by_template(view, values.mean(axis=2, keepdims=True))[..., 0]
    unknown = np.full(value.shape, np.nan)
    p, t = _tests(view, values.mean(axis=2))
    cells = dict.fromkeys(COLUMNS, unknown)
    cells |= {"value": value, "p": p, "q": family_q(p), "effect": t}
    strength = dict.fromkeys((*STRENGTHS, "q"), unknown[:, 0])
    layers = np.full(len(value), len(grid.templates))
    nothing = [None] * len(value)
    contrasts = Contrasts(view, cells, strength, layers, unknown, nothing, nothing)
    agreement = template_agreement(view, grid.templates, values, value)
    side = Side(agreement.share, None, None)
    table = cell_table(grid, contrasts, side, paper, facts.sensitive)
    findings = (
        paper_findings(file, whole, paper, grid)
        if method == "paper"
        else affinity_findings(
            file,
            whole,
            worth_telling(table, 1),
            [contrasts],
            grid.descriptors,
            "t",
            {"null": "t(groups)"},
        )
    )
    tables = {"cells": table, "template_agreement": agreement.table}
    return Analysis(findings, tables, cell_figures(view))


def _tests(view: View, values: Floats) -> tuple[Floats, Floats]:
    """Give p and t of every cell, shapes (groups, descriptors); NaN for too few groups."""
    p, t = [], []
    for family in view.families:
        own = np.array(
            [
                values[family.rows[family.labels == label]].mean(axis=0)
                for label in range(len(family.groups))
            ]
        )
        if len(own) < _FEWEST_GROUPS:
            p.append(np.full(own.shape, np.nan))
            t.append(np.full(own.shape, np.nan))
            continue
        found = outlying_cells(own)
        p.append(found.p)
        t.append(found.t)
    return np.concatenate(p), np.concatenate(t)
