"""Which article or word a change of the groups' words hangs on, and what to add more of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.stats.share_distance import shares
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slant.groups.group_words import GroupWords
    from slant.stats.arrays import Floats
    from slant.studies.news.level import Level

LEFT_OUT, VARIANCE = "word_left_out", "word_variance"
_SHOWN = 40
"""Articles and words that are left out one by one: those that matter most."""

_MORE = {
    "headlines": ("more articles", "headlines and the articles under them differing"),
    "words of groups": ("longer articles", "articles having so few words of groups"),
}


@dataclass(frozen=True)
class Changes:
    """What articles change of the groups' words.

    Attributes
    ----------
    axis
        The words, and how articles were asked for, where that was done in several ways.
    level
        The comparison.
    words
        How often each word is in each text: `article`, `generated`, `group`, `word`, `n`.
    counts
        Words of each group, and names of its people, in the references and in the articles: shape
        (2, pairs, groups).
    """

    axis: str
    level: Level
    words: pl.DataFrame
    counts: Floats


def hangs_on(levels: Sequence[Level]) -> tuple[dict[str, pl.DataFrame], list[Figure]]:
    """Say what the changes of words hang on: tables and pictures; none where no words changed."""
    every = changes(levels)
    if not every:
        return {}, []
    variance = variance_table(every)
    return {LEFT_OUT: left_out_table(every), VARIANCE: variance}, figures(every, variance)


def changes(levels: Sequence[Level]) -> list[Changes]:
    """Count every word of the levels that compare words."""
    own = [each for each in levels if each.metric == "word" and each.found.kept.any()]
    several = len({each.pairs.condition for each in own}) > 1
    found = []
    for each in own:
        axis = each.words.name
        name = f"{axis} · {each.pairs.condition}" if several else axis
        found.append(Changes(name, each, *_counted(each)))
    return found


def _counted(level: Level) -> tuple[pl.DataFrame, Floats]:
    """Count words in every text, a batch of articles at a time."""
    parts: list[pl.DataFrame] = []
    counts: list[Floats] = []
    begin = 0
    for batch in level.pairs.batches():
        texts = [batch[side] for side in ("reference", "generated")]
        for generated, own in enumerate(texts):
            parts += _in_texts(own, begin, generated, level.words)
        counts.append(np.stack([level.words.count(own) for own in texts]))
        begin += batch.height
    return pl.concat(parts), np.concatenate(counts, axis=1)


def _in_texts(
    texts: pl.Series, begin: int, generated: int, words: GroupWords
) -> Iterator[pl.DataFrame]:
    article = pl.Series("article", np.arange(begin, begin + len(texts)))
    for place, pattern in enumerate(words.patterns.values()):
        yield (
            pl.DataFrame({"article": article, "word": texts.str.extract_all(pattern)})
            .explode("word")
            .drop_nulls("word")
            .with_columns(pl.col("word").str.to_lowercase())
            .group_by("article", "word")
            .agg(pl.len().cast(pl.Int64).alias("n"))
            .select("article", pl.lit(generated).alias("generated"),
                    pl.lit(place).alias("group"), "word", "n")
        )  # fmt: skip


def left_out_table(every: Sequence[Changes]) -> pl.DataFrame:
    """List each group's mean change with one article, or one of its words, left out.

    Returns
    -------
    polars.DataFrame
        `axis`, `group`, `left_out` (`prompt` for an article, `wording` for a word), `which`,
        `value` without it, and `all`, with everything.
    """
    rows = [row for each in every for row in (*_without_articles(each), *_without_words(each))]
    names = ("axis", "group", "left_out", "which")
    schema: dict[str, pl.DataType] = {name: pl.String() for name in names}
    schema |= {"value": pl.Float64(), "all": pl.Float64()}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return table.with_columns(pl.col("value", "all").fill_nan(None))


def _without_articles(each: Changes) -> Iterator[tuple[str, str, str, str, float, float]]:
    change = _change(each.counts)
    n = len(change) - np.isnan(change[:, 0]).sum()
    if n < 2:
        return
    for column, group in enumerate(each.level.words.groups):
        own = change[:, column]
        mean = float(np.nanmean(own))
        known = np.flatnonzero(~np.isnan(own))
        largest = known[np.argsort(-np.abs(own[known] - mean), kind="stable")[:_SHOWN]]
        for place in largest.tolist():
            less = (mean * n - own[place]) / (n - 1)
            yield each.axis, group, "prompt", each.level.pairs.titles[place], float(less), mean


def _without_words(each: Changes) -> Iterator[tuple[str, str, str, str, float, float]]:
    every = np.nanmean(_change(each.counts), axis=0)
    for column, group in enumerate(each.level.words.groups):
        own = each.words.filter(group=column)
        frequent = own.group_by("word").agg(pl.col("n").sum()).sort("n", "word", descending=True)
        for word in frequent["word"].head(_SHOWN):
            less = each.counts.copy()
            part = own.filter(word=word)
            place = part["generated"].to_numpy(), part["article"].to_numpy(), column
            less[place] -= part["n"].to_numpy()
            left = _change(less)
            value = float(np.nanmean(left[:, column])) if np.isfinite(left).any() else np.nan
            yield each.axis, group, "wording", word, value, float(every[column])


def _change(counts: Floats) -> Floats:
    """Give the changes of groups' shares, shape (pairs, groups); NaN where a text has no word."""
    return np.asarray(shares(counts[1]) - shares(counts[0]))


