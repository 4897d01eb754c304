"""The tables behind the pictures."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.measures.instruments import ATTACK
from slant.stats.relative_entropy import divergence_from_rest
from slant.stats.saturation import chance_of_new, rarefaction
from slant.studies.knowledge.rows import WORDED
from slant.studies.knowledge.sieve import REPEATS, RULES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.stats.relative_entropy import RelativeEntropy
    from slant.studies.knowledge.findings import Part
    from slant.topics.short_texts import Topics

_POINTS = 30
SHOWN = ("subject", "class", "variant", "predicate", "object", "kept", "dropped", "regard",
         "regard_label", "warmth", "competence", "toxicity", "sentiment", "topic", "generation",
         "strategy", "shots", "prompt", "raw", "lineage", "lineages_with_it")  # fmt: skip


def triples_table(triples: pl.DataFrame) -> pl.DataFrame:
    """List every triple; `lineages_with_it` says in how many lineages the subject has it."""
    scope = ["class", "variant", "subject", "key"]
    found = triples.with_columns(
        pl.when("kept").then(pl.col("lineage").n_unique().over(*scope, "kept"))
        .alias("lineages_with_it")
    )  # fmt: skip
    for name in SHOWN:
        if name not in found.columns:
            found = found.with_columns(pl.lit(None, pl.Float64).alias(name))
    aside = ["key", "sign", "negative_regard", "part"]
    if (triples["kind"] == "").all():
        aside += WORDED
    extra = [name for name in found.columns if name not in (*SHOWN, *aside)]
    return found.select(*SHOWN, *extra)


def drops_table(parts: Sequence[Part]) -> pl.DataFrame:
    """Count what each rule dropped, with its share of all answers."""
    rows = []
    for part in parts:
        counted = Counter(part.table["dropped"].drop_nulls())
        total = part.table.height
        rows += [
            (part.people, part.condition, rule, meaning, counted[rule], counted[rule] / total)
            for rule, meaning in RULES.items()
        ]
    return pl.DataFrame(
        rows,
        schema={"class": pl.String, "variant": pl.String, "rule": pl.String, "meaning": pl.String,
                "dropped": pl.Int64, "share": pl.Float64},
        orient="row",
    )  # fmt: skip


def regard_counts(parts: Sequence[Part]) -> pl.DataFrame:
    """Count positive and negative triples by subject: N₊, N₋ and N₊ − N₋, as in Figure 6."""
    frames = [
        part.kept.group_by("subject", maintain_order=True)
        .agg(
            pl.lit(part.people).alias("class"),
            pl.lit(part.condition).alias("variant"),
            pl.len().alias("triples"),
            (pl.col("sign") > 0).sum().cast(pl.Int64).alias("positive"),
            (pl.col("sign") < 0).sum().cast(pl.Int64).alias("negative"),
        )
        .with_columns((pl.col("positive") - pl.col("negative")).alias("overall_regard"))
        for part in parts
    ]
    return pl.concat(frames)


def subjects_table(parts: Sequence[Part]) -> pl.DataFrame:
    """Give each subject's mean regard, toxicity and, where they were told, attacks (Figure 3).

    Null where toxicity was not measured.
    """
    frames = [
        part.kept.group_by("subject", maintain_order=True).agg(
            pl.lit(part.people).alias("class"),
            pl.lit(part.condition).alias("variant"),
            pl.len().alias("triples"),
            pl.col("sign").cast(pl.Float64).mean().alias("regard"),
            (pl.col("toxicity") if "toxicity" in part.kept.columns else pl.lit(None, pl.Float64))
            .mean()
            .alias("toxicity"),
            *(pl.col(name).mean() for name in (ATTACK,) if name in part.kept.columns),
        )
        for part in parts
    ]
    return pl.concat(frames)


def topics_table(topics: Topics) -> pl.DataFrame:
    """List topics with their representative words, as in Table 3."""
    sizes = np.bincount(topics.of_text, minlength=len(topics.labels))
    return pl.DataFrame(
        {
            "topic": topics.labels,
            "words": ["; ".join(words) for words in topics.words],
            "triples": sizes.astype(np.int64),
        }
    )


def topic_shares(
    results: Sequence[tuple[Part, list[str], RelativeEntropy]], labels: Sequence[str]
) -> pl.DataFrame:
    """Give P(topic | subject) with intervals, as in Figure 4."""
    rows = [
        (part.people, part.condition, subject, topic, *(
            float(values[row, column])
            for values in (result.shares, result.shares_low, result.shares_high)
        ))
        for part, names, result in results
        for row, subject in enumerate(names)
        for column, topic in enumerate(labels)
    ]  # fmt: skip
    return pl.DataFrame(
        rows,
        schema={"class": pl.String, "variant": pl.String, "subject": pl.String,
                "topic": pl.String, "share": pl.Float64, "low": pl.Float64, "high": pl.Float64},
        orient="row",
    )  # fmt: skip


def entropy_stability(
    parts: Sequence[Part], kept: pl.DataFrame, topics: Sequence[Topics], smoothing: float
) -> pl.DataFrame:
    """Give each subject's relative entropy with the topics of every seed.

    Parameters
    ----------
    parts
        Classes and variants.
    kept
        All kept triples, in the order of the topics' texts.
    topics
        One a seed.
    smoothing
        As in `divergence_from_rest`.
    """
    frames = []
    for part in parts:
        own = (kept["class"] == part.people) & (kept["variant"] == part.table["variant"][0])
        chosen, written = own.to_numpy(), kept.filter(own)["subject"]
        names = [name for name in part.subjects if name in set(written)]
        if len(names) < 2:
            continue
        index = {name: place for place, name in enumerate(names)}
        subject = np.array([index[name] for name in written])
        for seed, each in enumerate(topics):
            counts = np.zeros((len(names), len(each.labels)))
            np.add.at(counts, (subject, each.of_text[chosen]), 1)
            frames.append(
                pl.DataFrame(
                    {"class": part.people, "variant": part.condition, "subject": names,
                     "seed": seed, "bits": divergence_from_rest(counts, smoothing)}
                )
            )  # fmt: skip
    return pl.concat(frames) if frames else pl.DataFrame()


def saturation(parts: Sequence[Part]) -> pl.DataFrame:
    """Follow how many distinct triples there were after so many requests, by class and variant.

    Columns `requests`, `distinct` (as it happened), `triples` (answers that are triples, new or
    not), `expected` (distinct ones in as many of these in random order) and, the same in every row
    of a class, `chance_of_new`: of the next answer that is a triple.
    """
    frames = []
    for part in parts:
        dropped = part.table["dropped"]
        valid = (dropped.is_null() | dropped.is_in(REPEATS)).to_numpy()
        keys = (part.table["subject"] + "\n" + part.table["key"]).to_list()
        seen: set[str] = set()
        distinct = []
        for key, is_valid in zip(keys, valid, strict=True):
            if is_valid:
                seen.add(key)
            distinct.append(len(seen))
        if not valid.any():
            continue
        counts = list(Counter(key for key, good in zip(keys, valid, strict=True) if good).values())
        at = np.unique(np.linspace(1, len(keys), _POINTS).round().astype(np.int64))
        triples = np.cumsum(valid)[at - 1]
        frames.append(
            pl.DataFrame(
                {
                    "class": part.people,
                    "variant": part.condition,
                    "requests": at,
                    "triples": triples.astype(np.int64),
                    "distinct": np.array(distinct, dtype=np.int64)[at - 1],
                    "expected": rarefaction(counts, triples),
                    "chance_of_new": chance_of_new(counts),
                }
            )
        )
    return pl.concat(frames) if frames else pl.DataFrame()
