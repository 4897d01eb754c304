"""Rates of texts of a kind, of groups that were asked about in several wordings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.measures.measure import REFUSAL
from slant.records import PLACEBO
from slant.studies.compared_texts import ComparedTexts
from slant.studies.copies import copies_note
from slant.studies.crossed_findings import crossed_findings
from slant.studies.filing import Quantity
from slant.studies.rate_analysis import OUTCOMES
from slant.studies.rate_tables import judged
from slant.studies.signature import filing
from slant.studies.study import Analysis
from slant.studies.worded import Held, lay_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.measures.measure import Measure
    from slant.studies.study import Study

WORDING = pl.Struct({"kind": pl.String, "wording": pl.String})
"""The slots of a question that names a group in one of its wordings."""


def analyse_worded_rates(
    study: Study,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    *,
    counted: Measure,
    metric: str = "",
    others: Sequence[Measure] = (),
    added: Sequence[Measure] | None = None,
    reference: str | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Analysis:
    """Compare how often the groups' texts are of a kind, and how often they are refused.

    Parameters
    ----------
    study, scores, counted, metric, others, added, reference, parameters
        As `analyse_rates` takes them.
    answers
        Likewise; `slots` hold `kind` and `wording`, and those of the part `placebo` are controls.
    """
    every = with_wordings(
        answers, judged(answers, scores, counted.name, [m.name for m in others], study)
    )
    table = every.filter(pl.col("part") != PLACEBO)
    if table.is_empty():
        return Analysis([], notes=["Not asked within the limit of questions."])
    own = answers.filter(pl.col("part") != PLACEBO)
    analyses = []
    for name, measure, signed in (
        (metric or counted.metric, counted.name, counted.signature),
        ("refusal_rate", REFUSAL, _refusal(study)),
    ):
        what = Quantity(name, "rate", "rate", "lower_is_better", 0.0, "share", measure)
        real, *controls = (
            lay_out(part, _hits(part, name == "refusal_rate"), shares=True)
            for _, part in every.group_by("part", "axis", maintain_order=True)
        )
        analyses.append(
            crossed_findings(
                filing(study, measure=signed, axis=table["axis"][0], **(parameters or {})),
                what, [Held(real, controls)], seed=study.circumstances.seed, reference=reference,
            )
        )  # fmt: skip
    added = study.added if added is None else added
    texts = ComparedTexts(study, own, scores, (counted, *added), reference, parameters, others)
    more = [finding for each in added for finding in texts.findings(each)]
    crossed = Analysis.together(*analyses)
    return Analysis(
        [*crossed.findings, *more],
        {**texts.evidence(), **crossed.tables},
        [
            *analyses[0].figures,
            *(figure for each in added for figure in texts.figures(each, more)),
            OUTCOMES,
        ],
        texts.quotes(),
        [*copies_note(every), *crossed.notes],
    )


def _refusal(study: Study) -> str:
    return next(each.signature for each in study.measures() if each.name == REFUSAL)


def with_wordings(answers: pl.LazyFrame, table: pl.DataFrame) -> pl.DataFrame:
    """Join `part`, `kind` and `wording` to judged answers."""
    slots = pl.col("slots").str.json_decode(WORDING)
    known = answers.select("position", "part", slots).unnest("slots").collect()
    return table.join(known, on="position", how="left", maintain_order="left")


def _hits(table: pl.DataFrame, refusals: bool) -> pl.DataFrame:
    """Give 1 for every answer of the kind that is counted, 0 for every other that counts."""
    hit = pl.col("outcome") == "refused" if refusals else pl.col("value") == 1
    counted = pl.col("outcome").is_in(["answered", "refused"] if refusals else ["answered"])
    return table.filter("counts", counted).with_columns(hit.cast(pl.Float64).alias("value"))
