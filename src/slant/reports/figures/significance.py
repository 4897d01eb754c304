"""Where each row of a table of findings stands against chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.records import is_comparison, is_sure
from slant.reports.significance import place

if TYPE_CHECKING:
    import polars as pl

_SUBJECT = ("study", "metric", "model", "axis", "group", "condition")


def with_significance(frame: pl.DataFrame) -> pl.DataFrame:
    """Add the column `significance`: `above`, `below`, `within` chance, or `plain` if untested.

    A group's own figure tests nothing; it takes the significance of its comparison with the rest.
    """
    import polars as pl

    records = list(frame.iter_rows(named=True))
    rest = {
        tuple(record[name] for name in _SUBJECT): record
        for record in records
        if record["contrast"] == "vs_rest"
    }
    significances = []
    for record in records:
        tested: dict[str, Any] | None = record
        if not is_comparison(record["contrast"]):
            tested = rest.get(tuple(record[name] for name in _SUBJECT))
        significances.append("plain" if tested is None else _place(tested))
    return frame.with_columns(pl.Series("significance", significances, pl.String))


def _place(tested: dict[str, Any]) -> str:
    expected = tested["chance_expected"]
    expected = tested["target"] if expected is None else expected
    value, low, high = (tested[name] for name in ("value", "low", "high"))
    sure = is_sure(
        value, low, high, tested["target"], tested["q"], tested.get("report_q"),
        tested.get("unit") or "", tested.get("unit_count"),
    )  # fmt: skip
    return place(value, expected, None if tested["q"] is None else sure)
