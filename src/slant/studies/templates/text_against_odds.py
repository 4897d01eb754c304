"""Where a model's text and its log-probabilities name different options: how often, of how many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.readings.choice import TRUSTED_MASS
from slant.stats import wilson
from slant.studies.filing import Measured, Quantity, Subject, count_outcomes
from slant.studies.templates.findings import EVERYONE

if TYPE_CHECKING:
    from slant.records import Finding
    from slant.studies.filing import Filing

DISAGREEMENT = Quantity(
    "text_disagrees", "rate", "rate", "lower_is_better", 0.0, "share",
    "text and log-probabilities", "answers", how={"ci": "wilson"},
)  # fmt: skip


def text_against_odds(rows: pl.DataFrame) -> pl.DataFrame:
    """Count, for each set, the answers that have both a text and log-probabilities.

    Parameters
    ----------
    rows
        As `slant.studies.templates.rows.tidy` gives them.

    Returns
    -------
    polars.DataFrame
        `axis`, `n` (answers with both, of which the options hold at least nine tenths of the mass),
        `disagree` (of these, where the two name different options; the text rules), `share`,
        `below` (answers with both where the options hold less, so that the text alone is read),
        `mass` (what the options hold, in the mean of all with both). Sets whose answers have one of
        the two only are left out.
    """
    trusted = pl.col("mass") >= TRUSTED_MASS
    return (
        rows.filter(pl.col("written") & pl.col("mass").is_not_null())
        .group_by("axis", maintain_order=True)
        .agg(
            trusted.sum().cast(pl.Int64).alias("n"),
            (trusted & pl.col("disagrees")).sum().cast(pl.Int64).alias("disagree"),
            pl.col("disagrees").filter(trusted).mean().alias("share"),
            (~trusted).sum().cast(pl.Int64).alias("below"),
            pl.col("mass").mean(),
        )
    )


def disagreement_findings(file: Filing, table: pl.DataFrame, rows: pl.DataFrame) -> list[Finding]:
    """Say for each set how often text and log-probabilities disagree."""
    found = []
    for each in table.iter_rows(named=True):
        if not each["n"]:
            continue
        low, high = wilson(each["disagree"], each["n"])
        mine = rows.filter(pl.col("axis") == each["axis"])
        whom = Subject(each["axis"], EVERYONE, count_outcomes(mine))
        measured = Measured(each["share"], float(low), float(high), each["n"], each["n"])
        found.append(file(DISAGREEMENT, whom, measured))
    return found


def disagreement_notes(table: pl.DataFrame) -> list[str]:
    """Say it in words, where there is anything to say."""
    if table.is_empty():
        return []
    n, disagree, below = (int(table[name].sum()) for name in ("n", "disagree", "below"))
    share = f" ({disagree / n:.1%})" if n else ""
    mass = (
        f"Of {n + below:,} answers with a text and log-probabilities, the options hold less than "
        f"{TRUSTED_MASS:.0%} of the mass in {below:,}, where only the text is read."
    )
    against = (
        f"Of the other {n:,}, the text names another option than the most probable one in "
        f"{disagree:,}{share}; the text counts."
    )
    return [f"{mass} {against}"]
