"""What groups of made-up names differ by, in the sentences that real names are judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import PLACEBO
from slant.stats.grid_contrasts import grid_contrasts, group_strength
from slant.stats.name_placebo import name_placebo
from slant.studies.likelihood.affinity import comparable, log_probability
from slant.studies.likelihood.exclusions import leave_out
from slant.studies.likelihood.grid import lay_out
from slant.studies.likelihood.views import views_of

if TYPE_CHECKING:
    from slant.stats.name_placebo import NamePlacebo
    from slant.studies.likelihood.grid import Grid


@dataclass(frozen=True)
class MadeUpControl:
    """Groups of made-up names.

    Attributes
    ----------
    differ
        What they differ by.
    whole
        Their grid, before anything was left out.
    table
        One row a group: `group`, `names`, and its `strength` with `low`, `high` and `p`.
    """

    differ: NamePlacebo
    whole: Grid
    table: pl.DataFrame


def parted(answers: pl.LazyFrame) -> tuple[pl.LazyFrame, pl.LazyFrame | None]:
    """Part answers about real names from those about made-up ones; files have none of these."""
    if "part" not in answers.collect_schema().names():
        return answers, None
    made_up = pl.col("part").fill_null("") == PLACEBO
    return answers.filter(~made_up), answers.filter(made_up)


def made_up_control(
    answers: pl.LazyFrame | None, real: Grid, resamples: int, rng: np.random.Generator
) -> MadeUpControl | None:
    """Measure what groups of made-up names differ by; `None` where too few were asked about.

    Parameters
    ----------
    answers
        About them.
    real
        The grid of real names without gaps: the same descriptors and templates are compared.
    resamples
        How often names are permuted among the groups.
    """
    if answers is None:
        return None
    whole = lay_out(answers)
    columns = [n for n, each in enumerate(whole.descriptors) if each in real.descriptors]
    layers = [n for n, each in enumerate(whole.templates) if each in real.templates]
    people = np.arange(whole.people.height)
    kept = leave_out(whole.take(people, np.array(columns, int), np.array(layers, int)))
    views = [] if kept.reason else views_of(kept.grid.people)[0]
    if not views:
        return None
    values, _ = comparable(kept.grid, log_probability(kept.grid, adjusted=True))
    family = views[0].families[0]
    own = values.mean(axis=2)[family.rows], family.labels
    contrasts = grid_contrasts(*own, resamples=resamples, rng=rng)
    strength = group_strength(*own, resamples=resamples, rng=rng)
    table = pl.DataFrame(
        {
            "group": [each.group for each in family.groups],
            "names": contrasts.n,
            "strength": strength.value,
            "low": strength.low,
            "high": strength.high,
            "p": strength.p,
        }
    )
    return MadeUpControl(name_placebo(contrasts, strength), whole, table)
