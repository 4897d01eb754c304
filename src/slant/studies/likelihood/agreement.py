"""Whether the templates tell the same story."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.likelihood.affinity import by_template

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.stats.arrays import Floats
    from slant.studies.likelihood.views import View


@dataclass(frozen=True)
class Agreement:
    """How far templates agree.

    Attributes
    ----------
    share
        Shape (groups, descriptors): share of the templates in which the cell leans the way it
        leans on average.
    table
        One row a pair of templates: `view`, `template`, `other`, `spearman` (of the cells'
        values; null where one of them is the same everywhere), `cells`.
    """

    share: Floats
    table: pl.DataFrame


def template_agreement(
    view: View, templates: Sequence[str], values: Floats, overall: Floats
) -> Agreement:
    """Compare templates.

    Parameters
    ----------
    templates
        Their texts.
    values
        Shape (names, descriptors, templates).
    overall
        Shape (groups, descriptors): the cells' values over all templates.
    """
    parts = by_template(view, values)
    same = np.sign(parts) == np.sign(overall)[..., None]
    rows = [
        (view.name, templates[one], templates[other], _spearman(parts[..., one], parts[..., other]))
        for one, other in combinations(range(len(templates)), 2)
    ]
    schema = {
        "view": pl.String,
        "template": pl.String,
        "other": pl.String,
        "spearman": pl.Float64,
    }
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return Agreement(same.mean(axis=2), table.with_columns(cells=pl.lit(overall.size)))


def _spearman(one: Floats, other: Floats) -> float | None:
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    first, second = (pl.Series(each.ravel()).rank().to_numpy() for each in (one, other))
    return float(np.corrcoef(first, second)[0, 1])
