"""Two models' graphs side by side: what both say, what only one says, what changed its tone.

A triple is the same in both graphs when its subject, predicate and object are, but for case and
blanks (`normalised`). How alike two graphs are is Jaccard's index: the share of all different
triples that both have. Its interval resamples subjects. Chains, though they are what the growth
of a graph sampled, cannot be resampled here: a resample holds fewer different triples than the
graph, so that the index of resamples would lie below that of the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError
from slant.knowledge_graph.graph import REQUIRED, kept_triples, normalised
from slant.stats.bootstrap import bootstrap_interval
from slant.stats.chance import chance_of
from slant.stats.inference import p_value

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

_ALL = "all subjects"
_ENDS = ["subject", "predicate", "object"]


@dataclass(frozen=True)
class GraphComparison:
    """What two graphs have in common.

    Attributes
    ----------
    subjects
        One row a subject, and first one for all subjects together: `subject`, `n_first`,
        `n_second` (different triples in each), `shared`, `only_first`, `only_second`, `changed`
        (shared triples whose regard label differs), `judged` (shared triples with a label in
        both) and `jaccard` (0 to 1; null for a subject that neither graph has triples of).
    triples
        One row a triple: `subject`, `predicate`, `object` in the first spelling, `where`
        (shared, first or second), `regard_first`, `regard_second` (labels; null when not known
        or when a graph contradicts itself) and `changed` (null unless both are known).
    jaccard
        How alike the graphs are as a whole.
    low, high
        Its 95% interval over subjects; None with fewer than two of them.
    expected, chance_low, chance_high
        The same if it did not matter who is spoken of: subjects of the second graph exchanged
        among each other; mean, 2.5% and 97.5% quantile. None with fewer than two subjects.
    p
        Probability that exchanged graphs are at least as alike. None with fewer than two subjects.
    """

    subjects: pl.DataFrame
    triples: pl.DataFrame
    jaccard: float
    low: float | None
    high: float | None
    expected: float | None
    chance_low: float | None
    chance_high: float | None
    p: float | None


def compare_graphs(
    first: pl.DataFrame, second: pl.DataFrame, *, resamples: int = 2000, seed: int = 0
) -> GraphComparison:
    """Compare two tables of triples.

    Parameters
    ----------
    first, second
        Columns subject, predicate and object; optionally kept and regard_label.
    resamples
        Of the bootstrap, and of the permutation.
    seed
        Root of both.

    Raises
    ------
    InputError
        A column is missing, or a graph has no triple.
    """
    import polars as pl

    one, two = _distinct(first, "first"), _distinct(second, "second")
    both = pl.concat([one, two], how="diagonal")
    merged = both.group_by("key", maintain_order=True).agg(
        pl.col("group").first(),
        *(pl.col(name).first() for name in _ENDS),
        pl.col("regard_first").drop_nulls().first(),
        pl.col("regard_second").drop_nulls().first(),
        pl.when(pl.len() > 1)
        .then(pl.lit("shared"))
        .when(pl.col("source").first() == "first")
        .then(pl.lit("first"))
        .otherwise(pl.lit("second"))
        .alias("where"),
    )
    merged = merged.with_columns(
        (pl.col("regard_first") != pl.col("regard_second")).alias("changed")
    )
    subjects = _counts(merged)
    rng = np.random.default_rng(seed)
    shared = subjects["shared"].to_numpy()
    union = shared + subjects["only_first"].to_numpy() + subjects["only_second"].to_numpy()
    value = float(shared.sum() / union.sum())
    low = high = None
    null: dict[str, float] = {}
    if len(shared) > 1:

        def pooled(places: NDArray[np.int64], axis: int) -> Any:
            return shared[places].sum(axis=axis) / union[places].sum(axis=axis)

        low, high = bootstrap_interval(np.arange(len(shared)), pooled, resamples=resamples, rng=rng)
        null = _exchanged(one, two, value, resamples, rng)
    whole = _counts(merged.with_columns(pl.lit(_ALL).alias("group"), pl.lit(_ALL).alias("subject")))
    return GraphComparison(
        subjects=pl.concat([whole, subjects]).drop("group"),
        triples=merged.select(*_ENDS, "where", "regard_first", "regard_second", "changed"),
        jaccard=value,
        low=low,
        high=high,
        expected=null.get("expected"),
        chance_low=null.get("low"),
        chance_high=null.get("high"),
        p=null.get("p"),
    )


def _distinct(table: pl.DataFrame, which: str) -> pl.DataFrame:
    """List different triples, each with the regard label that all its rows agree on."""
    import polars as pl

    kept = kept_triples(table)
    if kept.is_empty():
        raise InputError(f"the {which} graph has no triple to compare")
    if "regard_label" not in kept.columns:
        kept = kept.with_columns(pl.lit(None, pl.String).alias("regard_label"))
    forms = [[normalised(text) for text in kept[name].to_list()] for name in REQUIRED]
    said = list(zip(forms[1], forms[2], strict=True))
    label = pl.col("regard_label").drop_nulls()
    return (
        kept.select(
            *_ENDS,
            "regard_label",
            pl.Series("group", forms[0]),
            # A pair of texts as one: no normalised text holds a line feed.
            pl.Series("said", ["\n".join(pair) for pair in said]),
        )
        .with_columns((pl.col("group") + "\n" + pl.col("said")).alias("key"))
        .group_by("key", maintain_order=True)
        .agg(
            pl.col("group", "said", *_ENDS).first(),
            pl.when(label.n_unique() == 1).then(label.first()).alias(f"regard_{which}"),
        )
        .with_columns(pl.lit(which).alias("source"))
    )


def _counts(merged: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    where = pl.col("where")
    shared, one, two = ((where == name).sum() for name in ("shared", "first", "second"))
    return merged.group_by("group", maintain_order=True).agg(
        pl.col("subject").first(),
        (where != "second").sum().cast(pl.Int64).alias("n_first"),
        (where != "first").sum().cast(pl.Int64).alias("n_second"),
        shared.cast(pl.Int64).alias("shared"),
        one.cast(pl.Int64).alias("only_first"),
        two.cast(pl.Int64).alias("only_second"),
        pl.col("changed").sum().cast(pl.Int64).alias("changed"),
        pl.col("changed").is_not_null().sum().cast(pl.Int64).alias("judged"),
        (shared / pl.len()).alias("jaccard"),
    )


def _exchanged(
    one: pl.DataFrame, two: pl.DataFrame, value: float, resamples: int, rng: np.random.Generator
) -> dict[str, float]:
    """Compute the index with the second graph's subjects exchanged among each other."""
    from scipy.sparse import csr_array

    groups = sorted({*one["group"], *two["group"]})
    place = {name: number for number, name in enumerate(groups)}
    said = {name: number for number, name in enumerate(sorted({*one["said"], *two["said"]}))}
    left, right = (
        csr_array(
            (
                np.ones(graph.height),
                ([place[each] for each in graph["group"]], [said[each] for each in graph["said"]]),
            ),
            shape=(len(groups), len(said)),
        )
        for graph in (one, two)
    )
    common = (left @ right.T).toarray()
    total = one.height + two.height
    null = np.empty(resamples)
    for number in range(resamples):
        shared = common[np.arange(len(groups)), rng.permutation(len(groups))].sum()
        null[number] = shared / (total - shared)
    chance, p = chance_of(null), float(p_value(null, value, "greater"))
    return {"expected": chance.expected, "low": chance.low, "high": chance.high, "p": p}
