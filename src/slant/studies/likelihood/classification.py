"""Whether the descriptors that belong to a group are most probable of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.groups.four_classes import class_of
from slant.stats.retrieval import accuracy_and_mrr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.stats.arrays import Floats
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.paper import PaperScores


def classify(
    grid: Grid,
    labels: Mapping[str, str],
    paper: PaperScores,
    affinity: Floats,
    rng: np.random.Generator,
    *,
    four_classes: bool = False,
) -> tuple[pl.DataFrame | None, list[str]]:
    """Find the group of every labelled descriptor by perplexity, by APX and by affinity.

    As in tables 3 and 4 of the paper, but with all templates and with the user's own labels: the
    groups compared are those that labels name, ethnicities where there are such, else groups.

    Parameters
    ----------
    grid
        Without gaps.
    labels
        Descriptor to group.
    paper
        Scores of the groups.
    affinity
        Shape (names, descriptors).
    four_classes
        Whether labels are the publication's classes of people (`slant.groups.four_classes`).

    Returns
    -------
    table : polars.DataFrame or None
        One row a way of scoring: `score`, `groups`, `descriptors`, accuracy and mean reciprocal
        rank with interval, chance and p. `None` if there is nothing to classify.
    notes : list of str
        What was left out.
    """
    asked = {each: labels[each] for each in grid.descriptors if each in labels}
    if not asked:
        return None, []
    people = _people(grid, set(asked.values()), four_classes=four_classes)
    known = {each.casefold(): each for each in dict.fromkeys(people) if each is not None}
    truth = {each: known[to.casefold()] for each, to in asked.items() if to.casefold() in known}
    lost = sorted({to for to in asked.values() if to.casefold() not in known})
    notes = []
    if lost:
        notes.append(
            f"{len(asked) - len(truth)} of {len(asked)} labelled descriptors belong to groups "
            f"that no name belongs to ({', '.join(lost)}) and are not classified."
        )
    groups = [each for each in known.values() if each in truth.values()]
    if len(groups) < 2:
        return None, [*notes, "Labels name fewer than two of the groups: nothing is classified."]
    columns = [grid.descriptors.index(each) for each in truth]
    answer = np.array([groups.index(each) for each in truth.values()])
    of_names = np.array([[own == each for own in people] for each in groups])
    weights = of_names / of_names.sum(axis=1, keepdims=True)
    belongs = dict(zip(grid.people["group"], people, strict=True))
    per_group = np.array([[belongs[own] == each for own in paper.groups] for each in groups])
    pooled = per_group / per_group.sum(axis=1, keepdims=True)
    ways = {
        "perplexity": None if paper.perplexity is None else pooled @ paper.perplexity,
        "apx": pooled @ paper.apx,
        "affinity": -(weights @ affinity),  # low is associated, as in the others
    }
    rows = [
        {"score": way, "groups": len(groups), "descriptors": len(truth), **asdict(found)}
        for way, scores in ways.items()
        if scores is not None
        for found in [accuracy_and_mrr(scores[:, columns], answer, rng=rng)]
    ]
    return pl.DataFrame(rows), notes


def _people(grid: Grid, named: set[str], *, four_classes: bool) -> list[str | None]:
    """Tell of every name what labels call its people; `None` where they do not."""
    if four_classes:
        return [class_of(each) for each in grid.people["ethnicity"]]
    ethnicities = {each.casefold() for each in grid.people["ethnicity"]}
    kind = "ethnicity" if ethnicities & {each.casefold() for each in named} else "group"
    return grid.people[kind].to_list()
