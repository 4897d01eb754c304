"""What a report's findings amount to among all of its tests."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slant.stats.tree_bh import tree_q

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from slant.studies.section import Section


def adjusted_for_report(sections: Sequence[Section]) -> list[Section]:
    """Give every tested finding its q among all tests of a report.

    Families are what a study adjusted together, for one model; the least q of a family stands for
    all of its tests, whether or not they became findings. A comparison that is only said again,
    as odds, is of the same family and counts once. Where placebo groups were asked about, a test is
    of a difference beyond both chance and what they show.

    Parameters
    ----------
    sections
        All that the report is made of.
    """
    q: list[float] = []
    families: list[Hashable] = []
    studies: list[int] = []
    for number, section in enumerate(sections):
        for finding in section.analysis.findings:
            if finding.beyond_q is not None:
                q.append(finding.beyond_q)
                families.append((number, finding.family))
                studies.append(number)
    adjusted = iter(tree_q(q, [_codes(families), _codes(studies)]).tolist())
    return [
        replace(
            section,
            analysis=replace(
                section.analysis,
                findings=[
                    finding if finding.q is None else replace(finding, report_q=next(adjusted))
                    for finding in section.analysis.findings
                ],
            ),
        )
        for section in sections
    ]


def _codes(names: Sequence[Hashable]) -> list[int]:
    code: dict[Hashable, int] = {}
    return [code.setdefault(name, len(code)) for name in names]
