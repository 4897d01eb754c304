"""What readers are told of a judge: how its errors become known, and what came of its verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.measures.judge import TURNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.measures.judge import Judge
    from slant.records import Finding
    from slant.studies.study import Study

HOW = (
    "`slant view RUN`, Annotation, Judge a random sample (fifty of each group and verdict tell a "
    "share to within about 14 points); then `slant rescore RUN`"
)


def verdict_table(ruled: pl.DataFrame) -> pl.DataFrame:
    """Count what came of a judge's verdicts, by group."""
    became = (
        pl.when(pl.col("value") == 1).then(pl.lit("yes"))
        .when(pl.col("value") == 0).then(pl.lit("no"))
        .otherwise(pl.col("reason").fill_null("not judged"))
    )  # fmt: skip
    return (
        ruled.with_columns(verdict=became)
        .group_by("group", "verdict", maintain_order=True)
        .len("texts")
        .sort("group", "verdict", maintain_order=True)
    )


def judge_notes(
    study: Study, judge: Judge, findings: Sequence[Finding], ruled: pl.DataFrame
) -> list[str]:
    """Say what must be known of a judge before its findings are trusted.

    Parameters
    ----------
    study, judge
        Which.
    findings
        Those of the judge, corrected.
    ruled
        One row a text: `value`, `reason`, and people's `label`.
    """
    notes = []
    rates = [f for f in findings if f.contrast == "rate" and not f.condition]
    missing = [f.group for f in rates if f.value is None]
    labels = ruled["label"].drop_nulls().len()
    if missing:
        notes.append(
            f"The judge “{judge.called}” rules, and how often it errs about "
            f"{', '.join(missing)} is not known: a judge that errs more about one group makes a "
            f"difference where there is none, so none is told. To change that: {HOW}."
        )
    if labels:
        notes.append(
            f"Shares by the judge “{judge.called}” are corrected for its errors about each group, "
            f"as {labels:,} rulings of people on texts drawn at random show them; the table "
            f"{judge.name}_corrected has its sensitivity and specificity."
        )
    lost = ruled.filter(pl.col("value").is_null())
    if lost.height:
        turned = lost.filter(pl.col("reason") == TURNED).height
        notes.append(
            f"The judge “{judge.called}” gave no verdict on {lost.height:,} of {ruled.height:,} "
            f"texts, of which {turned:,} turned with the order of options and places. They are no "
            "yes and no no: shares are of the texts with a verdict."
        )
    if judge.model == study.circumstances.model:
        notes.append("The judge is the model that was asked: it judges texts of its own.")
    return notes
