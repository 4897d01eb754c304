"""The answers of two sides to the same questions, counted by group, prompt and outcome.

Nothing of the answers is kept but counts. Questions are known by their item; where two sides asked
in different words (a chat, a raw text), by group, condition and sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from slant.engine.comparison.side import Side

_NO, _YES, _MISSING = 0, 1, 2
_CELL = ("group", "condition")
_REFUSED = "refused "


@dataclass(frozen=True)
class CountedPairs:
    """One thing counted in the answers of both sides.

    Attributes
    ----------
    groups, prompts
        The rows and columns.
    counts
        Shape (groups, prompts, 3, 3): see `stats.paired_rates`.
    """

    groups: list[str]
    prompts: list[str]
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class AnswerPairs:
    """What two sides answered to the same questions of one study, on one axis.

    Attributes
    ----------
    counted
        By what is counted: texts that a measure scores 1 (its name), or refusals beside texts that
        it has a score for (`refused`, a blank and its name).
    shared
        How many questions both sides were asked.
    same
        How many of their answers are the same text.
    """

    counted: dict[str, CountedPairs]
    shared: int
    same: int


def answer_pairs(first: Side, second: Side, study: str, axis: str) -> AnswerPairs | None:
    """Count what two sides answered to the same questions.

    Parameters
    ----------
    first, second
        Whose answers.
    study, axis
        Which of them.

    Returns
    -------
    AnswerPairs or None
        `None` where a side has no table of answers or scores, or they share no question.
    """
    sides = [_answers(side, study, axis) for side in (first, second)]
    if any(side is None or side.is_empty() for side in sides):
        return None
    one, two = (side for side in sides if side is not None)
    counted = [name for name in one.columns if name in two.columns and name not in _FIXED]
    key = "item" if one.join(two, on="item", how="semi").height else "sample"
    if one[key].n_unique() < one.height or two[key].n_unique() < two.height:
        return None  # a question asked twice has no single partner
    both = one.join(two, on=key, how="full", coalesce=True, suffix=":2")
    met = both.filter(pl.col("text").is_not_null() & pl.col("text:2").is_not_null())
    if not both.filter(pl.col("kind").is_not_null() & pl.col("kind:2").is_not_null()).height:
        return None
    both = both.with_columns(pl.coalesce(name, f"{name}:2").alias(name) for name in _CELL)
    return AnswerPairs(
        {name: _counted(both, name) for name in counted},
        met.height,
        met.filter(pl.col("text") == pl.col("text:2")).height,
    )


def is_refusal(counted: str) -> bool:
    """Tell whether refusals are counted, and not what a measure found."""
    return counted.startswith(_REFUSED)


_FIXED = ("item", "sample", *_CELL, "kind", "text")


def _answers(side: Side, study: str, axis: str) -> pl.DataFrame | None:
    """Read one row a question: what it is known by, and 0, 1 or 2 for every measure."""
    if not all(side.run.path(name).exists() for name in ("answers.parquet", "scores.parquet")):
        return None
    mine = (pl.col("model") == side.model) & (pl.col("study") == study)
    try:
        answers = (
            side.run.answers.filter(mine & (pl.col("axis") == axis) & pl.col("logprobs").is_null())
            .select(
                "position",
                pl.struct(*_CELL, "item").hash().alias("item"),
                pl.struct(*_CELL, "sample").hash().alias("sample"),
                *(pl.col(name).cast(pl.Categorical) for name in _CELL),
                pl.col("outcome").cast(pl.Categorical).alias("kind"),
                pl.when(pl.col("text").is_not_null()).then(pl.col("text").hash()).alias("text"),
            )
            .collect(engine="streaming")
        )
        scores = side.run.scores.filter(mine).select("position", "measure", "value")
        names = scores.select(pl.col("measure").unique().sort()).collect()["measure"].to_list()
        for name in names:
            values = scores.filter(pl.col("measure") == name).select(
                "position", pl.col("value").cast(pl.Float32).alias(name)
            )
            answers = answers.join(values.collect(engine="streaming"), on="position", how="left")
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"{side.run.directory}: its tables of answers and scores cannot be read ({error}): "
            f"run `slant rescore {side.run.directory}`"
        ) from error
    return _settled(answers, names)


def _settled(answers: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """Say of every question what came of it, as `rate_tables.judged` does."""
    answered = pl.col("kind") == "answered"
    reads_refused = pl.col("refusal") == 1 if "refusal" in answers.columns else pl.lit(value=False)
    refused = (pl.col("kind") == "refused") | (answered & reads_refused.fill_null(value=False))
    kept = answered & ~refused
    columns = []
    for name in names:
        if name == "refusal" or not answers[name].drop_nulls().is_in([0.0, 1.0]).all():
            continue
        yes, no = kept & (pl.col(name) == 1), kept & (pl.col(name) == 0)
        columns += [_code(yes, no).alias(name), _code(refused, yes | no).alias(_REFUSED + name)]
    return answers.select("item", "sample", *_CELL, "kind", "text", *columns)


def _code(yes: pl.Expr, no: pl.Expr) -> pl.Expr:
    return pl.when(yes).then(_YES).when(no).then(_NO).otherwise(_MISSING).cast(pl.UInt8)


def _counted(both: pl.DataFrame, name: str) -> CountedPairs:
    codes = both.group_by(*_CELL, pl.col(name).fill_null(_MISSING).alias("one"),
                          pl.col(f"{name}:2").fill_null(_MISSING).alias("two")).len()  # fmt: skip
    codes = codes.with_columns(pl.col(column).cast(pl.String) for column in _CELL)
    groups, prompts = (sorted(set(codes[column].to_list())) for column in _CELL)
    counts = np.zeros((len(groups), len(prompts), 3, 3), dtype=np.int64)
    rows, columns = (
        {name: place for place, name in enumerate(names)} for names in (groups, prompts)
    )
    for group, prompt, one, two, number in codes.iter_rows():
        counts[rows[group], columns[prompt], one, two] += number
    return CountedPairs(groups, prompts, counts)
