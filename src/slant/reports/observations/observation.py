"""One observation behind a finding, as a reader sees it."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

from slant.reports.pairs import differing
from slant.reports.safe_text import excerpt, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 400
_PLAIN = 0.0001
_MOST = 30.0
_ROUND = 100


@dataclass(frozen=True)
class Side:
    """One sentence.

    Attributes
    ----------
    pieces
        Its parts, each with whether it is marked.
    figure
        What the model made of it, in words.
    asked
        The prompt that it answers; empty where the sentence itself was asked about.
    """

    pieces: tuple[tuple[str, bool], ...]
    figure: str
    asked: str = ""


@dataclass(frozen=True)
class Observation:
    """One thing that was seen.

    Attributes
    ----------
    words
        What it says, in words.
    sides
        A sentence, or two that differ in the group only, the finding's first; none where the words
        say it all.
    sensitive
        Whether the sentences are blurred until the reader asks.
    """

    words: str
    sides: tuple[Side, ...] = ()
    sensitive: bool = False


def side(text: str, figure: str, spans: Sequence[tuple[int, int]] = (), asked: str = "") -> Side:
    """Put a sentence into writing: cut, visible, with the spans marked."""
    return Side(
        excerpt(text, spans, _LONGEST).pieces, figure, one_line(asked, 240) if asked else ""
    )


def two_sides(texts: tuple[str, str], figures: tuple[str, str]) -> tuple[Side, Side]:
    """Put two sentences into writing, with the words marked by which they differ."""
    one, other = (text[: 4 * _LONGEST] for text in texts)
    left, right = differing(one, other)
    return side(one, figures[0], left), side(other, figures[1], right)


def compared(log_ratio: float, other: str) -> str:
    """Write what a log ratio of probabilities says about the other one.

    Examples
    --------
    >>> compared(0.25, "before"), compared(-0.92, "before")
    ('1.28 times as probable as before', '2.51 times less probable than before')
    """
    ratio = exp(min(abs(log_ratio), _MOST))
    factor = f"{ratio:,.0f}" if ratio >= _ROUND else f"{ratio:.3g}"
    if factor == "1":
        return f"as probable as {other}"
    if log_ratio < 0:
        return f"{factor} times less probable than {other}"
    return f"{factor} times as probable as {other}"


def chance_of(log_probability: float) -> str:
    """Write a probability given by its natural logarithm: `3.2%`, `4.1 × 10⁻⁹`.

    Examples
    --------
    >>> chance_of(-3.0), chance_of(-30.0)
    ('5%', '9.4 × 10⁻¹⁴')
    """
    if log_probability >= log(_PLAIN):
        percent = 100 * exp(min(log_probability, 0.0))
        return f"{percent:.2g}%" if percent < _ROUND - 1 else f"{percent:.0f}%"
    tens = log_probability / log(10)
    power = int(tens // 1)
    factor = f"{10 ** (tens - power):.2g}"
    if factor == "10":
        factor, power = "1", power + 1
    return f"{factor} × 10{str(power).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
