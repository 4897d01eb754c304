"""A whole run at a glance: which groups, which way, how strong, how sure, and what is missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from slant.reports.interval_glyph import interval_glyph, scale
from slant.reports.numbers import interval_text, probability, value_text
from slant.reports.safe_text import one_line
from slant.reports.significance import SIGNIFICANCE_WORDS, own_significance
from slant.reports.verdict import in_order, verdicts
from slant.reports.wording import is_with_itself, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.interval_glyph import IntervalGlyph, Scale
    from slant.reports.significance import Significance
    from slant.reports.verdict import Verdict
    from slant.studies.section import Section

_LEANS = 3
_FEW_LEANS = 1
_MANY_STUDIES = 12
_GROUPS = 5
_REASONS = 3


@dataclass(frozen=True)
class Lean:
    """A difference that is more than chance, on one line.

    Attributes
    ----------
    finding
        Which it is.
    significance, words
        Which way, as a name and in words.
    group, what
        About whom, and what differs.
    value, interval, support
        How strong, and how sure.
    strip
        The small picture.
    """

    finding: Finding
    significance: Significance
    words: str
    group: str
    what: str
    value: str
    interval: str
    support: str
    glyph: IntervalGlyph | None


@dataclass(frozen=True)
class Gap:
    """What could not be measured for one reason: how many figures, and examples of them."""

    reason: str
    count: int
    what: str


@dataclass(frozen=True)
class StudyOverview:
    """What one study found about one model.

    Attributes
    ----------
    number
        Place of the section, from 0.
    label, model
        Which study, and of which model.
    sure, tested
        How many comparisons are more than chance, of how many.
    leans
        The strongest of them, of every measure in turn.
    gaps
        What could not be measured, the most frequent reason first.
    """

    number: int
    label: str
    model: str
    sure: int
    tested: int
    leans: tuple[Lean, ...]
    gaps: tuple[Gap, ...]


@dataclass(frozen=True)
class Overview:
    """A whole run.

    Attributes
    ----------
    sure, tested
        How many comparisons are more than chance, of how many.
    groups
        Those that these are about, with their number, most frequent first.
    studies
        Those with a sure difference first.
    models
        How many models were asked.
    """

    sure: int
    tested: int
    groups: tuple[tuple[str, int], ...]
    studies: tuple[StudyOverview, ...]
    models: int

    @property
    def differing(self) -> int:
        """How many studies found a sure difference."""
        return sum(study.sure > 0 for study in self.studies)

    def name_of(self, study: StudyOverview) -> str:
        """Call a study by its label, and by its model where there are several."""
        return study.label if self.models < 2 else f"{study.label}, {one_line(study.model, 40)}"


def glance(sections: Sequence[Section], meanings: Meanings | None = None) -> Overview:
    """Sum up what studies concluded.

    A comparison counts as sure as `slant.records.is_sure` says, among all tests of the report.
    Odds ratios that only say again what a rate says do not count.

    Parameters
    ----------
    sections
        What each study concluded about each model, in the report's order.
    meanings
        What differences mean for people: the worst are told first.
    """
    most = _LEANS if len(sections) <= _MANY_STUDIES else _FEW_LEANS
    judged = [in_order(verdicts(each.analysis.findings, meanings)) for each in sections]
    studies = [
        StudyOverview(
            number=number,
            label=section.label,
            model=section.model,
            sure=sum(len(verdict.differing) for verdict in own),
            tested=sum(verdict.tested for verdict in own),
            leans=_leans(own, most),
            gaps=_gaps(section.analysis.findings),
        )
        for number, (section, own) in enumerate(zip(sections, judged, strict=True))
    ]
    about = Counter(
        one_line(finding.group, 60)
        for own in judged
        for verdict in own
        for finding in verdict.differing
    )
    return Overview(
        sure=sum(study.sure for study in studies),
        tested=sum(study.tested for study in studies),
        groups=tuple(about.most_common(_GROUPS)),
        studies=tuple(sorted(studies, key=lambda study: not study.sure)),
        models=len({section.model for section in sections}),
    )


def _leans(judged: Sequence[Verdict], most: int) -> tuple[Lean, ...]:
    """Take the strongest difference of each measure in turn, then the second of each."""
    turns = zip_longest(*(verdict.differing for verdict in judged if verdict.differs))
    order = [finding for turn in turns for finding in turn if finding is not None][:most]
    scales = {verdict.metric: scale(verdict.differing) for verdict in judged if verdict.differs}
    return tuple(_lean(finding, scales) for finding in order)


def _lean(finding: Finding, scales: dict[str, Scale]) -> Lean:
    stands = own_significance(finding)
    condition = f"{one_line(finding.condition, 60)}: " if finding.condition else ""
    name = wording(finding.metric).name
    q = "" if finding.shown_q is None else f"{probability('q', finding.shown_q)}, "
    return Lean(
        finding=finding,
        significance=stands,
        words=SIGNIFICANCE_WORDS[stands],
        group=one_line(finding.group, 80),
        what=condition + (name[:1].lower() + name[1:] if condition else name),
        value=value_text(finding),
        interval=interval_text(finding),
        support=f"{q}n = {finding.n:,}",
        glyph=interval_glyph(finding, scales[finding.metric], stands),
    )


def _gaps(findings: Sequence[Finding]) -> tuple[Gap, ...]:
    missing = [f for f in findings if f.value is None and not is_with_itself(f)]
    reasons = Counter(f.reason or "no reason was recorded" for f in missing)
    return tuple(
        Gap(
            reason=one_line(reason, 200),
            count=count,
            what=_some(missing, reason),
        )
        for reason, count in reasons.most_common(_REASONS)
    )


def _some(missing: Sequence[Finding], reason: str) -> str:
    names = [
        wording(f.metric).name.lower()
        for f in missing
        if (f.reason or "no reason was recorded") == reason
    ]
    different = list(dict.fromkeys(names))
    more = len(different) - 2
    return ", ".join(different[:2]) + (f" and {more} more" if more > 0 else "")
