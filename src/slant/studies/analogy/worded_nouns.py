"""Which nouns a model finds probable after each wording of a group, beside placebo groups."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy.special import logsumexp

from slant.groups.template import fill
from slant.groups.wordings import shared_kinds, worded
from slant.records import PLACEBO, Item
from slant.studies.analogy.noun_lean import (
    KIND,
    NOUN,
    NOUNS,
    asked_nouns,
    form_count,
    heat_map,
    likelihoods,
    log_shares,
    noun_filing,
    shown,
)
from slant.studies.crossed_findings import crossed_findings
from slant.studies.filing import Quantity
from slant.studies.study import Analysis, Sized
from slant.studies.worded import Held, lay_out
from slant.studies.worded_groups import kinds_in_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slant.groups.axes import Group
    from slant.studies.analogy.nouns_file import Nouns
    from slant.studies.study import Study
    from slant.studies.worded import Worded
    from slant.studies.worded_groups import WordedGroups

PLACEBO_NOUNS = f"{PLACEBO} {NOUNS}"
"""The part of the study that asks how probable nouns are after placebo groups."""


def worded_analogies(nouns: Nouns) -> tuple[str, ...]:
    """Give the analogies that groups are asked about in, in all their wordings."""
    return nouns.variants or nouns.prompts


def for_nouns(whom: WordedGroups, nouns: Nouns) -> WordedGroups:
    """Say whom to ask about: all groups in all wordings and analogies, some placebos in some."""
    prompts = worded_analogies(nouns)
    kinds = len(shared_kinds(whom.groups, prompts))
    return replace(whom, prompts=prompts, each=kinds * len(prompts), least=len(prompts))


def worded_noun_rounds(study: str, nouns: Nouns, whom: WordedGroups) -> Iterator[Sized]:
    """Ask how probable every form is after wordings in analogies, group by group.

    Parameters
    ----------
    whom
        As `for_nouns` gives it.
    """
    asked = [(whom.groups, whom.each, NOUNS)]
    asked += [(axis.groups, whom.placebos.each, PLACEBO_NOUNS) for axis in whom.placebos.axes]
    forms = form_count(nouns)
    for groups, most, part in asked:
        kinds = shared_kinds(groups, whom.prompts)
        turns = kinds_in_turn(len(kinds), len(whom.prompts), most)
        cells = [
            (prompt, kinds[place])
            for prompt, places in zip(whom.prompts, turns, strict=True)
            for place in places
        ]
        make = partial(_items, study, nouns, groups, cells, part)
        yield Sized(len(cells) * len(groups) * forms, make, chunk=forms)


def _items(
    study: str,
    nouns: Nouns,
    groups: Sequence[Group],
    cells: Sequence[tuple[str, str]],
    part: str,
) -> Iterator[Item]:
    for prompt, kind in cells:
        for group in groups:
            named = worded(group, kind)
            asked = {"kind": kind, "wording": named.form("plural")}
            for slots, request in likelihoods(nouns, fill(prompt, named)):
                yield Item(
                    study, request, 0, group.axis, group.name, prompt, {**slots, **asked}, part
                )


def analyse_worded_nouns(study: Study, answers: pl.LazyFrame, nouns: Nouns) -> Analysis:
    """Compare how probable nouns, and kinds of nouns, are, over wordings and analogies.

    The figures are those of `analyse_nouns`: log shares among all candidates, here in every cell
    wording × analogy.

    Parameters
    ----------
    answers
        Those that `worded_noun_rounds` asked for.
    """
    table = asked_nouns(answers)
    if table.filter(part=NOUNS).is_empty():
        return Analysis([], notes=[f"{nouns.title}: not asked within the limit of questions."])
    (real, values), *controls = (
        _laid_out(part, nouns) for _, part in table.group_by("part", "axis", maintain_order=True)
    )
    prompts = worded_analogies(nouns)
    file = noun_filing(study, nouns, list(real.n), real.axis, wordings=len(real.kinds),
                       prompts=prompts)  # fmt: skip

    def compared(metric: str, names: Sequence[str], of: Sequence[Sequence[int]]) -> Analysis:
        """Compare the groups by sums of nouns' probabilities."""
        own = Quantity(metric, "mean", "mean", "closer_to_target", part=NOUNS,
                       measure="log-probability")  # fmt: skip
        every = [
            Held(
                _with(real, values, places),
                [_with(each, theirs, places) for each, theirs in controls],
                name,
                {"noun" if metric == NOUN else "noun_kind": name},
            )
            for name, places in zip(names, of, strict=True)
        ]
        return crossed_findings(file, own, every, seed=study.circumstances.seed)

    names = [noun.name for noun in nouns.nouns]
    by_kind = [[n for n, noun in enumerate(nouns.nouns) if noun.kind == k] for k in nouns.kinds]
    kinds = compared(KIND, nouns.kinds, by_kind)
    singly = compared(NOUN, names, [[place] for place in range(len(names))])
    groups = list(real.groups)
    return Analysis(
        [*kinds.findings, *singly.findings],
        {
            **kinds.tables, **singly.tables,
            KIND: shown(kinds.findings, groups), NOUN: shown(singly.findings, groups),
        },
        [heat_map(), *kinds.figures],
        notes=[*kinds.notes, *singly.notes],
    )  # fmt: skip


def _laid_out(table: pl.DataFrame, nouns: Nouns) -> tuple[Worded, NDArray[np.float64]]:
    """Lay log shares of one axis out: the cells, and values of (groups, kinds, prompts, nouns)."""
    cell = pl.concat_str("kind", "condition", separator="\n")
    cells = table.select(cell.alias("cell"), "kind", "condition").unique("cell").rows_by_key("cell")
    groups = table["group"].unique(maintain_order=True).to_list()
    shares, kept = log_shares(table.with_columns(cell.alias("condition")), groups, nouns)
    rows = [(group, *cells[place][0]) for group in groups for place in kept]
    known = pl.DataFrame(rows, schema=["group", "kind", "condition"], orient="row")
    laid = lay_out(table, known.with_columns(pl.lit(0.0).alias("value")))
    values = np.full((*laid.values.shape, shares.shape[-1]), np.nan)
    for column, place in enumerate(kept):
        kind, prompt = cells[place][0]
        values[:, laid.kinds.index(kind), laid.prompts.index(prompt)] = shares[:, column]
    return laid, values


def _with(laid: Worded, values: NDArray[np.float64], places: Sequence[int]) -> Worded:
    """Give the log share of some nouns together."""
    return replace(laid, values=np.asarray(logsumexp(values[..., places], axis=-1)))
