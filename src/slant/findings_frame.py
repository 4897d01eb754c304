"""Findings as a flat table: one row a finding, one column a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.records import OUTCOMES
from slant.signature import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

    from slant.records import Finding

_TEXT = ("study", "metric", "model", "axis", "group", "contrast", "condition")
_NUMBERS = (
    "p", "q", "effect", "chance_expected", "chance_low", "chance_high", "target", "report_q",
)  # fmt: skip
_RESTS_ON = (
    "kind", "scale", "measure", "unit", "family", "part", "effect_name", "restates",
)  # fmt: skip


def findings_frame(findings: Iterable[Finding]) -> pl.DataFrame:
    """Flatten findings into a table, in the order given.

    Parameters
    ----------
    findings
        What studies concluded; none gives an empty table with the same columns.

    Returns
    -------
    polars.DataFrame
        The fields of a finding, with `outcomes` as the four columns `answered`, `refused`,
        `unparseable` and `error`, and `chance` as `chance_expected`, `chance_low` and
        `chance_high`. Lone surrogates, which no table can hold, become U+FFFD.
    """
    import polars as pl

    schema: dict[str, pl.DataType] = {
        **{name: pl.String() for name in _TEXT},
        **{name: pl.Float64() for name in ("value", "low", "high")},
        **{name: pl.Int64() for name in ("n", *OUTCOMES)},
        **{name: pl.Float64() for name in _NUMBERS},
        **{name: pl.String() for name in ("direction", "signature", "reason")},
        **{name: pl.String() for name in _RESTS_ON},
        "unit_count": pl.Int64(),
    }
    return pl.DataFrame([_row(finding) for finding in findings], schema=schema, orient="row")


def _row(f: Finding) -> dict[str, str | float | int | None]:
    chance = f.chance
    return {
        "study": _storable(f.study),
        "metric": _storable(f.metric),
        "model": _storable(f.model),
        "axis": _storable(f.axis),
        "group": _storable(f.group),
        "contrast": _storable(f.contrast),
        "condition": _storable(f.condition),
        "value": f.value,
        "low": f.low,
        "high": f.high,
        "n": f.n,
        **{outcome: f.outcomes.get(outcome, 0) for outcome in OUTCOMES},
        "p": f.p,
        "q": f.q,
        "effect": f.effect,
        "chance_expected": None if chance is None else chance.expected,
        "chance_low": None if chance is None else chance.low,
        "chance_high": None if chance is None else chance.high,
        "target": f.target,
        "report_q": f.report_q,
        "direction": f.direction,
        "signature": _storable(one_line(f.signature)),
        "reason": None if f.reason is None else _storable(f.reason),
        **{name: _storable(getattr(f, name)) for name in _RESTS_ON},
        "unit_count": f.unit_count,
    }


def _storable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
