"""What became of one finding from one side to the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.records import SURE
from slant.signature import Signature

if TYPE_CHECKING:
    from slant.comparison.caveat import Caveat
    from slant.records import Finding

State: TypeAlias = Literal[
    "appeared", "larger", "turned", "smaller", "vanished", "one_sure", "unchanged",
    "untested", "new", "gone", "unmeasured",
]  # fmt: skip
"""What a change amounts to; see `state_of`."""

STATES: tuple[State, ...] = (
    "appeared", "larger", "turned", "smaller", "vanished", "one_sure", "unchanged",
    "untested", "new", "gone", "unmeasured",
)  # fmt: skip

CHANGED: frozenset[State] = frozenset({"appeared", "larger", "turned", "smaller", "vanished"})
"""States in which the difference of the sides is more than chance would give."""

Key: TypeAlias = tuple[str, str, str, str, str, str]


def key_of(finding: Finding) -> Key:
    """Give what makes two findings of different runs the same figure."""
    f = finding
    return f.study, f.metric, f.axis, f.group, f.contrast, f.condition


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one finding.

    Attributes
    ----------
    key
        Study, metric, axis, group, contrast and condition.
    first, second
        The finding on either side; `None` where it was not asked for.
    state
        What the change amounts to.
    value, low, high
        Second minus first, with its 95% interval; `None` where it is not known.
    p, q
        p-value of the difference, and the same adjusted by Benjamini-Hochberg over all
        differences of the study.
    detectable
        The smallest true change that had been found with 80% power, given how uncertain this one
        is and how many were tested; `None` without an interval.
    way
        `paired`, within the questions or sentences that both were asked; `independent`, from the
        two intervals; empty where nothing was computed.
    signature
        How it was computed.
    caveats
        In what the two are not the same measurement.
    """

    key: Key
    first: Finding | None
    second: Finding | None
    state: State
    value: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    q: float | None = None
    detectable: float | None = None
    way: Literal["paired", "independent", ""] = ""
    signature: Signature = field(default_factory=Signature)
    caveats: tuple[Caveat, ...] = ()

    @property
    def study(self) -> str:
        """The study's label."""
        return self.key[0]

    @property
    def shown(self) -> Finding:
        """A finding that says what is measured: the second side's, else the first's."""
        found = self.second or self.first
        if found is None:
            raise ValueError("a change is made of at least one finding")
        return found

    @property
    def both(self) -> tuple[Finding, Finding]:
        """The finding on either side, where there are two.

        Raises
        ------
        ValueError
            A side has none.
        """
        if self.first is None or self.second is None:
            raise ValueError("a side has no such finding")
        return self.first, self.second


def state_of(first: Finding, second: Finding, q: float | None, *, leaves_out_zero: bool) -> State:
    """Say what the change of a finding that both sides measured amounts to.

    That a lean is more than chance on one side only is no evidence of a change: the two may still
    differ by no more than chance (Gelman and Stern 2006, "The Difference Between 'Significant' and
    'Not Significant' is not Itself Statistically Significant", The American Statistician 60). So
    a lean has `appeared` or `vanished` only if their difference is more than chance, too; else
    only one side is sure of it (`one_sure`).

    Parameters
    ----------
    first, second
        Both with a value.
    q
        Of their difference; `None` if it could not be tested.
    leaves_out_zero
        Whether the interval of the difference does: a change must be more than chance by both.

    Returns
    -------
    str
        `larger` and `smaller` are said of the size of a comparison, whichever way it points, and
        of a group's own figure itself; `turned`, of a comparison that points the other way.
    """
    if q is None:
        return "untested"
    before, after = first.is_sure, second.is_sure
    if q >= SURE or not leaves_out_zero:
        return "one_sure" if before != after else "unchanged"
    if before != after and first.q is not None and second.q is not None:
        return "appeared" if after else "vanished"
    a, b = first.value or 0.0, second.value or 0.0
    if not second.is_comparison:
        return "larger" if b > a else "smaller"
    centre = second.target or 0.0
    a, b = a - centre, b - centre
    if a * b < 0 and before and after:
        return "turned"
    return "larger" if abs(b) > abs(a) else "smaller"
