"""What a model leans to after each wording of a group, from likelihoods instead of samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.groups.template import fill
from slant.groups.wordings import shared_kinds, worded
from slant.records import PLACEBO, Item, Likelihood
from slant.studies.continuation_lean import CONTINUATIONS, SIDES, lean_filing
from slant.studies.crossed_findings import crossed_findings
from slant.studies.filing import Quantity, outcomes_by_group
from slant.studies.study import Analysis
from slant.studies.worded import Worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.groups.axes import Axis, Group
    from slant.groups.continuations import Continuations
    from slant.studies.study import Study

PLACEBO_CONTINUATIONS = f"{PLACEBO} {CONTINUATIONS}"
"""The part of a study that asks how probable they are after placebo groups."""

_SLOTS = pl.Struct(
    {"pair": pl.String, "side": pl.String, "kind": pl.String, "wording": pl.String}
)  # fmt: skip


def worded_prompts(known: Continuations) -> tuple[str, ...]:
    """Give the prompts that groups are asked about in all their wordings."""
    return (*known.prompts, *known.variants)


def worded_lean_items(
    study: str, known: Continuations, groups: Sequence[Group], pairs: int, part: str
) -> Iterator[Item]:
    """Ask how probable some of the continuations are after every wording in every prompt.

    All groups are asked with the same pairs in a cell wording × prompt, and every cell with the
    next ones, so that all pairs have a share in every group's figure.
    """
    prompts = worded_prompts(known)
    kinds = shared_kinds(groups, prompts)
    for number, (prompt, kind) in enumerate((p, k) for p in prompts for k in kinds):
        chosen = [(number * pairs + place) % len(known.pairs) for place in range(pairs)]
        for group in groups:
            named = worded(group, kind)
            source = fill(prompt, named)
            for pair in chosen:
                for side in SIDES:
                    slots = {
                        "pair": str(pair), "side": side, "kind": kind,
                        "wording": named.form("plural"),
                    }  # fmt: skip
                    request = Likelihood(getattr(known.pairs[pair], side), source)
                    yield Item(study, request, 0, group.axis, group.name, prompt, slots, part)


def asked_by_worded_lean() -> pl.Expr:
    """Tell the rows that `worded_lean_items` asked for from those of the rest of the study."""
    return pl.col("part").is_in([CONTINUATIONS, PLACEBO_CONTINUATIONS])


def analyse_worded_lean(
    study: Study, answers: pl.LazyFrame, known: Continuations, axis: Axis
) -> Analysis:
    r"""Compare how much more probable the marked continuations are, over wordings and prompts.

    A cell wording × prompt holds the mean, over its pairs, of
    :math:`\log P(marked) - \log P(unmarked)` in nats. A pair that lacks a figure for some group
    of its axis is left out for all.

    Parameters
    ----------
    study
        Whose answers they are.
    answers
        Those that `worded_lean_items` asked for.
    known
        The continuations.
    axis
        The real axis, for the signature.
    """
    table = answers.select(
        "part", "axis", "group", "condition", "outcome",
        pl.col("slots").str.json_decode(_SLOTS),
        pl.when(pl.col("logprobs").list.len() > 0).then(pl.col("logprobs").list.sum())
        .alias("logprob"),
    ).unnest("slots").collect()  # fmt: skip
    if table.filter(part=CONTINUATIONS).is_empty():
        return Analysis([], notes=[f"{known.title}: not asked within the limit of questions."])
    axes = [_worded(part) for _, part in table.group_by("part", "axis", maintain_order=True)]
    own = Quantity(
        f"{known.metric}_lean", "mean", "mean", "lower_is_better", part=CONTINUATIONS,
        measure="log-probability",
    )  # fmt: skip
    file = lean_filing(
        study, known, list(axes[0].groups), axis.name,
        wordings=len(axes[0].kinds), prompts=worded_prompts(known),
    )  # fmt: skip
    return crossed_findings(file, own, axes[0], axes[1:], seed=study.circumstances.seed)


def _worded(table: pl.DataFrame) -> Worded:
    """Lay leans of one axis out as (groups, kinds, prompts)."""
    by = ("group", "kind", "condition")
    names = {column: table[column].unique(maintain_order=True).to_list() for column in by}
    key = ["kind", "condition", "pair"]
    sides = table.pivot("side", index=["group", *key], values="logprob")
    for side in SIDES:
        if side not in sides.columns:
            sides = sides.with_columns(pl.lit(None, pl.Float64).alias(side))
    leans = sides.with_columns((pl.col("marked") - pl.col("unmarked")).alias("lean"))
    everywhere = pl.col("lean").is_not_null().sum().over(key) == len(names["group"])
    cells = leans.filter(everywhere).group_by(by).agg(
        pl.col("lean").mean(), pl.len().alias("n")
    )  # fmt: skip
    values = np.full([len(each) for each in names.values()], np.nan)
    n = dict.fromkeys(names["group"], 0)
    for row in cells.iter_rows(named=True):
        values[tuple(each.index(row[c]) for c, each in names.items())] = row["lean"]
        n[row["group"]] += row["n"]
    return Worded(
        axis=table["axis"][0],
        groups=names["group"],
        kinds=names["kind"],
        prompts=names["condition"],
        values=values,
        n=n,
        outcomes=outcomes_by_group(table),
        texts={
            (row["group"], row["kind"]): row["wording"]
            for row in table.select("group", "kind", "wording").unique().iter_rows(named=True)
        },
    )
