"""Which words complete the analogy for which group, over its wordings and beside placebo groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.studies.analogy.word_findings import FIRST_WORD, SHARE, tested_words
from slant.studies.crossed_findings import crossed_findings
from slant.studies.filing import Quantity
from slant.studies.study import Analysis
from slant.studies.worded import Held, Worded, lay_out

if TYPE_CHECKING:
    from slant.studies.analogy.word_findings import Words
    from slant.studies.filing import Filing


def worded_word_findings(
    words: Words, asked: pl.DataFrame, kept: pl.DataFrame, file: Filing, seed: int
) -> Analysis:
    """Compare the share of every frequent word between groups, over wordings and analogies.

    Parameters
    ----------
    words
        Those of the real groups: which are frequent is decided without regard to groups.
    asked
        All questions, with `part`, `axis`, `kind` and `wording`.
    kept
        The answers that count, by `position`, with their `word`.
    """
    if len(words.groups) < 2:
        return Analysis([])
    own = Quantity(SHARE, "rate", "rate", "closer_to_target", scale="share", measure=FIRST_WORD)
    said = asked.join(kept.select("position", "word"), on="position", how="inner")
    parts = [
        (rows, said.filter(pl.col("part") == part, pl.col("axis") == axis))
        for (part, axis), rows in asked.group_by("part", "axis", maintain_order=True)
    ]

    def shares(word: str) -> list[Worded]:
        value = (pl.col("word") == word).cast(pl.Float64).alias("value")
        return [lay_out(rows, mine.with_columns(value), shares=True) for rows, mine in parts]

    every = []
    for place in tested_words(words):
        word = words.words[place]
        real, *controls = shares(word)
        every.append(Held(real, controls, word))
    return crossed_findings(file, own, every, seed=seed)
