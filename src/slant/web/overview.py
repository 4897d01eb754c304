"""What a run found, as its overview tells it: from the findings alone, without any table."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slant.reports.association_words import Associations, associations
from slant.reports.families import differences
from slant.reports.numbers import interval_text, value_text
from slant.reports.significance import own_significance
from slant.reports.verdict import in_order, told, verdicts
from slant.reports.views import Conclusion
from slant.reports.wording import is_with_itself, wording
from slant.reports.write import MEANINGS, meanings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.significance import Significance
    from slant.web.open_run import Heading, OpenRun


@dataclass(frozen=True)
class StudyOverview:
    """What one study concluded about one model.

    Attributes
    ----------
    heading
        Of the section; `None` where the run holds no such section.
    study, model
        What was judged.
    conclusions
        A list of sentences for each metric, those that differ first.
    told
        How many of these lists stand in the open.
    findings
        How many there are.
    differences
        How many of them are differences that are more than chance.
    unmeasured
        Findings without a value, save those that compare a group with itself.
    """

    heading: Heading | None
    study: str
    model: str
    conclusions: list[list[Conclusion]]
    told: int
    findings: int
    differences: int
    unmeasured: list[Finding]


@dataclass(frozen=True)
class Difference:
    """A difference that is more than chance, in words."""

    finding: Finding
    significance: Significance
    value: str
    interval: str


@dataclass(frozen=True)
class Leaning:
    """A group that is treated differently.

    Attributes
    ----------
    axis, group
        Which group.
    metrics
        Its differences by what was measured, largest effect first: name, study and model, and
        those differences.
    """

    axis: str
    group: str
    metrics: list[tuple[str, str, list[Difference]]]


@dataclass(frozen=True)
class Overview:
    """What a run found.

    Attributes
    ----------
    studies
        In the run's order.
    leaning
        Groups that are treated differently, those first who are harmed.
    groups
        All groups, by axis.
    differences
        How many differences are more than chance.
    together
        What several measures say about the same groups and themes.
    faults
        Sections that cannot be read.
    """

    studies: list[StudyOverview]
    leaning: list[Leaning]
    groups: dict[str, list[str]]
    differences: int
    together: Associations
    faults: list[Heading] = field(default_factory=list)


def found(run: OpenRun) -> Overview:
    """Put together what a run found.

    Raises
    ------
    InputError
        The findings cannot be read.
    """
    return run.remembered("found", ("findings.json", MEANINGS), lambda: _found(run))


def _found(run: OpenRun) -> Overview:
    every, headings = list(run.findings().values()), run.headings()
    groups: dict[str, dict[str, None]] = defaultdict(dict)
    by_study: dict[tuple[str, str], list[Finding]] = {
        (heading.label, heading.model): [] for heading in headings if not heading.fault
    }
    for finding in every:
        by_study.setdefault((finding.study, finding.model), []).append(finding)
        if finding.group and not finding.is_control:
            groups[finding.axis].setdefault(finding.group)
    places = {(heading.label, heading.model): heading for heading in headings}
    meanings = meanings_of(run.run)
    differing = sorted(differences(every), key=lambda each: meanings.of(each).rank)
    return Overview(
        studies=[
            _study(own, *names, places.get(names), meanings) for names, own in by_study.items()
        ],
        leaning=_leaning(differing),
        groups={axis: list(names) for axis, names in groups.items()},
        differences=len(differing),
        together=associations(every, meanings),
        faults=[heading for heading in headings if heading.fault],
    )  # fmt: skip


def _study(
    findings: Sequence[Finding],
    study: str,
    model: str,
    heading: Heading | None,
    meanings: Meanings,
) -> StudyOverview:
    judged = in_order(verdicts(findings, meanings))
    return StudyOverview(
        heading=heading,
        study=study,
        model=model,
        conclusions=[
            # This page has no cards: each sentence leads to the page of its finding.
            [
                Conclusion(sentence, verdict.differs, "", finding)
                for sentence, finding in verdict.sentences
            ]
            for verdict in judged
        ],
        told=told(judged),
        findings=len(findings),
        differences=len(differences(findings)),
        unmeasured=[f for f in findings if f.value is None and not is_with_itself(f)],
    )


def _leaning(differing: Sequence[Finding]) -> list[Leaning]:
    # What is given is in order: so are groups and metrics, by what each has first.
    groups: dict[tuple[str, str], dict[tuple[str, str, str], list[Difference]]] = {}
    for finding in differing:
        metrics = groups.setdefault((finding.axis, finding.group), {})
        key = (finding.metric, finding.study, finding.model)
        metrics.setdefault(key, []).append(_difference(finding))
    return [
        Leaning(
            axis,
            group,
            [
                (wording(metric).name, f"{study} · {model}", own)
                for (metric, study, model), own in metrics.items()
            ],
        )
        for (axis, group), metrics in groups.items()
    ]


def _difference(finding: Finding) -> Difference:
    significance = own_significance(finding)
    return Difference(finding, significance, value_text(finding), interval_text(finding))
