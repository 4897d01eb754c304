"""Whom answers are more probable about: over wordings where groups have several, or by one word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.records import PLACEBO
from slant.studies.study import Analysis
from slant.studies.templates.findings import CONTRARY, YES_ANSWERS, group_findings, not_comparable
from slant.studies.templates.group_effects import group_effects, with_negation
from slant.studies.templates.tables import forests_of
from slant.studies.templates.worded_effects import analyse_worded_effects

if TYPE_CHECKING:
    import numpy as np

    from slant.studies.filing import Filing

_FIGURES = {CONTRARY: "p_contrary", YES_ANSWERS: "p_yes"}


def compare_groups(
    file: Filing, every: pl.DataFrame, seed: int, rng: np.random.Generator
) -> Analysis:
    """Compare the groups of all sets in how probable two answers are.

    Groups that have several wordings are compared over these and the templates, beside placebo
    groups; others over templates. Where there are both in one study, nothing is tested of the
    latter, for what holds after one word may be due to it.

    Parameters
    ----------
    every
        The answers, as `tidy` gives them, those about placebo groups among them.
    seed, rng
        Of the run.
    """
    worded = every.filter(pl.col("kind").is_not_null())
    plain = every.filter(pl.col("kind").is_null(), pl.col("part") != PLACEBO)
    of_words = not worded.is_empty()
    parts, notes = [], []
    for metric, figure in _FIGURES.items():
        asked = with_negation(worded) if metric == YES_ANSWERS else worded
        if not asked.is_empty():
            parts.append(analyse_worded_effects(file, metric, figure, asked, seed))
    effects = {
        metric: {
            str(axis): group_effects(rows, rng, figure)
            for (axis,), part in plain.group_by("axis", maintain_order=True)
            for rows in [with_negation(part) if metric == YES_ANSWERS else part]
            if not rows.is_empty()
        }
        for metric, figure in _FIGURES.items()
    }
    compared = [
        finding
        for metric, each in effects.items()
        for finding in group_findings(file, metric, each, plain, of_words=of_words)
    ]
    notes += not_comparable(effects[CONTRARY])
    if of_words and effects[CONTRARY]:
        names = ", ".join(axis.replace("_", " ") for axis in effects[CONTRARY])
        notes.append(
            f"{names}: groups are named by one word each there: values and intervals, but nothing "
            "is claimed beyond the words."
        )
    by_words = forests_of([axis for axis, each in effects[CONTRARY].items() if each.result])
    return Analysis.together(
        Analysis([], notes=notes), *parts, Analysis(compared, figures=by_words)
    )
