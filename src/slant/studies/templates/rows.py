"""Answers as one table: which option was chosen, how probable the contrary one is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

_SLOTS = pl.Struct(
    dict.fromkeys(
        ("pair", "side", "context", "statement", "label", "contrary", "options", "form",
         "confidence"),
        pl.String,
    )
)  # fmt: skip
YES = 0
"""Which option yes is."""

_FIRST = re.compile(r"^\W*(?:(?:answer|a)\s*[:.]\s*)?", re.IGNORECASE)


def tidy(answers: pl.LazyFrame, scores: pl.LazyFrame) -> pl.DataFrame:
    """Read what became of every question.

    Parameters
    ----------
    answers, scores
        As a study gets them; the measure `refusal` tells refusals from other unreadable texts.

    Returns
    -------
    polars.DataFrame
        In the order asked: `position`, `axis` (the set), `group`, `template`, `pair`, `side`,
        `context`, `statement`, `form`, `prompt`, `options` (list), `label` and `contrary` (which
        option), `outcome`, `choice` (which option; null if none), `p` (list: probability of each
        option among the options; null where only a text came back), `p_contrary` (that of the
        contrary option, or 0 or 1 for a text), `p_yes` (the same of yes; null for other options),
        `confidence` (probability of the choice as the
        model gave it, not normalised; null if unknown).
    """
    refused = (
        scores.filter((pl.col("measure") == "refusal") & (pl.col("value") == 1))
        .select("position", pl.lit(value=True).alias("refuses"))
        .unique("position")
    )
    table = (
        answers.select(
            "position", "axis", "group", pl.col("condition").alias("template"), "prompt",
            pl.col("slots").str.json_decode(_SLOTS), "outcome", "text", "logprobs",
        )
        .join(refused, on="position", how="left", maintain_order="left")
        .collect()
        .unnest("slots")
        .with_columns(
            pl.col("label", "contrary").cast(pl.Int64),
            pl.col("options").str.json_decode(pl.List(pl.String)),
            pl.col("confidence").cast(pl.Float64),
        )
    )  # fmt: skip
    likely = pl.col("logprobs").list.len() > 0
    scaled = pl.element() - pl.element().max()
    table = table.with_columns(
        pl.when(likely)
        .then(pl.col("logprobs").list.eval(scaled.exp() / scaled.exp().sum()))
        .alias("p"),
        pl.when(likely).then(pl.col("logprobs").list.arg_max()).cast(pl.Int64).alias("choice"),
    )
    parsed = [
        None if text is None else parse_choice(text, options)
        for text, options in table.select("text", "options").iter_rows()
    ]
    choice = pl.coalesce("choice", pl.Series("parsed", parsed, dtype=pl.Int64))
    table = table.with_columns(
        pl.when(pl.col("outcome") == "answered").then(choice).alias("choice")
    )
    unread = (pl.col("outcome") == "answered") & pl.col("choice").is_null()
    outcome = pl.when(pl.col("refuses").fill_null(value=False)).then(pl.lit("refused"))
    given = pl.col("logprobs").list.get(pl.col("choice"), null_on_oob=True).exp()
    yes_no = pl.col("options").list.eval(pl.element().str.to_lowercase()) == ["yes", "no"]

    def probability(option: pl.Expr) -> pl.Expr:
        said = (pl.col("choice") == option).cast(pl.Float64)
        return pl.coalesce(pl.col("p").list.get(option, null_on_oob=True), said)

    return table.with_columns(
        pl.when(unread).then(outcome.otherwise(pl.lit("unparseable"))).otherwise("outcome")
        .alias("outcome"),
        pl.coalesce("confidence", given).alias("confidence"),
        probability(pl.col("contrary")).alias("p_contrary"),
        pl.when(yes_no).then(probability(pl.lit(YES))).alias("p_yes"),
    ).drop("refuses", "logprobs", "text")  # fmt: skip


def parse_choice(text: str, options: Sequence[str]) -> int | None:
    """Find the option that a text begins with, or says to be the answer, or alone spells out.

    Options are whole words. Where they stand in the middle of a text, case counts, for "there is
    no way to know" is not No.

    Returns
    -------
    int or None
        Which option, from 0; `None` if there is none, or more than one.
    """
    words = [re.escape(option.strip()) + r"(?!\w)" for option in options]
    ways = (
        (_FIRST.sub("", text, count=1), r"(?i)^"),
        (text, r"(?i)\banswer\W+(?:is|would be)?\W*"),
        (text, r"(?<!\w)"),
    )
    for where, before in ways:
        found = [place for place, word in enumerate(words) if re.search(before + word, where)]
        if found:
            longest = max(found, key=lambda place: len(options[place]))
            inside = [place for place in found if options[place] in options[longest]]
            return longest if len(inside) == len(found) else None
    return None
