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

_BATCH = 200_000


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
    values = {
        name: answers.select(pl.col(name).drop_nulls().unique().sort())
        .collect(engine="streaming")
        .to_series()
        for name in named
    }
    frame = answers.select(
        *(pl.col(name).cast(pl.Enum(values[name])) for name in named),
        pl.col("sample").cast(pl.Int32, strict=False),
        pl.col("position").cast(pl.Int32),
    ).collect(engine="streaming")
    return frame if scores is None else frame.with_columns(_pivoted(frame, scores))


def measures(frame: pl.DataFrame) -> list[str]:
    """Name the measures of a narrow table."""
    return [name.removeprefix("score:") for name in frame.columns if name.startswith("score:")]


def _pivoted(frame: pl.DataFrame, scores: pl.LazyFrame) -> list[pl.Series]:
    """Put scores beside their answers, a column a measure."""
    models, studies = frame["model"].dtype, frame["study"].dtype
    assert isinstance(models, pl.Enum)  # noqa: S101 - for the type checker
    assert isinstance(studies, pl.Enum)  # noqa: S101 - for the type checker
    places = _Places(frame, len(studies.categories))
    columns: dict[str, np.ndarray] = {}
    wanted = scores.select(
        pl.col("model").cast(models, strict=False).to_physical().cast(pl.Int64),
        pl.col("study").cast(studies, strict=False).to_physical().cast(pl.Int64),
        "position",
        pl.col("measure").cast(pl.Categorical),
        pl.col("value").cast(pl.Float32),
    ).drop_nulls()
    for batch in wanted.collect_batches(chunk_size=_BATCH):
        for (measure,), part in batch.partition_by("measure", as_dict=True).items():
            values = columns.setdefault(
                str(measure), np.full(frame.height, np.nan, dtype=np.float32)
            )
            rows, known = places.rows(part)
            values[rows] = part["value"].to_numpy()[known]
    return [pl.Series(f"score:{name}", columns[name], nan_to_null=True) for name in sorted(columns)]


class _Places:
    """Where an answer stands in the table, by model, study and position."""

    def __init__(self, frame: pl.DataFrame, studies: int):
        self._studies = studies
        keys = self._keys(
            frame["model"].to_physical().to_numpy(),
            frame["study"].to_physical().to_numpy(),
            frame["position"].to_numpy(),
        )
        # The answers of an audit stand in this order already.
        ordered = bool((keys[1:] > keys[:-1]).all())
        self._order = None if ordered else np.argsort(keys, kind="stable")
        self._sorted = keys if self._order is None else keys[self._order]

    def _keys(self, model: np.ndarray, study: np.ndarray, position: np.ndarray) -> np.ndarray:
        block = model.astype(np.int64) * self._studies + study
        return (block << 40) | position

    def rows(self, scores: pl.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        """Give the rows of scores, and which of the scores have one."""
        keys = self._keys(*(scores[name].to_numpy() for name in ("model", "study", "position")))
        at = np.searchsorted(self._sorted, keys)
        at[at == len(self._sorted)] = 0
        known = self._sorted[at] == keys if len(self._sorted) else np.zeros(len(keys), dtype=bool)
        at = at[known]
        return (at if self._order is None else self._order[at]), known
