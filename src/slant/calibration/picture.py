"""A calibration as a picture: what is promised, and what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.calibration.lines import percent
from slant.errors import InputError
from slant.reports.figures.layers import row_chart
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from altair.typing import ChartType

    from slant.calibration.measured import Measured, Share

PICTURES: dict[str, tuple[str, float | None, Callable[[Measured], Share | None]]] = {
    "false-reports": (
        "Reports with a finding that is sure and false", 0.05, lambda each: each.reports
    ),
    "coverage-of-differences": (
        "95% intervals of differences that hold the truth", 0.95, lambda each: each.differences
    ),
    "coverage-of-selected": (
        "Intervals of differences shown because they are the largest of many, that hold the truth",
        0.95, lambda each: each.selected,
    ),
    "coverage-of-figures": (
        "95% intervals of the groups' own figures that hold the truth", 0.95,
        lambda each: each.figures,
    ),
    "power": (
        "Runs in which what is planted is found", None,
        lambda each: each.power.found if each.power else None,
    ),
}  # fmt: skip
"""By name: title, what is promised (marked by a line), and what is shown."""


def picture(every: Sequence[Measured], name: str, width: int = WIDE) -> ChartType:
    """Draw one of `PICTURES`: a row a study and world, with intervals over runs.

    Raises
    ------
    InputError
        Nothing of it was measured.
    """
    import polars as pl

    title, promised, shown = PICTURES[name]
    found = [(each, part) for each in every if (part := shown(each)) is not None and part.n]
    if not found:
        raise InputError("there is nothing to draw")
    told = pl.DataFrame(
        {
            "group": [f"{each.study} · {each.world}" for each, _ in found],
            "value": [part.value for _, part in found],
            "low": [part.low for _, part in found],
            "high": [part.high for _, part in found],
            "shown": [percent(part) for _, part in found],
        }
    )
    nominal = [] if promised is None else [promised]
    ends = [*told["low"].to_list(), *told["high"].to_list(), *nominal]
    rows = row_chart(told, width, "share", ends, form=".0%")
    layers = [rows.line(each, "muted") for each in nominal]
    layers += rows.marks(told, "rule", "low", "high", color=LIGHT["bar"], strokeWidth=1.5)
    layers += rows.marks(told, "point", "value", color=LIGHT["ink"], filled=True, size=42)
    runs = sorted({each.runs for each, _ in found})
    counted = f"{runs[0]:,}" if len(runs) == 1 else f"{runs[0]:,} to {runs[-1]:,}"
    line = "" if promised is None else f" · the dashed line is what is promised, {promised:.0%}"
    return themed(
        rows.chart(told, layers), title, [f"{counted} runs a row · 95% intervals{line}"], width
    )
