"""Which answers are shown, and in what order."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.errors import unknown
from slant.transcripts.narrow import NAMED, measures

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Selection:
    """What a reader wants to see; what is left empty does not matter.

    Attributes
    ----------
    model, study, axis, group, condition, outcome
        The answer's is the same.
    measure, low, high
        The answer has a score of this measure, not below `low` and not above `high`; compared as
        32-bit numbers.
    search
        Words, "phrases" and beginnings* of words that prompt or answer hold, all of them.
    sort
        Column to sort by: one of `columns`; the order asked when empty. Answers without a value
        come last, and equal ones stay in the order asked.
    descending
        Whether the greatest value comes first.
    """

    model: str = ""
    study: str = ""
    axis: str = ""
    group: str = ""
    condition: str = ""
    outcome: str = ""
    measure: str = ""
    low: float | None = None
    high: float | None = None
    search: str = ""
    sort: str = ""
    descending: bool = False

    def plain(self) -> dict[str, str]:
        """Write what is set, as an address holds it."""
        written = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is True:
                written[field.name] = "1"
            elif value not in ("", None, False):
                written[field.name] = value if isinstance(value, str) else f"{value:g}"
        return written


def columns(frame: pl.DataFrame) -> list[str]:
    """Name what a narrow table can be sorted by; measures as `score:<measure>`."""
    return list(frame.columns)


def choices(frame: pl.DataFrame) -> Mapping[str, list[str]]:
    """List what each named column can be filtered by, in the order of the alphabet."""
    return {
        name: [value for value in kind.categories if value]
        for name, kind in frame.schema.items()
        if name in NAMED and isinstance(kind, pl.Enum)
    }


def check(selection: Selection, frame: pl.DataFrame) -> None:
    """Refuse a selection that names what the table does not have.

    Raises
    ------
    InputError
        The value, measure or column is unknown.
    """
    for name, known in choices(frame).items():
        value = getattr(selection, name)
        if value and value not in known:
            raise unknown(name, value, known)
    if selection.condition and "condition" not in frame.columns:
        raise unknown("condition", selection.condition, [])
    if selection.measure and selection.measure not in measures(frame):
        raise unknown("measure", selection.measure, measures(frame))
    if selection.sort and selection.sort not in columns(frame):
        raise unknown("column to sort by", selection.sort, columns(frame))


def matching(selection: Selection, frame: pl.DataFrame) -> np.ndarray | None:
    """Say for each row whether it is selected, words left aside; `None` when every row is.

    Parameters
    ----------
    selection
        Checked by `check`.
    frame
        The narrow table.
    """
    conditions = [
        pl.col(name) == value
        for name in NAMED
        if name in frame.columns and (value := getattr(selection, name))
    ]
    if selection.measure:
        score = pl.col(f"score:{selection.measure}")
        conditions.append(score.is_not_null())
        if selection.low is not None:
            conditions.append(score >= pl.lit(selection.low, dtype=pl.Float32))
        if selection.high is not None:
            conditions.append(score <= pl.lit(selection.high, dtype=pl.Float32))
    if not conditions:
        return None
    mask = frame.select(pl.all_horizontal(conditions).fill_null(value=False)).to_series()
    return mask.to_numpy()


def order(frame: pl.DataFrame, column: str, *, descending: bool) -> np.ndarray:
    """Give the rows in order of a column; rows without a value come last, equals as they stand."""
    values = frame[column]
    if isinstance(values.dtype, pl.Enum):
        values = values.to_physical()
    known = np.flatnonzero(values.is_not_null().to_numpy())
    keys = values.drop_nulls().to_numpy()
    if descending:
        keys = -keys if keys.dtype.kind == "f" else ~keys  # the greatest first, equals as they are
    ordered = known[np.argsort(keys, kind="stable")]
    without = np.flatnonzero(values.is_null().to_numpy())
    return np.concatenate([ordered, without]).astype(np.uint32)
