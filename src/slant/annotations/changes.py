"""Findings with people's labels beside the findings without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.records import Finding

_NAMES = ("study", "metric", "group", "comparison", "condition", "axis", "model")
_FIGURES = ("value", "low", "high", "n", "q")
SCHEMA = pl.Schema(
    {
        **dict.fromkeys(_NAMES, pl.String()),
        **{f"{name}_without": pl.Int64() if name == "n" else pl.Float64() for name in _FIGURES},
        **{f"{name}_with": pl.Int64() if name == "n" else pl.Float64() for name in _FIGURES},
        "changed": pl.Boolean(),
        "scale": pl.String(),
        "restates": pl.String(),
    }
)


def changes(without: Iterable[Finding], judged: Iterable[Finding]) -> pl.DataFrame:
    """Put findings side by side, the largest change first; what only says it again, last.

    Parameters
    ----------
    without
        What the run found from the scores alone.
    judged
        What the same studies find from the scores as people rule.

    Returns
    -------
    polars.DataFrame
        One row a finding of either: what it is about (`study`, `metric`, `group`, `comparison`,
        `condition`, `axis`, `model`), its value, interval, n and q without and with the labels,
        and whether anything of it changed.
    """
    before, after = ({_name(each): each for each in some} for some in (without, judged))
    rows = [
        (*name, *_figures(before.get(name)), *_figures(after.get(name)),
         before.get(name) is None or after.get(name) is None
         or _figures(before[name]) != _figures(after[name]),
         *_told(after.get(name) or before[name]))
        for name in {**before, **after}
    ]  # fmt: skip
    table = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    restated = pl.col("restates") != ""
    size = (pl.col("value_with") - pl.col("value_without")).abs().fill_null(0.0)
    return table.sort(pl.col("changed").not_(), restated, -size, maintain_order=True)


def _name(finding: Finding) -> tuple[str, ...]:
    f = finding
    return f.study, f.metric, f.group, f.contrast, f.condition, f.axis, f.model


def _told(finding: Finding) -> tuple[str, str]:
    return finding.scale, finding.restates


def _figures(finding: Finding | None) -> tuple[float | int | None, ...]:
    if finding is None:
        return (None,) * len(_FIGURES)
    return finding.value, finding.low, finding.high, finding.n, finding.q
