"""Whether enough of what was asked got an answer to conclude anything from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

MIN_COVERAGE = 0.5
"""The share of a study's questions that must be answered, unless the user says otherwise."""

_SHOWN = 5
_WORDS = {"refused": "refused", "unparseable": "could not be read", "error": "failed"}


def too_few_answers(answers: pl.LazyFrame, floor: float) -> str | None:
    """Say which studies of which models got too few answers, and why; `None` if none did.

    Only what was answered counts: not what was refused, cannot be read, or failed.

    Parameters
    ----------
    answers
        The table of answers: `model`, `study`, `outcome`, `reason`.
    floor
        The share of its questions that a study must have answered.
    """
    import polars as pl

    counted = (
        answers.group_by("model", "study", "outcome", "reason")
        .agg(pl.len().alias("count"), pl.col("position").min().alias("first"))
        .collect()
    )
    told = []
    for (model, study), rows in counted.group_by("model", "study", maintain_order=False):
        became = dict(rows.group_by("outcome").agg(pl.col("count").sum()).iter_rows())
        asked, answered = sum(became.values()), became.get("answered", 0)
        if answered >= floor * asked and answered:
            continue
        parts = [f"{became[name]:,} {word}" for name, word in _WORDS.items() if became.get(name)]
        why = rows.filter((pl.col("outcome") != "answered") & pl.col("reason").is_not_null())
        most = why.sort("count", "reason", descending=[True, False])["reason"]
        # Written so that no sign of what a server said moves a terminal's cursor.
        reason = f", most often since {most[0][:200]!r}" if len(most) else ""
        told.append(
            f"{study} of {model}: {answered:,} of {asked:,} questions were answered "
            f"({answered / asked:.0%}; {', '.join(parts)}{reason})"
        )
    if not told:
        return None
    told.sort()
    more = f"; and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    return f"too few answers, under the floor of {floor:.0%} (--min-coverage): " + (
        "; ".join(told[:_SHOWN]) + more
    )
