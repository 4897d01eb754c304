"""What comparing groups over wordings and prompts came to, for findings and tables alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.stats.crossed_wordings import CrossedMeans
    from slant.studies.placebo import Placebos
    from slant.studies.worded import Held, Worded


@dataclass(frozen=True, eq=False)
class Crossed:
    """One comparison of groups, with what their placebos differ by.

    Attributes
    ----------
    held
        What was compared.
    findings
        About the groups, before they are adjusted for each other.
    control
        What mere words come to, if that is known.
    result
        The figures; `None` where nothing could be compared.
    placebos
        The placebo axes that could be compared, with their figures.
    known
        What their differences come to together.
    """

    held: Held
    findings: Sequence[Finding]
    control: Sequence[Finding] = ()
    result: CrossedMeans | None = None
    placebos: Sequence[tuple[Worded, CrossedMeans]] = field(default_factory=tuple)
    known: Placebos | None = None