def variance_table(every: Sequence[Changes]) -> pl.DataFrame:
    """Say what makes mean changes unsure, as shares of their variance.

    Were words drawn one by one, a group's share in a text of n words of groups would vary by
    p(1 − p)/n; what changes vary beyond that is between headlines. Since words of one kind come in
    clusters, the part of the words is more than that rather than less.

    Returns
    -------
    polars.DataFrame
        `group` (`headlines`, `words of groups`), `value` (share of 1); empty where nothing varies.
    """
    words, total = 0.0, 0.0
    for each in every:
        change = _change(each.counts)
        known = ~np.isnan(change[:, 0])
        if known.sum() < 2:
            continue
        total += float(change[known].var(axis=0, ddof=1).sum())
        words += float(_of_counting(each.counts, known))
    schema = {"group": pl.String, "value": pl.Float64}
    if not total > 0:
        return pl.DataFrame(schema=schema)
    share = min(words / total, 1.0)
    rows = [("headlines", 1 - share), ("words of groups", share)]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _of_counting(counts: Floats, known: NDArray[np.bool_]) -> float:
    """Give the variance of a change that counting words alone gives, over all groups."""
    kept = counts[:, known]
    pooled = kept.sum(axis=(0, 1)) / kept.sum()
    spread = float((pooled * (1 - pooled)).sum())
    return spread * float((1 / kept.sum(axis=2)).sum(axis=0).mean())


def advice(variance: pl.DataFrame) -> str:
    """Say in one sentence what would make the changes surer; empty where that is not known."""
    if variance.is_empty():
        return ""
    worst, share = max(variance.iter_rows(), key=lambda row: row[1])
    more, where = _MORE[worst]
    return f"Add {more}: {share:.0%} of what makes these changes unsure comes from {where}."


def figures(every: Sequence[Changes], variance: pl.DataFrame) -> list[Figure]:
    """Draw the changes with one article or word left out, and what makes them unsure."""
    said = advice(variance)
    several = len(every) > 1
    drawn = [
        Figure(
            "left_out",
            "What it hangs on: each change of words with one article, or one of the group's words, "
            f"left out{': ' + each.axis.replace('_', ' ') if several else ''}. {said}".strip(),
            LEFT_OUT,
            {"axis": each.axis, "unit": "share", "wording": "words", "prompt": "articles",
             "what": "change from the references"},
        )
        for each in every
    ]  # fmt: skip
    if not variance.is_empty():
        drawn.append(
            Figure("bars", "What makes the changes of words unsure: shares of their variance",
                   VARIANCE, {"unit": "share"})
        )  # fmt: skip
    return drawn
