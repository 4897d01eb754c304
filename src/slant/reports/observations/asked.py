"""The questions behind a finding, and those that differ from them in the group only."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import polars as pl

from slant.records import compared_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.engine.run import Run
    from slant.records import Finding

WHO = "who"
"""The column with whom a question is about."""

SLOT = "slot "
"""What the columns of slots begin with."""

_LOOKED_AT = 4_000
_KEPT = 2
"""So many tables of questions are held: findings come study by study."""


class Asked:
    """Reads what a run asked, without the texts.

    Parameters
    ----------
    run
        Which one.
    """

    def __init__(self, run: Run):
        self._run = run
        self._there = run.path("answers.parquet").exists()
        self._scored = run.path("scores.parquet").exists()
        self.questions = lru_cache(maxsize=_KEPT)(self._questions)
        self.adjusted = lru_cache(maxsize=_KEPT)(self._adjusted)

    def _questions(self, model: str, study: str, part: str) -> pl.DataFrame:
        """List the questions of a part of a study.

        Returns
        -------
        polars.DataFrame
            `position`, `sample`, `axis`, `group`, `condition`, `outcome`, `total` and `mean` (of
            the log-probabilities), `logprobs` where they are of options, and a column for every
            slot.
        """
        if not self._there:
            return pl.DataFrame(schema={"position": pl.Int64})
        own = self._run.answers.filter(model=model, study=study, part=part)
        table = own.select(
            "position", "sample", "axis", "group", "condition", "outcome", "slots",
            pl.col("logprobs").list.sum().alias("total"),
            pl.col("logprobs").list.mean().alias("mean"),
            pl.when(pl.col("slots").str.contains('"options"', literal=True))
            .then("logprobs").alias("logprobs"),
        ).collect()  # fmt: skip
        step = max(1, table.height // _LOOKED_AT)
        found = [json.loads(text or "{}") for text in table["slots"].gather_every(step)]
        names = list(dict.fromkeys(name for each in found for name in each))
        if not names:
            return table.drop("slots")
        kinds = pl.Struct(dict.fromkeys(names, pl.String))
        slots = table["slots"].str.json_decode(kinds).struct.unnest()
        return table.drop("slots").hstack(slots.rename(lambda name: f"{SLOT}{name}"))

    def _adjusted(self, model: str, study: str, part: str) -> pl.DataFrame:
        """Add `value`, as `slant.studies.likelihood.affinity` counts: without what a name does.

        What a name does to all descriptors alike, sentence by sentence, is subtracted from the mean
        log-probability: the median of its differences from the descriptor's median.
        """
        table = self.questions(model, study, part)
        word, name = f"{SLOT}descriptor", f"{SLOT}name"
        typical = pl.col("mean").median().over("condition", word)
        common = (pl.col("mean") - typical).median().over("condition", name)
        return table.with_columns((pl.col("mean") - common).alias("value"))

    def texts(self, finding: Finding, positions: Sequence[int]) -> pl.DataFrame:
        """Read `position`, `prompt` and `text` of a few answers, in the order given."""
        wanted = pl.DataFrame({"position": list(positions)}, schema={"position": pl.Int64})
        if not self._there:
            empty = {"prompt": pl.String, "text": pl.String}
            return wanted.clear().with_columns(pl.lit(None, kind).alias(name)
                                               for name, kind in empty.items())  # fmt: skip
        own = self._run.answers.filter(
            pl.col("position").is_in(list(positions)), model=finding.model, study=finding.study
        )
        found = own.select("position", "prompt", "text").collect()
        return wanted.join(found, on="position", how="inner", maintain_order="left")

    def scores(self, finding: Finding) -> pl.DataFrame:
        """Read `position`, `value` and `spans` that the finding's measure gave."""
        if not self._scored:
            kinds: dict[str, Any] = {
                "position": pl.Int64,
                "value": pl.Float64,
                "spans": pl.List(pl.List(pl.UInt32)),
            }
            return pl.DataFrame(schema=kinds)
        own = self._run.scores.filter(
            model=finding.model, study=finding.study, measure=finding.measure
        )
        return own.select("position", "value", "spans").collect()


def about(table: pl.DataFrame, finding: Finding) -> pl.DataFrame:
    """Narrow questions to those of a finding, about whomever, and say whom in the column `who`.

    The finding's group stands in a slot where it is only a part of whom a question is about (an
    ethnicity of a name), else in the column `group`.
    """
    if "group" not in table.columns:
        return table.with_columns(pl.lit("").alias(WHO))
    told = [name for name, value in finding.slots.items() if value == finding.group]
    told = [name for name in told if f"{SLOT}{name}" in table.columns]
    if told:
        who = f"{SLOT}{told[0]}"
    else:
        who = "group"
        if (table["axis"] == finding.axis).any():
            table = table.filter(axis=finding.axis)
    for name, value in finding.slots.items():
        if name not in told and f"{SLOT}{name}" in table.columns:
            table = table.filter(pl.col(f"{SLOT}{name}") == value)
    if finding.condition and (table["condition"] == finding.condition).any():
        table = table.filter(condition=finding.condition)
    return table.with_columns(pl.col(who).alias(WHO))


def beside(table: pl.DataFrame, finding: Finding) -> pl.DataFrame:
    """Set each of the group's questions beside the same question about others.

    The same question has the same condition and the same slots, but for those that follow from
    whom it is about, or tell it: a name, the sentence itself.

    Parameters
    ----------
    table
        What `about` gives, with a column `value`.
    finding
        Whose group it is; a comparison with one other group takes only that one.

    Returns
    -------
    polars.DataFrame
        `position` and `value` of the group's question; `other` and `other_value` of the one about
        others that lies in the middle; and `gap`, how much more the value is than the median of
        the others'. The largest gap in the finding's direction comes first.
    """
    against = compared_with(finding.contrast)
    own = table.filter(pl.col(WHO) == finding.group, pl.col("value").is_not_null())
    others = table.filter(pl.col(WHO) != finding.group, pl.col("value").is_not_null())
    if against and (others[WHO] == against).any():
        others = others.filter(pl.col(WHO) == against)
    slots = [name for name in table.columns if name.startswith(SLOT)]
    key = ["condition", *(name for name in slots if _is_of_the_question(table, name))]
    middle = pl.col("value").median().over(key)
    far = (pl.col("value") - pl.col("median")).abs()
    others = (
        others.with_columns(middle.alias("median"))
        .sort(far, maintain_order=True)
        .unique(key, keep="first", maintain_order=True)
        .select(*key, "median", pl.col("position").alias("other"),
                pl.col("value").alias("other_value"))
    )  # fmt: skip
    paired = own.join(others, on=key, how="inner", nulls_equal=True, maintain_order="left")
    return paired.with_columns((pl.col("value") - pl.col("median")).alias("gap")).sort(
        "gap", descending=(finding.value or 0.0) > 0, maintain_order=True
    )


def _is_of_the_question(table: pl.DataFrame, slot: str) -> bool:
    """Tell whether a slot belongs to what is asked, and not to whom it is asked about."""
    if table[slot].n_unique() <= 1:
        return True
    follows = table.group_by(WHO).agg(pl.col(slot).n_unique())[slot].max() == 1
    tells = table.group_by(slot).agg(pl.col(WHO).n_unique())[WHO].max() == 1
    return not follows and not tells
