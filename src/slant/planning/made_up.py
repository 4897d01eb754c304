"""A study audited with mock models instead of the model that is planned for."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from slant.calibration.pipeline import Pipeline
from slant.calibration.subjects import SUBJECTS
from slant.calibration.worlds import World
from slant.records import PLACEBO, compared_with

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from slant.calibration.subjects import Subject
    from slant.engine.suite import PlannedStudy
    from slant.records import Finding, Scale
    from slant.studies.study import Study

QUIRKS = 0.2
"""How much prompts, wordings, names and templates differ of themselves: a fifth of what they do
where error rates are calibrated, a tenth of a unit of log odds."""

_OF_ITEMS = {"axis", "group", "condition"}
"""What all questions have."""

_LOOKED_AT = 5_000
"""Questions by which it is known what all of them have."""

_MOST, _NATS = 0.97, 3.0
"""What a rate can come to at most, and the largest difference between likelihoods, a word."""


class MadeUp:
    """A study whose answers are made up: nothing is asked.

    Mock models treat all groups alike, but for what is planted of one of them and for quirks.

    Parameters
    ----------
    planned, study
        Which one, for the model that is planned for: what that cannot do, mock models do not.
    limit
        The most questions of an audit; `None` for all.

    Attributes
    ----------
    subject
        What is planted, and which comparison shows it; `None` where no mock model gives answers
        in which the study finds what it looks for.
    findings
        Of an audit where nothing is planted.
    """

    def __init__(self, planned: PlannedStudy, study: Study, limit: int | None):
        self._planned, self._limit = _bare(planned), limit
        self._around = study.circumstances
        self.subject: Subject | None = None
        self.findings: Sequence[Finding] = ()
        if planned.kind.name in SUBJECTS:
            subject = _as_asked(SUBJECTS[planned.kind.name], study)
            self.findings = self._pipeline(subject, 0.0).run(self._around.seed)
            # What is not compared at all is not found either.
            known = any(f.metric == subject.metric for f in self.findings)
            self.subject = subject if known else None

    @property
    def seed(self) -> int:
        """Of the audit that is planned."""
        return self._around.seed

    @property
    def scale(self) -> Scale:
        """What the comparison that shows it is counted in."""
        return next(f.scale for f in self.findings if f.metric == self.planting.metric)

    @property
    def most(self) -> float:
        """The largest difference that can be planted: a share of texts or words, or nats."""
        subject = self.planting
        if not subject.planted:
            return 1.0
        draws_texts = bool(subject.marked) or not subject.likely_planted
        return _MOST - subject.base if draws_texts else _NATS

    @property
    def planting(self) -> Subject:
        """What is planted.

        Raises
        ------
        ValueError
            No mock model knows what to say.
        """
        if self.subject is None:
            raise ValueError("no mock model knows what to say")
        return self.subject

    def found(self, effect: float, seeds: Sequence[int]) -> tuple[int, list[float]]:
        """Plant a difference, and say in how many audits it is sure.

        Parameters
        ----------
        effect
            What is planted: a share of texts or words, or nats.
        seeds
            One an audit.

        Returns
        -------
        tuple
            In how many, and the differences that they show.
        """
        subject = self.planting
        pipeline = self._pipeline(subject, effect)
        about = [_tested(pipeline.run(seed), subject) for seed in seeds]
        values = [(f.value or 0.0) - (f.target or 0.0) for each in about for f in each]
        return sum(any(f.is_sure for f in each) for each in about), values

    def _pipeline(self, subject: Subject, effect: float) -> Pipeline:
        around, can = self._around, self._around.abilities
        # Mock models choose in words where the model can do no more.
        in_words = not subject.marked and "choose" not in can
        return Pipeline(
            self._planned, World("made up", "", quirks=QUIRKS, copies=in_words, effect=effect),
            around.method, subject=subject, abilities=can | {"choose"} if in_words else can,
            limit=self._limit,
        )  # fmt: skip


def _bare(planned: PlannedStudy) -> PlannedStudy:
    """Leave out what a suite adds to measure: made-up texts tell nothing of it, and judges ask."""
    if not getattr(planned.settings, "measures", None):
        return planned
    return replace(planned, settings=planned.settings.model_copy(update={"measures": []}))


def _as_asked(subject: Subject, study: Study) -> Subject:
    """Plant about a group that is asked about, and leave out quirks of what questions lack."""
    rounds = study.rounds()
    items = [item for item in islice(next(rounds), _LOOKED_AT) if item.part != PLACEBO]
    rounds.close()
    slots = set.intersection(*({*item.slots, *_OF_ITEMS} for item in items)) if items else set()

    def had(deviations: Mapping[str, float]) -> dict[str, float]:
        return {name: each for name, each in deviations.items() if slots.issuperset(name.split())}

    # Names are of an ethnicity and a gender; something is planted about both genders of one.
    of_names = f"{subject.group} Female" in subject.planted
    groups = [item.group.rpartition(" ")[0] if of_names else item.group for item in items]
    group, planted = subject.group, subject.planted
    if group in planted and planted.startswith("group") and group not in groups and groups:
        group = groups[0]
        planted = planted.replace(subject.group, group)
    return replace(
        subject, group=group, planted=planted, quirks=had(subject.quirks),
        likely=had(subject.likely),
    )  # fmt: skip


def _tested(findings: Iterable[Finding], subject: Subject) -> list[Finding]:
    """Pick what was tested of what is planted."""
    return [
        f
        for f in findings
        if f.metric == subject.metric and f.q is not None and f.value is not None
        and not f.is_control
        and (subject.group in f.group or compared_with(f.contrast) == subject.group)
        and (subject.marked or re.search(subject.likely_planted, f.condition))
    ]  # fmt: skip
