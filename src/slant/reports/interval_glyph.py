"""The small picture in a row: a dot, its interval and the range of chance, in percent of width."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.reports.environment import environment
from slant.reports.wording import is_difference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

    from slant.records import Finding
    from slant.reports.significance import Significance

_MARGIN = 0.04


@dataclass(frozen=True)
class Scale:
    """Ends of the scale that the strips of a list share; logarithmic for ratios."""

    low: float
    high: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Place a value, in percent."""
        at = _log(value) if self.log else value
        share = (at - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)


@dataclass(frozen=True)
class IntervalGlyph:
    """Positions in percent of the width; what is not known is `None`."""

    significance: Significance
    dot: float | None
    low: float | None
    high: float | None
    band: tuple[float, float] | None = None
    expected: float | None = None
    target: float | None = None


def scale(findings: Iterable[Finding]) -> Scale:
    """Fit a scale around everything that the strips of these findings show."""
    ends: list[float] = []
    log = False
    for finding in findings:
        log = log or finding.scale == "ratio"
        ends += [x for x in (finding.value, finding.low, finding.high) if x is not None]
        if finding.value is not None and finding.chance is not None:
            ends += [finding.chance.low, finding.chance.high]
        if finding.target is not None:
            ends.append(finding.target)
        if is_difference(finding.contrast, finding.scale) or finding.scale == "share":
            ends.append(0.0)
    return fitted(ends, log=log)


def fitted(ends: Iterable[float], *, log: bool = False) -> Scale:
    """Fit a scale around values, with a margin."""
    placed = [_log(end) for end in ends if end > 0] if log else list(ends)
    low, high = min(placed, default=0.0), max(placed, default=1.0)
    margin = _MARGIN * (high - low) or 1.0
    return Scale(low - margin, high + margin, log)


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def interval_glyph(finding: Finding, on: Scale, significance: Significance) -> IntervalGlyph | None:
    """Place a finding on a scale; `None` when it has no value."""
    if finding.value is None:
        return None
    chance, known = finding.chance, finding.low is not None and finding.high is not None
    return IntervalGlyph(
        significance=significance,
        dot=on(finding.value),
        low=on(finding.low) if known and finding.low is not None else None,
        high=on(finding.high) if known and finding.high is not None else None,
        band=None if chance is None else (on(chance.low), on(chance.high)),
        expected=None if chance is None else on(chance.expected),
        target=None if finding.target is None else on(finding.target),
    )


def drawn(glyph: IntervalGlyph) -> Markup:
    """Draw a glyph as an SVG element, for what is no template."""
    template = environment().get_template("interval_glyph.html.j2")
    svg: Markup = template.module.strip(glyph)  # type: ignore[attr-defined] # a macro of it
    return svg
