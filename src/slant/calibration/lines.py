"""A calibration as a table, in Markdown, which reads well in a terminal too."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from slant.calibration.worlds import WORLDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.calibration.measured import Measured, Share

_NOMINAL = (
    "study", "world", "runs", "false reports (≤ 5%)", "false families (≤ 5%)",
    "coverage of differences (95%)", "of selected ones (≥ 95%)", "of figures (95%)", "verdict",
)  # fmt: skip
_SHORT = ("study", "world", "runs", "metric", "of its", "coverage (95%)")
_PLANTED = (
    "study", "world", "runs", "planted", "found", "could see at 80%, it says", "wrong sign",
    "exaggerated", "false reports",
)  # fmt: skip


def lines(every: Sequence[Measured]) -> list[str]:
    """Tell a calibration: nominal and measured error rates, then what became of what was planted.

    Between them, metrics whose intervals are too short.

    Parameters
    ----------
    every
        What was measured, in order.
    """
    null = [each for each in every if each.power is None]
    planted = [each for each in every if each.power is not None]
    told = _table(_NOMINAL, (_nominal(each) for each in null)) if null else []
    short = [
        [each.study, each.world, f"{each.runs:,}", one.metric, one.of, percent(one.covered)]
        for each in null
        for one in each.short
    ]
    if short:
        told += ["", *_table(_SHORT, short)]
    if planted:
        told += ([""] if told else []) + _table(_PLANTED, (_found(each) for each in planted))
    used = {each.world for each in every}
    return [*told, "", *(f"{world.name}: {world.title}" for world in WORLDS if world.name in used)]


def _nominal(each: Measured) -> list[str]:
    covered = [
        "" if found is None else percent(found)
        for found in (each.differences, each.selected, each.figures)
    ]
    return [
        each.study, each.world, f"{each.runs:,}", percent(each.reports), percent(each.families),
        *covered, each.verdict,
    ]  # fmt: skip


def _found(each: Measured) -> list[str]:
    power = each.power
    assert power is not None  # noqa: S101 - tells the type checker
    return [
        each.study, each.world, f"{each.runs:,}", _number(power.planted), percent(power.found),
        _number(power.promised), percent(power.wrong_sign),
        "" if power.exaggeration is None else f"× {power.exaggeration:.2f}", percent(each.reports),
    ]  # fmt: skip


def percent(found: Share) -> str:
    """Write a share with its interval: 4.2 (2.9–6.0)%."""
    if not found.n:
        return ""
    value, low, high = (f"{100 * each:.1f}" for each in (found.value, found.low, found.high))
    return f"{value} ({low}–{high})%"


def _number(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.2f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
