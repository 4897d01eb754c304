"""What answers are filtered and sorted by: a compact table in memory, one row an answer.

A million answers with three measures take some thirty megabytes.
"""

from __future__ import annotations

import numpy as np
import polars as pl

NAMED = ("model", "study", "axis", "group", "condition", "outcome")
"""Columns of few different values."""

_MOST_CONDITIONS = 2_000
"""Where there are more, conditions are prompts in other words: nobody picks one from a list."""


def narrow(answers: pl.LazyFrame, scores: pl.LazyFrame | None) -> pl.DataFrame:
    """Read what answers are filtered and sorted by.

    Parameters
    ----------
    answers
        Columns of `answers.parquet`.
    scores
        Columns of `scores.parquet`; `None` where nothing was scored yet.

    Returns
    -------
    polars.DataFrame
        In the order of `answers`: `model`, `study`, `axis`, `group`, `condition`, `outcome`
        (Enum, whose order is that of the alphabet; `condition` is left out where there are more
        than 2,000), `sample` and `position` (Int32), and for each measure `score:<measure>`
        (Float32, null where there is no score).
    """
    conditions = answers.select(pl.col("condition").approx_n_unique()).collect().item()
    named = [name for name in NAMED if name != "condition" or conditions <= _MOST_CONDITIONS]
    read = answers.select(
        *(pl.col(name).cast(_own_categories()) for name in named),
        pl.col("sample").cast(pl.Int32, strict=False),
        pl.col("position").cast(pl.Int32),
    ).collect(engine="streaming")
    frame = read.with_columns(_alphabetical(read[name]) for name in named)
    return frame if scores is None else frame.with_columns(_pivoted(frame, scores))


def _own_categories() -> pl.Categorical:
    """Make a type whose values are forgotten with the column, and not kept by the process."""
    return pl.Categorical(pl.Categories.random())


def _alphabetical(column: pl.Series) -> pl.Series:
    return column.cast(pl.Enum(column.unique().drop_nulls().cast(pl.String).sort()))


def measures(frame: pl.DataFrame) -> list[str]:
    """Name the measures of a narrow table."""
    return [name.removeprefix("score:") for name in frame.columns if name.startswith("score:")]


def _pivoted(frame: pl.DataFrame, scores: pl.LazyFrame) -> list[pl.Series]:
    """Put scores beside their answers, a column a measure."""
    read = scores.select(
        *(pl.col(name).cast(_own_categories()) for name in ("model", "study", "measure")),
        pl.col("position").cast(pl.Int32),
        pl.col("value").cast(pl.Float32),
    ).collect(engine="streaming")
    blocks, columns = _Blocks(frame), dict[str, np.ndarray]()
    positions, values = read["position"].to_numpy(), read["value"].fill_null(np.nan).to_numpy()
    # Scores are written in long runs of one model, study and measure.
    runs = read.select(pl.struct("model", "study", "measure").rle().alias("run")).unnest("run")
    end = 0
    for length, model, study, measure in runs.unnest("value").iter_rows():
        start, end = end, end + length
        rows, known = blocks.rows(model, study, positions[start:end])
        if measure not in columns:
            columns[measure] = np.full(frame.height, np.nan, dtype=np.float32)
        columns[measure][rows] = values[start:end][known]
    return [pl.Series(f"score:{name}", columns[name], nan_to_null=True) for name in sorted(columns)]


class _Blocks:
    """Where the answers of each model and study stand in the table, by position."""

    def __init__(self, frame: pl.DataFrame):
        grouped = frame.with_row_index("row").group_by("model", "study").agg("row", "position")
        self._known: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}
        for model, study, rows, positions in zip(*grouped, strict=True):
            own, at = positions.to_numpy(), rows.to_numpy()
            if not (own[1:] > own[:-1]).all():
                ordered = np.argsort(own, kind="stable")
                own, at = own[ordered], at[ordered]
            self._known[model, study] = (at, own)

    def rows(self, model: str, study: str, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Give the rows of positions, and which of the positions have one."""
        if (model, study) not in self._known:
            return np.array([], dtype=np.int64), np.zeros(len(positions), dtype=bool)
        rows, own = self._known[model, study]
        # Mostly nothing is missing, and a position is a place.
        if own[-1] - own[0] + 1 == len(own):
            at = positions - own[0]
            known = (at >= 0) & (at < len(own))
            return rows[at[known]], known
        at = np.minimum(np.searchsorted(own, positions), len(own) - 1)
        known = own[at] == positions
        return rows[at[known]], known
