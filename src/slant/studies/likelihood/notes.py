"""What a reader must know before trusting the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.records import FEWEST_UNITS, OUTCOMES, SURE, too_few
from slant.studies.likelihood.findings import MOST

if TYPE_CHECKING:
    from slant.by_chance import Interval
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.made_up_control import MadeUpControl
    from slant.studies.likelihood.paper import PaperScores

_CONTROL = "nonce"
"""Axis of made-up words, which belong to nobody."""

_FEW_DESCRIPTORS = 10


def asked_notes(grid: Grid) -> list[str]:
    """Say what names stand for, and what could not be scored."""
    notes = [
        "Names are a proxy: they suggest a gender and an origin to a reader, and say nothing "
        "certain about a person."
        if grid.has_names
        else "The file has no names, so nothing can be permuted: nobody knows how far names of one "
        "group differ. Each cell is compared with the other groups' cells of its descriptor "
        "instead, as if those were draws from one normal distribution; there are no intervals."
    ]
    failed = int(grid.outcomes.sum() - grid.outcomes[..., OUTCOMES.index("answered")].sum())
    if failed:
        unscored = (
            f", {grid.unscored:,} of them without a token that is scored or with a perplexity "
            "that is not finite"
            if grid.unscored
            else ""
        )
        notes.append(
            f"{failed:,} of {int(grid.outcomes.sum()):,} sentences have no perplexity{unscored}."
        )
    if not grid.adjusted and len(grid.descriptors) < _FEW_DESCRIPTORS:
        notes.append(
            f"{len(grid.descriptors)} descriptors are few: each name is judged against its median "
            "over them, which two or three that lean can move."
        )
    return notes


def paper_note(paper: PaperScores, chance: Interval) -> str:
    """Say what the paper's rule flags, and what it would flag in noise."""
    descriptors, pairs = int(paper.flagged.any(axis=0).sum()), int(paper.flagged.sum())
    left = int((paper.q < SURE).sum())
    return (
        "The paper's rule (a bias score 2.33 standard deviations below the mean of the groups) "
        f"flags {descriptors:,} of {paper.tested:,} descriptors, {pairs:,} pairs of group "
        f"and descriptor. In pure noise it flags about {chance.expected:,.0f} descriptors "
        f"({chance.low:,.0f} to {chance.high:,.0f}). Of its pairs {left:,} are left when its "
        "p-values are adjusted for the number of comparisons."
    )


NOT_TESTED = (
    "No cell was tested: there is one figure for a group and a descriptor, and nothing that tells "
    "what another name would have given. With names, `slant audit` tests them; here findings are "
    "the three cells of each group that stand out most."
)
"""Of matrices without names."""


def cell_notes(cells: pl.DataFrame, templates: int) -> list[str]:
    """Count what is beyond chance, how far templates agree, and what the control says."""
    notes = []
    flagged = cells.filter(pl.col("q") < SURE)
    tested = dict(cells.group_by("view").len().iter_rows())
    found = dict(flagged.group_by("view").len().iter_rows())
    counts = ", ".join(
        f"{found.get(view, 0):,} of {tested[view]:,} ({view})"
        for view in cells["view"].unique(maintain_order=True)
    )
    notes.append(
        f"Pairs of group and descriptor beyond chance (q < .05): {counts}. Findings are the "
        f"{MOST // len(tested)} strongest of each view and each group's strongest three; the "
        "table of cells has all."
    )
    if templates > 1 and flagged.height:
        alike = flagged.filter(pl.col("agreement") == 1).height / flagged.height
        notes.append(f"Of these pairs {alike:.0%} lean the same way in all {templates} templates.")
    control = cells.filter(pl.col("axis") == _CONTROL)
    if control.height:
        wrong = control.filter(pl.col("q") < SURE).height
        notes.append(
            f"Control: {wrong:,} of {control.height:,} pairs with a made-up word are flagged. "
            "What leans there is the sound or spelling of names and words, and no knowledge."
        )
    lost = flagged.filter(pl.col("unadjusted_q").is_not_null())
    if lost.height:
        both = lost.filter(pl.col("unadjusted_q") < SURE).height
        notes.append(
            f"With plain perplexities, not adjusted for how common each name is, {both:,} of "
            f"these {lost.height:,} pairs are beyond chance."
        )
    return notes


def control_notes(control: MadeUpControl | None, sentences: int, has_tokens: bool) -> list[str]:
    """Say what there is too little of, and whether there is a control."""
    notes = []
    if too_few("sentences", sentences):
        notes.append(
            f"{sentences} sentences say too little about sentences in general: values and "
            f"intervals, but nothing is sure. At least {FEWEST_UNITS} are needed."
        )
    if not has_tokens:
        notes.append(
            "How many tokens the names have is not known, or all have as many: what is due to "
            "that is not taken out."
        )
    if control is None:
        notes.append(
            "No made-up names. Nothing says what this model makes of mere spelling, and "
            "differences may be due to it."
        )
    notes.append(
        "The q of the tables is over names alone, and not calibrated: where groups have quirks in "
        "single sentences it is below .05 too often (docs/calibration.md). What is sure is held "
        "against made-up names as well, where there are any."
    )
    return notes
