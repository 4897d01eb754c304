"""What a report's findings amount to among all of its tests."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from slant.stats.tree_bh import tree_q

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from slant.records import Finding
    from slant.studies.section import Section


def adjusted_for_report(sections: Sequence[Section]) -> list[Section]:
    """Give the tested findings of a report's sections their q among all of its tests.

    Parameters
    ----------
    sections
        All that the report is made of.
    """
    adjusted = report_level([section.analysis.findings for section in sections])
    return [
        replace(section, analysis=replace(section.analysis, findings=findings))
        for section, findings in zip(sections, adjusted, strict=True)
    ]


def report_level(studies: Sequence[Sequence[Finding]]) -> list[list[Finding]]:
    """Give every tested finding its q among all tests of a report, and how hard that is to pass.

    Families are what a study adjusted together, for one model; the least q of a family stands for
    all of its tests, whether or not they became findings. A comparison that is only said again,
    as odds, is of the same family and counts once. Where placebo groups were asked about, a test is
    of a difference beyond both chance and what they show.

    Parameters
    ----------
    studies
        The findings of every study, for every model.
    """
    q: list[float] = []
    families: list[tuple[int, str]] = []
    codes: list[int] = []
    tests: Counter[tuple[int, str]] = Counter()
    for number, findings in enumerate(studies):
        for finding in findings:
            if finding.beyond_q is not None:
                q.append(finding.beyond_q)
                families.append((number, finding.family))
                codes.append(number)
                tests[number, finding.family] += not finding.restates
    adjusted = iter(tree_q(q, [_codes(families), _codes(codes)]).tolist())
    beside = Counter(number for number, _ in tests)
    return [
        [
            f
            if f.q is None
            else replace(
                f, report_q=next(adjusted),
                tests=len(beside) * beside[number] * tests[number, f.family],
            )
            for f in findings
        ]
        for number, findings in enumerate(studies)
    ]  # fmt: skip


def _codes(names: Sequence[Hashable]) -> list[int]:
    code: dict[Hashable, int] = {}
    return [code.setdefault(name, len(code)) for name in names]
