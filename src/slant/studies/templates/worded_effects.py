"""Groups compared over their wordings and over templates, beside placebo groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.records import PLACEBO
from slant.studies.crossed_findings import crossed_findings
from slant.studies.templates.findings import WHAT
from slant.studies.templates.group_effects import pair_means
from slant.studies.worded import Held, Worded, lay_out

if TYPE_CHECKING:
    from slant.studies.filing import Filing
    from slant.studies.study import Analysis

_BY = ("group", "kind", "pair")


def analyse_worded_effects(
    file: Filing, metric: str, figure: str, rows: pl.DataFrame, seed: int
) -> Analysis:
    """Compare the groups of all sets in how probable an answer is; q holds over all of them.

    A cell wording × template holds the mean over a statement and its negation with equal weight,
    as `pair_means` has it. Placebo groups are asked statements of all sets, so each set's groups
    are held against all placebo groups.

    Parameters
    ----------
    metric
        What they are called.
    figure
        `p_contrary` or `p_yes`.
    rows
        As `tidy` gives them, of groups that have several wordings, placebo groups among them.
    """
    laid = {
        key: _laid_out(part, figure)
        for key, part in rows.group_by("part", "axis", maintain_order=True)
    }
    controls = [each for (part, _), each in laid.items() if part == PLACEBO]
    every = [Held(each, controls) for (part, _), each in laid.items() if part != PLACEBO]
    return crossed_findings(file, WHAT[metric], every, seed=seed)


def _laid_out(rows: pl.DataFrame, figure: str) -> Worded:
    cells = pl.concat_str("pair", "kind", separator="\n")
    means = pair_means(rows.with_columns(cells.alias("pair")), figure).with_columns(
        pl.col("pair").str.split_exact("\n", 1).struct.rename_fields(["pair", "kind"])
        .alias("cell")
    ).drop("pair").unnest("cell")  # fmt: skip
    answers = rows.filter(pl.col(figure).is_not_null()).group_by(_BY).agg(pl.len().alias("n"))
    values = means.join(answers, on=_BY, how="left", maintain_order="left")
    return lay_out(
        rows.with_columns(pl.col("pair").alias("condition")),
        values.rename({"pair": "condition"}),
        # Without probabilities every answer is 0 or 1, and even where all agree the next may not.
        shares=rows["p"].null_count() == rows.height,
    )
