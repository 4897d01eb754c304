"""Whether what a model writes about groups agrees with what it finds probable (Table 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.enclosed import check_enclosed
from slant.errors import InputError
from slant.stats.chance import chance_of
from slant.stats.inference import interval, p_value
from slant.studies.section import read_section
from slant.studies.user_file import read_user_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.by_chance import Interval
    from slant.stats.arrays import Floats

_ARTICLE = re.compile(r"^(a|an|am)\s+")

TABLE = pl.Schema(
    {
        "axis": pl.String, "condition": pl.String, "group": pl.String, "word": pl.String,
        "field": pl.String, "generation": pl.Float64, "generation_q": pl.Float64,
        "likelihood": pl.Float64, "likelihood_q": pl.Float64, "same_direction": pl.Boolean,
    }
)  # fmt: skip


@dataclass(frozen=True)
class Agreement:
    """How far two ways to ask agree.

    Attributes
    ----------
    table
        One row a group and word that both have, strongest in generation first.
    value
        Mean over words of the rank correlation over groups (Spearman): 1 if both order the groups
        alike for every word, 0 if they have nothing to do with each other.
    low, high
        Its interval, drawing words again.
    p
        From exchanging the groups of the likelihoods, for all words alike.
    chance
        The value over these exchanges.
    words, groups
        How many of each are compared.
    """

    table: pl.DataFrame
    value: float
    low: float
    high: float
    p: float
    chance: Interval
    words: int
    groups: int


def read_likelihood(path: str, model: str = "") -> pl.DataFrame:
    """Read cells of a likelihood study: `group`, `descriptor`, `value`, `q`.

    Parameters
    ----------
    path
        A run directory, or a table with the columns group, descriptor, value and, if known, q.
        Values are larger where the descriptor is more probable with the group.
    model
        Of a run that asked several models, the one to take; if it is not among them, the first.

    Raises
    ------
    InputError
        There is nothing of the kind.
    """
    place = Path(path)
    if not place.is_dir():
        numbers: dict[str, pl.DataType] = {"value": pl.Float64(), "q": pl.Float64()}
        table = read_user_table(place, ["group", "descriptor"], [], numbers)
        return table.select("group", "descriptor", "value", "q").drop_nulls("value")
    check_enclosed(place)
    found: dict[str, pl.DataFrame] = {}
    for file in sorted(place.glob("sections/*/section.json")):
        section = read_section(file.parent)
        if section.study == "likelihood":
            cells = section.analysis.tables.get("cells")
            if cells is not None:
                found.setdefault(section.model, cells)
    if not found:
        raise InputError(
            "this run has no likelihood study: run one with slant audit, or give a table with the "
            "columns group, descriptor and value",
            file=path,
        )
    chosen = found.get(model, next(iter(found.values())))
    return chosen.select("group", "descriptor", "value", "q").drop_nulls("value")


def agreement(
    words: pl.DataFrame,
    likelihoods: pl.DataFrame,
    same: Mapping[str, str],
    *,
    resamples: int,
    rng: np.random.Generator,
) -> Agreement | None:
    """Compare associations.

    Parameters
    ----------
    words
        Rows of one axis and condition: `axis`, `condition`, `field`, `group`, `descriptor`,
        `value`, `q`.
    likelihoods
        `group`, `descriptor`, `value`, `q`; larger is more probable. Articles are stripped.
    same
        Words of the likelihoods that mean the same as another, in lower case. Several descriptors
        of one word are averaged.
    resamples
        How often groups are exchanged.

    Returns
    -------
    Agreement or None
        `None` if fewer than three groups or no word is in both.
    """
    plain = [_plain(text, same) for text in likelihoods["descriptor"].to_list()]
    other = (
        likelihoods.with_columns(pl.Series("word", plain, pl.String))
        .group_by("group", "word", maintain_order=True)
        .agg(pl.col("value").mean().alias("likelihood"), pl.col("q").min().alias("likelihood_q"))
    )
    mine = words.with_columns(
        pl.col("descriptor").str.to_lowercase().alias("word"),
        pl.col("value").alias("generation"),
        pl.col("q").alias("generation_q"),
    )
    both = mine.join(other, on=["group", "word"], how="inner", maintain_order="left")
    groups = both["group"].unique(maintain_order=True).to_list()
    pairs = both.select("field", "word").unique(maintain_order=True).rows()
    shape = (len(groups), len(pairs))
    if len(groups) < 3 or not pairs:
        return None
    one, two = np.full(shape, np.nan), np.full(shape, np.nan)
    for row in both.iter_rows(named=True):
        cell = groups.index(row["group"]), pairs.index((row["field"], row["word"]))
        one[cell], two[cell] = row["generation"], row["likelihood"]
    whole = ~np.isnan(one + two).any(axis=0)
    one, two = one[:, whole], two[:, whole]
    moving = (np.ptp(one, axis=0) > 0) & (np.ptp(two, axis=0) > 0) if one.size else whole[whole]
    if not moving.any():
        return None
    ranks = _standard_ranks(one[:, moving]), _standard_ranks(two[:, moving])
    by_word = (ranks[0] * ranks[1]).sum(axis=0)
    null = np.array(
        [
            (ranks[0] * ranks[1][rng.permutation(len(groups))]).sum(axis=0).mean()
            for _ in range(resamples)
        ]
    )
    value = float(by_word.mean())
    drawn = rng.choice(by_word, size=(2000, len(by_word))).mean(axis=1)
    low, high = interval(drawn, value) if len(by_word) > 1 else (np.nan, np.nan)
    same_way = (pl.col("generation") > 0) == (pl.col("likelihood") > 0)
    table = both.with_columns(same_way.alias("same_direction")).select(list(TABLE))
    order = pl.col("generation").abs()
    return Agreement(
        table.cast(TABLE).sort(order, descending=True, maintain_order=True),
        value, float(low), float(high), float(p_value(null, value, "greater")),
        chance_of(null), len(by_word), len(groups),
    )  # fmt: skip


def _plain(descriptor: str, same: Mapping[str, str]) -> str:
    text = _ARTICLE.sub("", descriptor.strip().casefold())
    return same.get(text, text)


def _standard_ranks(values: Floats) -> Floats:
    """Rank each column, and scale it to length 1: products of columns are correlations."""
    ranks = np.column_stack([pl.Series(each).rank().to_numpy() for each in values.T])
    ranks = ranks - ranks.mean(axis=0)
    return np.asarray(ranks / np.sqrt((ranks**2).sum(axis=0)))
