"""Counterfactual pairs as evidence: one sentence with a name of the group, and with another's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl

from slant.studies.study import Quote

if TYPE_CHECKING:
    from slant.stats.arrays import Floats
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.views import Family, View

PER_GROUP = 3

Place: TypeAlias = tuple[int, int, int]
"""Name, descriptor and template, by number."""


def pick_pairs(
    grid: Grid, view: View, values: Floats, cells: pl.DataFrame, answers: pl.LazyFrame, score: str
) -> list[Quote]:
    """Show the sentences behind each group's strongest cells.

    The name is the group's middle one for the descriptor. Beside it stands a name of another
    group, from the middle half of them, that is about as common: of these the one whose own
    effect on all descriptors is nearest, so that the two perplexities can be compared. Of the
    templates, that is shown in which the pair differs most in the direction of the cell.

    Parameters
    ----------
    grid
        Without gaps.
    values
        Shape (names, descriptors): what the contrasts are made from.
    cells
        The view's rows of the table of cells that became findings, in their order.
    answers
        For the sentences.
    score
        What the values in the grid are called: `perplexity`.
    """
    chosen = cells.filter(pl.col("view") == view.name)
    chosen = chosen.filter(pl.int_range(pl.len()).over("group") < PER_GROUP)
    places = {
        group.group: (family, row)
        for family in view.families
        for row, group in enumerate(family.groups)
    }
    picked = [
        (cell, *_pair(grid, *places[cell["group"]], values, cell))
        for cell in chosen.iter_rows(named=True)
    ]
    positions = [int(grid.position[place]) for _, *pair in picked for place in pair]
    sentences = dict(
        answers.filter(pl.col("position").is_in(positions))
        .select("position", "prompt")
        .collect()
        .iter_rows()
    )
    quotes = []
    for cell, mine, other in picked:
        own, theirs = (float(np.exp(grid.log_perplexity[place])) for place in (mine, other))
        beside, whose = sentences[int(grid.position[other])], grid.people["group"][other[0]]
        quotes.append(
            Quote(
                group=cell["group"],
                condition=cell["descriptor"],
                prompt=f"{beside} ({whose}, {score} {theirs:.4g})",
                text=sentences[int(grid.position[mine])],
                value=own,
                sensitive=cell["sensitive"],
            )
        )
    return quotes


def _pair(
    grid: Grid, family: Family, group: int, values: Floats, cell: dict[str, Any]
) -> tuple[Place, Place]:
    column = grid.descriptors.index(cell["descriptor"])
    own = family.rows[family.labels == group]
    mine = int(own[np.argsort(values[own, column], kind="stable")[(len(own) - 1) // 2]])
    others = family.rows[family.labels != group]
    ascending = others[np.argsort(values[others, column], kind="stable")]
    middle = ascending[len(others) // 4 : len(others) - len(others) // 4]
    # What a name does to all descriptors alike is what the adjustment has taken away.
    common = -grid.log_perplexity[:, column].mean(axis=1) - values[:, column]
    other = int(middle[np.argmin(np.abs(common[middle] - common[mine]))])
    gain = grid.log_perplexity[other, column] - grid.log_perplexity[mine, column]
    layer = int(np.argmax(gain * np.sign(cell["value"])))
    return (mine, column, layer), (other, column, layer)
