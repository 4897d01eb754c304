"""Answers as one table: which option was chosen, how probable the contrary one is."""

from __future__ import annotations

import polars as pl

from slant.readings.choice import read_choice

_SLOTS = pl.Struct(
    dict.fromkeys(
        ("pair", "side", "context", "statement", "label", "contrary", "options", "form",
         "confidence", "kind", "wording", "row"),
        pl.String,
    )
)  # fmt: skip
_BEGINNING = r"^\s*(\w+|\S)"
"""A word, or a sign: what stands for the first token of a text that comes without its tokens."""
YES = 0
"""Which option yes is."""


def tidy(answers: pl.LazyFrame, scores: pl.LazyFrame, *, first_token: bool = False) -> pl.DataFrame:
    """Read what became of every question.

    Parameters
    ----------
    answers, scores
        As a study gets them; the measure `refusal` tells refusals from other unreadable texts.
    first_token
        Take the first token of a text for the answer, whatever it is, as APES does.

    Returns
    -------
    polars.DataFrame
        In the order asked: `position`, `row` (of a file of examples; null without), `part`, `axis`
        (the set), `group`, `kind` and `wording` (null where a group has one), `template`,
        `pair`, `side`, `context`, `statement`, `form`, `prompt`, `options` (list), `label` and
        `contrary` (which option), `outcome`, `choice` (which option; null if none), `p` (list:
        probability of each option among the options; null where only the text is to be trusted, see
        `slant.readings.choice`), `p_contrary` (that of the contrary option, or 0 or 1 for a text),
        `p_yes` (the same of yes; null for other options), `confidence` (probability of the choice
        as the model gave it, not normalised; null if unknown), `mass` (what the options hold
        together; null if unknown), `disagrees` (whether text and probabilities name different
        options), `written` (whether there is a text), `prediction` (what was said: the text, its
        first token, or the option).
    """
    refused = (
        scores.filter((pl.col("measure") == "refusal") & (pl.col("value") == 1))
        .select("position", pl.lit(value=True).alias("refuses"))
        .unique("position")
    )
    table = (
        answers.select(
            "position", "part", "axis", "group", pl.col("condition").alias("template"), "prompt",
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
    table = _with_first_tokens(table) if first_token else _with_choices(table)
    unread = (pl.col("outcome") == "answered") & pl.col("choice").is_null()
    outcome = pl.when(pl.col("refuses").fill_null(value=False)).then(pl.lit("refused"))
    alone = pl.col("logprobs").list.len() == 1
    place = pl.when(alone).then(0).otherwise("choice")
    given = pl.col("logprobs").list.get(place, null_on_oob=True).exp()
    named = pl.col("options").list.get(pl.col("choice"), null_on_oob=True)
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
        pl.coalesce("prediction", named).alias("prediction"),
    ).drop("refuses", "logprobs", "text")  # fmt: skip


def _with_first_tokens(table: pl.DataFrame) -> pl.DataFrame:
    """Read as `_with_choices` does, but texts by their first token, which must be an option."""
    table = _with_choices(table)
    said = pl.when("written").then(pl.col("text").str.extract(_BEGINNING))
    chosen = pl.concat_list("prediction", "options").list.eval(
        (pl.element().slice(1) == pl.element().first()).arg_true()
    )
    read = table.with_columns(said.alias("prediction")).with_columns(
        pl.when(pl.col("prediction").is_not_null())
        .then(chosen.list.first().cast(pl.Int64))
        .otherwise("choice")
        .alias("choice")
    )
    return read.with_columns(
        pl.when("written").then(None).otherwise("p").alias("p"),
        pl.lit(value=False).alias("disagrees"),
    )


def _with_choices(table: pl.DataFrame) -> pl.DataFrame:
    """Add `choice`, `p`, `mass`, `disagrees`, `written`, and `prediction`, the text.

    What did not answer has no choice.
    """
    likely = pl.col("logprobs").list.len() > 0
    scaled = pl.element() - pl.element().max()
    written = table["text"].fill_null("").str.len_bytes() > 0
    table = table.with_columns(
        pl.when(likely)
        .then(pl.col("logprobs").list.eval(scaled.exp() / scaled.exp().sum()))
        .alias("p"),
        pl.when(likely).then(pl.col("logprobs").list.arg_max()).cast(pl.Int64).alias("choice"),
        pl.when(likely).then(pl.col("logprobs").list.eval(pl.element().exp()).list.sum())
        .clip(0.0, 1.0).alias("mass"),
    )  # fmt: skip
    # Where there is a text, it has a say.
    texts = table.select("text", "logprobs", "options").filter(written)
    read = [read_choice(text, logprobs, options) for text, logprobs, options in texts.iter_rows()]
    rows = written.arg_true()
    choice = table["choice"].scatter(
        rows, pl.Series([each.option for each in read], dtype=pl.Int64)
    )
    trusted = pl.repeat(value=True, n=table.height, eager=True).scatter(
        rows, pl.Series([each.probabilities is not None for each in read], dtype=pl.Boolean)
    )
    disagrees = pl.repeat(value=False, n=table.height, eager=True).scatter(
        rows, pl.Series([each.disagrees for each in read], dtype=pl.Boolean)
    )
    return table.with_columns(
        pl.when(pl.col("outcome") == "answered").then(choice).alias("choice"),
        pl.when(trusted).then("p").alias("p"),
        disagrees.alias("disagrees"),
        written.alias("written"),
        pl.when(written).then("text").alias("prediction"),
    )
