"""Group effects: about whom an answer comes more easily, within the same templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from slant.stats.blocked_means import blocked_means

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slant.stats.inference import GroupMeans

RESAMPLES = 10_000


@dataclass(frozen=True, eq=False)
class GroupEffects:
    """The comparison of one set's groups.

    Attributes
    ----------
    groups
        Who is compared, in the order asked.
    pairs
        The templates, with their negations, that every group has an answer to.
    left_out
        How many pairs some group lacks.
    answers
        How many answers each group's figure rests on.
    result
        The comparison; `None` if there are fewer than two groups or pairs.
    """

    groups: list[str]
    pairs: list[str]
    left_out: int
    answers: dict[str, int]
    result: GroupMeans | None


def with_negation(rows: pl.DataFrame) -> pl.DataFrame:
    """Keep the yes/no templates that have a negation."""
    both = pl.col("side").n_unique().over("pair") == 2
    return rows.filter(both & pl.col("options").list.len().eq(2))


def pair_means(rows: pl.DataFrame, figure: str) -> pl.DataFrame:
    """Average a probability for every pair and group.

    First over ways of asking and contexts, then over a statement and its negation with equal
    weight. Of `p_contrary`, a habit of saying yes then adds as much to one as it takes from the
    other; of `p_yes`, what is held of a group does. A pair of which a group has only one side is
    null for it.

    Parameters
    ----------
    rows
        Of one set, as `slant.studies.templates.rows.tidy` gives them.
    figure
        `p_contrary` or `p_yes`.

    Returns
    -------
    polars.DataFrame
        `pair`, `group`, `value` in [0, 1].
    """
    sides = rows.group_by("pair", "side", "group", maintain_order=True).agg(pl.col(figure).mean())
    wanted = rows.group_by("pair").agg(pl.col("side").n_unique().alias("sides"))
    return (
        sides.drop_nulls(figure)
        .group_by("pair", "group", maintain_order=True)
        .agg(pl.col(figure).mean().alias("value"), pl.len().alias("has"))
        .join(wanted, on="pair", maintain_order="left")
        .select(
            "pair",
            "group",
            pl.when(pl.col("has").cast(pl.Int64) == pl.col("sides").cast(pl.Int64)).then("value"),
        )
    )


def group_effects(
    rows: pl.DataFrame, rng: np.random.Generator, figure: str = "p_contrary"
) -> GroupEffects:
    r"""Compare the groups of one set with the median of the others.

    Templates are what was sampled and what chance is about: the groups' values are exchanged
    within every pair, and intervals come from a bootstrap over pairs with all that belongs to them
    (`slant.stats.blocked_means`).

    Parameters
    ----------
    rows
        Of one set.
    figure
        `p_contrary`: who gets the answer that contradicts the label; `p_yes`: who gets yes,
        whatever it affirms.
    """
    groups = rows["group"].unique(maintain_order=True).to_list()
    pairs = rows["pair"].n_unique()
    wide = pair_means(rows, figure).pivot(
        "group", index="pair", values="value", maintain_order=True
    )
    for group in groups:
        if group not in wide.columns:  # nothing was answered about it
            wide = wide.with_columns(pl.lit(None, pl.Float64).alias(group))
    whole = wide.drop_nulls()
    counts = dict(rows.filter(pl.col(figure).is_not_null()).group_by("group").len().iter_rows())
    answers = {group: int(counts.get(group, 0)) for group in groups}
    result = None
    if len(groups) >= 2 and whole.height >= 2:
        values: NDArray[np.float64] = whole.select(groups).to_numpy().T
        result = blocked_means(values, resamples=RESAMPLES, rng=rng)
    return GroupEffects(groups, whole["pair"].to_list(), pairs - whole.height, answers, result)
