"""Numbers as people read them: percent, points, intervals, q-values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.safe_text import one_line
from slant.reports.wording import is_difference

if TYPE_CHECKING:
    from slant.records import Finding, Scale

_NARROW = 0.05
_FINE = 0.001


def quantity(value: float, unit: Scale, *, signed: bool = False, fine: bool = False) -> str:
    """Write a value with its unit.

    Parameters
    ----------
    value
        A share between 0 and 1, or any other number.
    unit
        `share` is written in percent, or in points when signed.
    signed
        Whether the value is a difference.
    fine
        Whether a share needs a decimal.

    Examples
    --------
    >>> quantity(0.66, "share"), quantity(-0.51, "share", signed=True)
    ('66%', '−51 points')
    """
    text = _bare(value, unit, fine=fine)
    if not signed:
        return text + "%" if unit == "share" else text
    sign = "" if text.startswith("−") or not float(text.replace(",", "").replace("−", "-")) else "+"
    if unit != "share":
        return sign + text
    return f"{sign}{text} {'point' if text in ('1', '−1') else 'points'}"


def value_text(finding: Finding) -> str:
    """Write a finding's value, or a dash where there is none."""
    if finding.value is None:
        return "–"
    unit, signed = finding.scale, is_difference(finding.contrast, finding.scale)
    return quantity(finding.value, unit, signed=signed, fine=_needs_decimals(finding))


def interval_text(finding: Finding) -> str:
    """Write a finding's 95% interval without its unit; empty where there is none."""
    if finding.low is None or finding.high is None:
        return ""
    return span(finding.low, finding.high, finding.scale, fine=_needs_decimals(finding))


def chance_text(finding: Finding) -> str:
    """Write where chance alone would put a finding: expectation and 95% range."""
    chance = finding.chance
    if chance is None:
        return ""
    unit, signed = finding.scale, is_difference(finding.contrast, finding.scale)
    return with_range(chance.expected, chance.low, chance.high, unit, signed=signed)


def placebo_text(finding: Finding) -> str:
    """Write where a comparison stands among differences between groups that cannot matter."""
    if not finding.is_comparison or finding.value is None:
        return ""
    if finding.placebo is None:
        return "no placebo"
    axes = [one_line(axis.replace("-", " "), 40) for axis in finding.placebo.axes]
    between = " and ".join([", ".join(axes[:-1]), *axes[-1:]] if axes[1:] else axes)
    if not finding.placebo.n:
        return f"too few answers about {between}"
    return f"larger than {_percent(finding)} of differences between {between}"


def placebo_share_text(finding: Finding) -> str:
    """Write the same in a few words; empty where no placebo groups were asked about."""
    if finding.placebo is None:
        return ""
    if not finding.placebo.n:
        return "too few answers about placebo groups"
    return f"larger than {_percent(finding)} of placebo differences"


def _percent(finding: Finding) -> str:
    share = 0.0 if finding.placebo is None else finding.placebo.share_exceeded
    return f"{min(int(share * 100), 99)}%"


def span(low: float, high: float, unit: Scale, *, fine: bool = False) -> str:
    """Write a range: `57–75`, or `−5 to 17` where a minus sign would be mistaken for a dash."""
    left, right = _bare(low, unit, fine=fine), _bare(high, unit, fine=fine)
    return f"{left} to {right}" if "−" in left + right else f"{left}–{right}"


def with_range(
    value: float, low: float | None, high: float | None, unit: Scale, *, signed: bool = False
) -> str:
    """Write a value and, where it is known, its range: `66% (57–75)`.

    Decimals of both follow the range's width.
    """
    fine = is_narrow(low, high)
    text = quantity(value, unit, signed=signed, fine=fine)
    return text if low is None or high is None else f"{text} ({span(low, high, unit, fine=fine)})"


def is_narrow(low: float | None, high: float | None) -> bool:
    """Tell whether a range of shares is so narrow that whole percents would blur it."""
    return low is not None and high is not None and 0 < high - low < _NARROW


def probability(symbol: str, value: float) -> str:
    """Write a p-value or q-value: `q = .032`, `q < .001`."""
    if value < _FINE:
        return f"{symbol} < .001"
    if value > 1 - _FINE:
        return f"{symbol} > .999"
    return f"{symbol} = {value:.3f}".replace("0.", ".")


def plain(value: float) -> str:
    """Write any number with three significant digits and a true minus sign."""
    return _bare(value, "number")


def _bare(value: float, unit: Scale, *, fine: bool = False) -> str:
    if unit == "share":
        text = f"{100 * value:,.1f}" if fine else f"{100 * value:,.0f}"
    else:
        text = f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"
    if not text.strip("-0.,"):
        text = text.removeprefix("-")
    return text.replace("-", "−")


def _needs_decimals(finding: Finding) -> bool:
    if finding.value is None:
        return False
    if finding.low is not None and finding.high is not None:
        return is_narrow(finding.low, finding.high)
    return 0 < abs(finding.value) < _NARROW / 5
