"""What the pictures show: statements beside their negations, and one group beside another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.studies.study import Figure, Quote, View
from slant.studies.templates.findings import CONTRARY, YES_ANSWERS
from slant.studies.templates.habits import twins
from slant.studies.templates.paper import BUCKETS
from slant.studies.templates.rows import YES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.templates import TemplateSet

MOST = 60
"""How many pairs of sentences are kept to be looked at."""

_SHOWN = 3

PAIRS = View("pairs", "Sentences that differ in the group only", "counterfactuals")
"""How the table that `counterfactuals` makes is read."""


def pairs_table(asked: pl.DataFrame) -> pl.DataFrame:
    """Lay out every statement beside its negation.

    Parameters
    ----------
    asked
        As `slant.studies.templates.habits.statements` gives it, with a column `axis`.

    Returns
    -------
    polars.DataFrame
        `pair`, `axis`, `group`, `context`, `statement`, `negation`, `label`, `p_yes`,
        `p_yes_negated` (null where only texts came back), `correct`, `correct_negated`, and what
        the groups' figures average: `yes` and `contrary`, the probabilities of a yes and of the
        answer contrary to the label, each the mean of statement and negation.
    """
    known = pl.col("likely") & pl.col("likely_negated")
    yes, negated = pl.col("p_yes"), pl.col("p_yes_negated")
    affirmed = pl.col("label") == YES
    contrary = pl.when(affirmed).then(1 - yes + negated).otherwise(yes + 1 - negated) / 2
    return twins(asked).select(
        "pair",
        "axis",
        "group",
        "context",
        "statement",
        pl.col("statement_negated").alias("negation"),
        pl.when(pl.col("label") == YES).then(pl.lit("Yes")).otherwise(pl.lit("No")).alias("label"),
        pl.when(known).then("p_yes").alias("p_yes"),
        pl.when(known).then("p_yes_negated").alias("p_yes_negated"),
        (pl.col("answer") == pl.col("label")).alias("correct"),
        (pl.col("answer_negated") == pl.col("label_negated")).alias("correct_negated"),
        pl.when(known).then((yes + negated) / 2).alias("yes"),
        pl.when(known).then(contrary).alias("contrary"),
    )


def counterfactuals(asked: pl.DataFrame) -> pl.DataFrame:
    """Find sentences that differ in the group only and get the most different answers.

    The answers to a sentence and to its negation are averaged first, so that saying yes more
    easily of one group than of another does not look like a lean.

    Returns
    -------
    polars.DataFrame
        `axis`, `pair`, `group`, `other`, `statement`, `other_statement`, `p_biased`,
        `other_p_biased` (probability of the answer contrary to the label), `gap`; for each
        template and context the group with the most contrary answer beside the one with the
        least; largest gap first.
    """
    context = ["axis", "pair", "context"]
    sides = asked.group_by(context).agg(pl.col("side").n_unique().alias("sides"))
    whole = (
        asked.drop_nulls("p_contrary")
        .group_by(*context, "group", maintain_order=True)
        .agg(pl.col("p_contrary").mean(), pl.col("statement").first(),
             pl.col("side").n_unique().alias("has"))
        .join(sides, on=context, maintain_order="left")
        .filter(pl.col("has") == pl.col("sides"))
        .sort("p_contrary", maintain_order=True)
    )  # fmt: skip
    ends = whole.group_by(context, maintain_order=True).agg(
        pl.col("group").last(),
        pl.col("group").first().alias("other"),
        pl.col("statement").last(),
        pl.col("statement").first().alias("other_statement"),
        pl.col("p_contrary").last().alias("p_biased"),
        pl.col("p_contrary").first().alias("other_p_biased"),
    )
    return (
        ends.with_columns((pl.col("p_biased") - pl.col("other_p_biased")).alias("gap"))
        .filter(pl.col("gap") > 0)
        .sort("gap", descending=True, maintain_order=True)
        .head(MOST)
        .drop("context")
    )


def by_template(asked: pl.DataFrame, sets: Sequence[TemplateSet]) -> pl.DataFrame:
    """Give the mean probability of the contrary answer by template and group, largest first.

    Parameters
    ----------
    asked
        As `slant.studies.templates.habits.statements` gives it, with a column `axis`.
    sets
        Where the templates are from, for what they measure; none for a file that was measured.
    """
    known = pl.DataFrame(
        [
            (each.name, template.id, template.construct, template.severity, template.harm)
            for each in sets
            for template in each.templates
        ],
        schema=dict.fromkeys(("axis", "template", "construct", "severity", "harm"), pl.String),
        orient="row",
    )
    return (
        asked.group_by("axis", "template", "group", maintain_order=True)
        .agg(pl.col("p_contrary").mean(), pl.len().alias("n"), pl.col("statement").first())
        .join(known, on=["axis", "template"], how="left", maintain_order="left")
        .sort("p_contrary", descending=True, nulls_last=True, maintain_order=True)
    )


def forests_of(axes: list[str]) -> list[Figure]:
    """Ask for the pictures of the groups of each set, compared over templates."""
    figures = [
        Figure(
            "forest",
            "About whom the answer that contradicts the label comes more easily: "
            + axis.replace("_", " "),
            options={"metric": CONTRARY, "contrast": "vs_rest", "axis": axis},
        )
        for axis in axes
    ]
    title = "Who gets a yes more easily, whatever it affirms: "
    return figures + [
        Figure("forest", title + axis.replace("_", " "),
               options={"metric": YES_ANSWERS, "contrast": "vs_rest", "axis": axis})
        for axis in axes
    ]  # fmt: skip


def figures_of(tables: dict[str, pl.DataFrame]) -> list[Figure]:
    """Ask for the pictures of how the model answers, whoever it is about, in reading order."""
    figures = []
    pairs = tables["pairs"].drop_nulls(["p_yes", "p_yes_negated"])
    if not pairs.is_empty():
        figures += [
            Figure("agreement", "Whether statements and their negations are told apart", "pairs"),
            Figure("robustness", "How consistent answers are under negation", "pairs"),
        ]
    if not tables["buckets"].is_empty():
        figures.append(Figure("bubbles", "How sure the model is, right or wrong", "buckets"))
    return figures


def paper_figures(tables: dict[str, pl.DataFrame]) -> list[Figure]:
    """Ask for APES's two plots, and ours of the halves apart, where probabilities are known."""
    sure = "How sure the model is, right or wrong"
    even = "How consistent answers are under negation"
    flips = {
        "value": "difference in probability between a statement and its negation",
        "right": "pairs with two different answers",
        "wrong": "pairs with the same answer twice",
    }
    asked = [
        Figure("bubbles", sure, "bias_plot", {"most": BUCKETS}),
        Figure("bubbles", even, "robustness_plot", {"most": BUCKETS, **flips}),
        Figure("bubbles", f"{sure}: statements and negations apart", "buckets"),
    ]
    return [each for each in asked if not tables[each.table].is_empty()]


def quotes_of(asked: pl.DataFrame) -> list[Quote]:
    """Show for each group the statements with the most contrary answers."""
    chosen = (
        asked.drop_nulls("p_contrary")
        .sort("p_contrary", descending=True, maintain_order=True)
        .filter(pl.int_range(pl.len()).over("axis", "group") < _SHOWN)
        .sort("axis", "group", maintain_order=True)
    )
    return [
        Quote(
            group=row["group"],
            condition="",
            prompt=row["statement"],
            text=f"The answer that contradicts the label has {row['p_contrary']:.0%}.",
            value=row["p_contrary"],
        )
        for row in chosen.iter_rows(named=True)
    ]
