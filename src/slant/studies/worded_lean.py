"""What a model leans to after each wording of a group, from likelihoods instead of samples."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError
from slant.groups.template import fill
from slant.groups.wordings import shared_kinds, worded
from slant.records import PLACEBO, Item, Likelihood
from slant.studies.asked_likelihoods import asked_likelihoods
from slant.studies.continuation_lean import (
    CONTINUATIONS,
    SIDES,
    lean_filing,
    side_differences,
)
from slant.studies.crossed_findings import crossed_findings
from slant.studies.filing import Quantity
from slant.studies.study import Analysis, Sized
from slant.studies.worded import Held, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.groups.axes import Group
    from slant.groups.continuations import Continuations
    from slant.studies.study import Study
    from slant.studies.worded_groups import WordedGroups

PLACEBO_CONTINUATIONS = f"{PLACEBO} {CONTINUATIONS}"
"""The part of a study that asks how probable they are after placebo groups."""

ASKED_BY_LEAN = pl.col("part").is_in([CONTINUATIONS, PLACEBO_CONTINUATIONS])
"""Tells the rows that ask how probable continuations are from those of the rest of the study."""


def worded_prompts(known: Continuations) -> tuple[str, ...]:
    """Give the prompts that groups are asked about in all their wordings."""
    return (*known.prompts, *known.variants)


def check_worded_lean(whom: WordedGroups, known: Continuations) -> None:
    """Fail where groups cannot be asked about with these continuations.

    Raises
    ------
    InputError
        Too few wordings or prompts, or more pairs are asked for than there are.
    """
    whom.check("continuations")
    if whom.each > len(known.pairs):
        raise InputError(
            f"pairs = {whom.each}, but {known.name!r} has {len(known.pairs)} pairs of continuations"
        )


def worded_lean_rounds(study: str, known: Continuations, whom: WordedGroups) -> Iterator[Sized]:
    """Ask how probable some of the continuations are after every wording in every prompt.

    All groups are asked with the same pairs in a cell wording × prompt, and every cell with the
    next ones, so that all pairs have a share in every group's figure.

    Parameters
    ----------
    whom
        About whom; `each` counts pairs in a cell, `prompts` are `worded_prompts`.
    """
    asked = [(whom.groups, whom.each, CONTINUATIONS)]
    asked += [
        (axis.groups, whom.placebos.each, PLACEBO_CONTINUATIONS) for axis in whom.placebos.axes
    ]
    for groups, pairs, part in asked:
        cells = len(whom.prompts) * len(shared_kinds(groups, whom.prompts))
        yield Sized(
            2 * pairs * cells * len(groups),
            partial(_items, study, known, groups, pairs, part),
            chunk=2 * pairs,
        )


def _items(
    study: str, known: Continuations, groups: Sequence[Group], pairs: int, part: str
) -> Iterator[Item]:
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


def analyse_worded_lean(study: Study, answers: pl.LazyFrame, known: Continuations) -> Analysis:
    r"""Compare how much more probable the marked continuations are, over wordings and prompts.

    A cell wording × prompt holds the mean, over its pairs, of
    :math:`\log P(marked) - \log P(unmarked)` in nats. A pair that lacks a figure for some group
    of its axis is left out for all.

    Parameters
    ----------
    answers
        Those that `worded_lean_rounds` asked for.
    """
    table = asked_likelihoods(answers, "pair", "side", "kind", "wording")
    if table.filter(part=CONTINUATIONS).is_empty():
        return Analysis([], notes=[f"{known.title}: not asked within the limit of questions."])
    real, *controls = (
        lay_out(part, _leans(part))
        for _, part in table.group_by("part", "axis", maintain_order=True)
    )
    own = Quantity(
        f"{known.metric}_lean", "mean", "mean", "lower_is_better", part=CONTINUATIONS,
        measure="log-probability",
    )  # fmt: skip
    file = lean_filing(
        study, known, list(real.n), real.axis,
        wordings=len(real.kinds), prompts=worded_prompts(known),
    )  # fmt: skip
    return crossed_findings(file, own, [Held(real, controls)], seed=study.circumstances.seed)


def _leans(table: pl.DataFrame) -> pl.DataFrame:
    """Give the lean of every pair after every wording in every prompt, where all groups have it."""
    key = ["kind", "condition", "pair"]
    leans = side_differences(table, ["group", *key]).rename({"lean": "value"})
    everywhere = pl.col("value").is_not_null().sum().over(key) == table["group"].n_unique()
    return leans.filter(everywhere)
