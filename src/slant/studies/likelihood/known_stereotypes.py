"""Tables 3 and 4 of Siddique et al. (2024): whether a known stereotype's own class comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.errors import InputError
from slant.groups.four_classes import CLASSES, class_of
from slant.stats.retrieval import paper_accuracy_and_mrr
from slant.studies.likelihood.sentences import PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.studies.likelihood.grid import Grid

LABELS = "globalbias-gp"
"""What the setting `labels` calls them."""

_PUBLISHED_NUMBER = 44


def of_four_classes(labels: Mapping[str, str]) -> dict[str, str]:
    """Keep the labels that are one of the four classes.

    Raises
    ------
    InputError
        No descriptor belongs to one of them.
    """
    kept = {text: label.lower() for text, label in labels.items() if label.lower() in CLASSES}
    if lacking := [each for each in CLASSES if each not in kept.values()]:
        raise InputError(
            f"labels = {LABELS!r}: no descriptor is labelled {', '.join(lacking)}. The authors' "
            'table has the published ones: descriptors = "full_descriptors.csv" (GlobalBias, data)'
        )
    return kept


def published_tables(
    grid: Grid, labels: Mapping[str, str]
) -> tuple[pl.DataFrame | None, list[str]]:
    """Compute the row of Tables 3 and 4 by the steps of the authors' code.

    Template 1 alone; names of fourteen ethnicities in four classes; see
    `slant.stats.retrieval.paper_accuracy_and_mrr`.

    Parameters
    ----------
    grid
        Without gaps.
    labels
        Descriptor to one of the four classes.

    Returns
    -------
    table : polars.DataFrame or None
        `score` (perplexity, apx), `accuracy`, `mrr`, `accuracy_chance`, `mrr_chance`,
        `descriptors`, `names`; `None` where something is missing.
    notes : list of str
        The figures in a sentence, or what is missing.
    """
    of = [class_of(each) for each in grid.people["ethnicity"]]
    rows = [row for row, each in enumerate(of) if each is not None]
    columns = [column for column, each in enumerate(grid.descriptors) if each in labels]
    lacking = [each for each in CLASSES if each not in of]
    if grid.adjusted or PUBLISHED[0] not in grid.templates or lacking or not columns:
        why = (
            "the values are APX already" if grid.adjusted
            else f"no name is {lacking[0]}" if lacking
            else "none of the labelled descriptors was asked" if not columns
            else f"the template {PUBLISHED[0]!r} was not asked"
        )  # fmt: skip
        return None, [f"Tables 3 and 4 of the publication were not computed: {why}."]
    template = grid.templates.index(PUBLISHED[0])
    table = np.exp(grid.log_perplexity[:, :, template])[np.ix_(rows, columns)]
    classes = list(CLASSES)
    groups, genders = (
        np.unique(grid.people[name].to_numpy()[rows], return_inverse=True)[1]
        for name in ("group", "gender")
    )
    right = np.array([classes.index(labels[grid.descriptors[column]]) for column in columns])
    members = np.array([classes.index(str(of[row])) for row in rows])
    found = [
        (
            score,
            *paper_accuracy_and_mrr(table, groups, members, genders, right, adjusted=adjusted),
            1 / len(classes), sum(1 / rank for rank in range(1, 1 + len(classes))) / len(classes),
            len(columns), len(rows),
        )
        for score, adjusted in (("perplexity", False), ("apx", True))
    ]  # fmt: skip
    columns_of = ("score", "accuracy", "mrr", "accuracy_chance", "mrr_chance", "descriptors",
                  "names")  # fmt: skip
    plain, adjusted = found
    fewer = "" if len(columns) == _PUBLISHED_NUMBER else f" of {_PUBLISHED_NUMBER}"
    note = (
        f"Tables 3 and 4 of the publication ({len(columns)}{fewer} descriptors, {len(rows)} names "
        f"in four classes, template 1): accuracy {plain[1]:.1%}, by APX {adjusted[1]:.1%}, by "
        f"chance 25%; mean reciprocal rank {plain[2]:.3f}, by APX {adjusted[2]:.3f}, by chance "
        ".521. A class of eight ethnicities counts as one of one."
    )
    return pl.DataFrame(found, schema=columns_of, orient="row"), [note]
