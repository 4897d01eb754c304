"""Which rows of a table a picture shows, made fit to be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from slant.errors import InputError
from slant.findings_frame import findings_frame
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    import polars as pl

    from slant.records import Finding, Scale

Rows: TypeAlias = "pl.DataFrame | Sequence[Finding]"
"""A table, or findings to make one of."""

Choice: TypeAlias = str | Sequence[str] | None
"""One value, several, or all."""

_LIMITS = {"signature": 2000, "reason": 600}

_OF_FINDINGS = ("study", "metric", "model", "axis", "group", "contrast", "condition")

FILTERS = (*_OF_FINDINGS, "view", "level", "words")
"""Options by which any figure narrows its table down."""


def select(rows: Rows, **choices: Choice) -> pl.DataFrame:
    """Keep the rows that match.

    Parameters
    ----------
    rows
        A table, or findings.
    **choices
        Column to the value or values it must have; `None` takes all.

    Raises
    ------
    InputError
        A column is missing, or nothing is left.
    """
    import polars as pl

    frame = rows if isinstance(rows, pl.DataFrame) else findings_frame(rows)
    for column, choice in choices.items():
        if choice is None:
            continue
        wanted = [choice] if isinstance(choice, str) else list(choice)
        require(frame, column)
        frame = frame.filter(pl.col(column).is_in(wanted))
        if frame.is_empty():
            raise InputError(f"no row has {column} {' or '.join(map(repr, wanted))}")
    return frame


def require(frame: pl.DataFrame, *columns: str) -> None:
    """Insist on columns.

    Raises
    ------
    InputError
        One is missing.
    """
    for column in columns:
        if column not in frame.columns:
            known = ", ".join(frame.columns)
            raise InputError(f"the table has no column {column!r}; it has {known}")


def by_roles(frame: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    """Call columns what they are in a picture; one that the table has not is null throughout.

    Parameters
    ----------
    frame
        Any table.
    columns
        Role to column.
    """
    import polars as pl

    return frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None, pl.Float64)).alias(role)
        for role, name in columns.items()
    )


def with_ends(role: str, column: str) -> dict[str, str]:
    """Name the roles of a column and of its interval, whose ends are called after it."""
    return {f"{role}{end}": f"{column}{end}" for end in ("", "_low", "_high")}


def factor_of(unit: Scale) -> int:
    """Say by what a picture multiplies values: shares are shown in percent."""
    return 100 if unit == "share" else 1


def drawable(frame: pl.DataFrame) -> pl.DataFrame:
    """Make every text in a table fit a label: visible, on one line, not endless."""
    import polars as pl

    texts = [name for name, kind in frame.schema.items() if kind in (pl.String, pl.Categorical)]
    if not texts:
        return frame
    return frame.with_columns(_labels(frame[name].cast(pl.String), name) for name in texts)


def _labels(texts: pl.Series, column: str) -> pl.Series:
    """Rewrite each different text once: most columns of a large table hold few of them."""
    import polars as pl

    # Without polars: its share of a small table's time is most of it, and there are many.
    every = texts.to_list()
    limit = _LIMITS.get(column, 120)
    labels = {text: None if text is None else one_line(text, limit) for text in set(every)}
    return pl.Series(column, [labels[text] for text in every], pl.String)
