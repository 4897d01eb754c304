"""The sentences that a judge rules on: those about a group, as the sentence level has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from slant.studies.news.sentence_table import about, split

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from slant.groups.group_words import GroupWords
    from slant.studies.news.pairs import Pairs

_Row: TypeAlias = tuple[str, str, str, str, None, str, str]

REFERENCE = "reference"
"""The condition of sentences that people wrote."""

_SCHEMA = {
    **dict.fromkeys(("axis", "group", "condition", "unit"), pl.String),
    "answer": pl.Int64, "prompt": pl.String, "text": pl.String,
}  # fmt: skip


def judged_sentences(every: Sequence[Pairs], words: Sequence[GroupWords]) -> pl.DataFrame:
    """Lay out the sentences about each group, as `MeasuredStudy.judged_texts` has them.

    Those of a reference stand there once, however many articles were written beside it.
    """
    rows: list[_Row] = []
    known: set[str] = set()
    for pairs in every:
        for batch in pairs.batches():
            rows += _rows(pairs, batch, words, known)
        known.update(pairs.ids)
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _rows(
    pairs: Pairs, batch: pl.DataFrame, words: Sequence[GroupWords], known: Collection[str]
) -> Iterator[_Row]:
    texts, article, generated = split(batch)
    ids, titles = batch["id"], batch["title"]
    column = pl.Series(texts, dtype=pl.String)
    for each in words:
        whose = about(each.count(column))
        for place in (whose >= 0).nonzero()[0]:
            pair = int(article[place])
            if not generated[place] and ids[pair] in known:
                continue
            condition = pairs.condition if generated[place] else REFERENCE
            group = each.groups[whose[place]]
            yield (
                each.name, group, condition, ids[pair], None, titles[pair] or "", texts[place],
            )  # fmt: skip
