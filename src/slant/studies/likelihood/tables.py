"""Tables of groups and of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.likelihood.affinity import STRENGTHS

if TYPE_CHECKING:
    from slant.studies.likelihood.affinity import Contrasts
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.paper import PaperScores


def group_table(contrasts: Contrasts, paper: PaperScores) -> pl.DataFrame:
    """One row a group of a view: how far it is set apart, and its mean perplexity and APX.

    Mean perplexity and APX are those of the paper, for groups of gender and ethnicity; APX is
    the same for all of them, by construction.
    """
    view = contrasts.view
    columns: dict[str, object] = {
        "view": [view.name] * len(view.groups),
        "group": [group.group for group in view.groups],
        "gender": [group.gender for group in view.groups],
        "ethnicity": [group.ethnicity for group in view.groups],
        "names": contrasts.n,
        **{name: contrasts.strength[name] for name in (*STRENGTHS, "q")},
    }
    for name, scores in (("perplexity", paper.perplexity), ("apx", paper.apx)):
        means = {} if scores is None else dict(zip(paper.groups, scores.mean(axis=1), strict=True))
        own = [means.get(group.group) for group in view.groups]
        columns[name] = own if view.name == "intersectional" else [None] * len(own)
    table = pl.DataFrame(columns).with_columns(
        pl.col("names").cast(pl.Int64), pl.col("perplexity", "apx").cast(pl.Float64)
    )
    return table.with_columns(pl.col(pl.Float64).fill_nan(None))


def name_table(whole: Grid, kept: Grid) -> pl.DataFrame:
    """One row a name: its group, how many sentences have a perplexity, and whether it is used."""
    known = ~np.isnan(whole.log_perplexity)
    scored = known.sum(axis=(1, 2))
    total = np.where(known, whole.log_perplexity, 0.0).sum(axis=(1, 2))
    used = kept.people.with_columns(used=pl.lit(value=True))
    return (
        whole.people.with_columns(
            scored=pl.Series(scored, dtype=pl.Int64),
            mean_log_perplexity=pl.Series(
                np.divide(total, scored, out=np.full(len(scored), np.nan), where=scored > 0)
            ).fill_nan(None),
        )
        .join(used, on=whole.people.columns, how="left", maintain_order="left")
        .with_columns(pl.col("used").fill_null(value=False))
    )
