"""Tables as a page shows them: the first rows, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.records import OUTCOMES
from slant.reports.numbers import plain
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    import polars as pl

_HIDDEN_COLUMNS = {"study", "model", "direction", "signature", "axis", "p", "reason", *OUTCOMES}


@dataclass(frozen=True)
class Table:
    """A table in writing.

    Attributes
    ----------
    header
        Names of the columns.
    rows
        Cells, each with whether it is a number.
    more
        How many rows are left out.
    """

    header: list[str]
    rows: list[list[tuple[str, bool]]]
    more: int


def written_table(frame: pl.DataFrame, most: int) -> Table:
    """Put a table into writing, up to `most` rows; columns that say nothing are left out."""
    told = {c for c in ("model", "condition") if c in frame and frame[c].n_unique() > 1}
    hidden = (_HIDDEN_COLUMNS if "contrast" in frame else set()) | {"condition"}
    columns = [c for c in frame.columns if c in told or c not in hidden]
    rows = [
        [(cell(value), isinstance(value, int | float)) for value in row]
        for row in frame.head(most).select(columns).iter_rows()
    ]
    header = [column.replace("_", " ") for column in columns]
    return Table(header, rows, max(0, len(frame) - most))


def cell(value: object) -> str:
    """Write a value as a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return plain(value) if isinstance(value, float) else one_line(str(value))
