"""Matrices without names: what can be said when there is one figure a group and sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.outlying_cells import outlying_cells
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

    How far a cell stands out from the other groups' cells of its descriptor is described by
    `outlying_cells`, and not tested: a p would have to assume that noise is normal, and where it
    has heavier tails every table had false cells. Fewer than three groups are not described.

    Parameters
    ----------
    grid
        Without gaps; one row a group.
    file, whole
        What the findings are filed under, and the grid before anything was left out.
    paper
        Scores of the groups.
    method
        `paper` gives findings for what the paper's rule flags, `robust` for each group's cells
        that stand out most.
    """
    values = log_probability(grid, adjusted=True)
    value = by_template(view, values.mean(axis=2, keepdims=True))[..., 0]
    unknown = np.full(value.shape, np.nan)
    t = _standing_out(view, values.mean(axis=2))
    cells = dict.fromkeys((*COLUMNS, "q"), unknown)
    cells |= {"value": value, "effect": t}
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
            {},
        )
    )
    tables = {"cells": table, "template_agreement": agreement.table}
    return Analysis(findings, tables, cell_figures(view))


def _standing_out(view: View, values: Floats) -> Floats:
    """Give the t of every cell, shape (groups, descriptors); NaN for too few groups."""
    found = []
    for family in view.families:
        own = np.array(
            [
                values[family.rows[family.labels == label]].mean(axis=0)
                for label in range(len(family.groups))
            ]
        )
        few = len(own) < _FEWEST_GROUPS
        found.append(np.full(own.shape, np.nan) if few else outlying_cells(own).t)
    return np.concatenate(found)
