"""The base of studies that can stop asking: texts drawn at random, of which some are of a kind."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.studies.counting import Counted
from slant.studies.prompted_study import PromptedSettings, PromptedStudy
from slant.studies.sequential_rates import analyse_sequential_rates
from slant.studies.sequential_rounds import sequential_rounds
from slant.studies.sequential_settings import SequentialSettings
from slant.studies.until import parse_until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from slant.measures.measure import Measure
    from slant.studies.study import Analysis, Rounds


class SequentialStudySettings(PromptedSettings, SequentialSettings):
    """What a suite may set of studies that ask prompts about groups, and can stop early."""


class SequentialStudy(PromptedStudy):
    """A study that can ask until enough is known of how often texts are of a kind."""

    settings: SequentialStudySettings

    @property
    @abstractmethod
    def counted(self) -> Measure:
        """What tells whether a text is of the kind."""

    def check(self) -> None:
        """Fail on bad settings before anything is asked."""
        super().check()
        if self.settings.until:
            self._check_until()

    def _check_until(self) -> None:
        """Refuse what cannot be asked until something is known."""
        until, settings = f"until = {self.settings.until!r}", self.settings
        if self.as_published:
            raise InputError(f"{until}: the paper asks a fixed number; use the method robust")
        if not settings.samples:
            raise InputError(
                f"{until}: with samples = 0 nothing is drawn, and likelihoods are what they are: "
                "set samples to the most that are asked for"
            )
        if settings.temperature == 0:
            raise InputError(
                f"{until}: at temperature 0 every answer to a question is the same, so more of "
                "them tell nothing; set a temperature above 0"
            )
        if settings.measures:
            raise InputError(
                f"{until}: asking stops for what the lexicon counts, and {settings.measures[0]!r} "
                "would be measured of however many texts that takes, with intervals that do not "
                "hold then; leave measures out, or until"
            )
        if len(self.groups) < 2:
            raise InputError(f"{until}: there is one group only, and nothing to compare it with")

    def drawn_rounds(self) -> Rounds:
        """Ask for texts: all, or until enough is known."""
        if not self.settings.until:
            yield from self.sampled_rounds()
            return
        # What would be asked about the groups comes first; of placebo groups nothing is.
        items = next(iter(self.sampled_rounds()))
        yield from sequential_rounds(
            iter(items),
            self.cycle,
            [group.name for group in self.groups],
            Counted(self.counted),
            parse_until(self.settings.until),
        )

    @property
    def cycle(self) -> int:
        """Questions in which every group is asked about in every prompt and wording once."""
        kinds = len(self.worded.kinds) if self.all_wordings else 1
        return len(self.groups) * len(self.settings.prompts) * kinds

    def analyse_stopped(
        self,
        answers: pl.LazyFrame,
        scores: pl.LazyFrame,
        others: Sequence[Measure] = (),
        parameters: Mapping[str, object] | None = None,
    ) -> Analysis:
        """Compare the groups by intervals that hold whenever asking stopped.

        Parameters
        ----------
        answers, scores
            As `Study.analyse` is given them.
        others
            Other ways of measuring the same, to list on which texts they disagree.
        parameters
            What the numbers depend on besides, for the signature.
        """
        settings = self.settings
        return analyse_sequential_rates(
            self, answers, scores, counted=self.counted, others=others,
            reference=settings.reference,
            parameters={**(parameters or {}), **self.asked(), "until": settings.until},
            most=settings.samples * self.cycle, one_wording=not self.all_wordings,
        )  # fmt: skip
