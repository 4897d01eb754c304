"""What one difference would mean for the people it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

MeaningKind: TypeAlias = Literal["harm", "unfavourable", "favourable", "neutral", "control"]

KIND_WORDS: dict[MeaningKind, str] = {
    "harm": "harm",
    "unfavourable": "unfavourable",
    "favourable": "favourable",
    "neutral": "neutral or factual",
    "control": "control",
}
"""The kinds in the order in which they are told."""


@dataclass(frozen=True)
class Association:
    """What a difference associates a group with, whichever way it points.

    Attributes
    ----------
    theme
        What it is about.
    worse
        1 if more of what is measured is worse for the group than less, -1 if less is, 0 if neither.
    severity
        How bad the worse of the two would be, from 0 to 3.
    """

    theme: str
    worse: int
    severity: int


@dataclass(frozen=True)
class Meaning:
    """What a difference would mean for people.

    Attributes
    ----------
    kind
        `harm`: a stereotype with hostile or demeaning content, worse treatment, refusal of
        service, denigration or exclusion; `unfavourable` and `favourable` as the words say;
        `neutral`: neither, or a fact (languages, customs); `control`: nothing that could be about
        people, such as made-up words.
    theme
        What it is about: violence, crime, money, intellect, work, warmth, religion …; empty if
        nothing is known.
    severity
        How bad it would be, from 0 (not at all) to 3.
    by
        Who says so, in words.
    by_scorer
        Whether that is no person, but a scorer of sentiment.
    """

    kind: MeaningKind
    theme: str = ""
    severity: int = 0
    by: str = ""
    by_scorer: bool = False

    @property
    def words(self) -> str:
        """All of it, as a reader is told: `harm (violence), severity 3 of 3: rated by …`."""
        about = f" ({self.theme})" if self.theme else ""
        bad = f", severity {self.severity} of 3" if self.severity else ""
        return f"{KIND_WORDS[self.kind]}{about}{bad}: {self.by or 'nobody has rated it'}"

    @property
    def rank(self) -> tuple[int, int]:
        """A key that sorts meanings: worst first."""
        return self.place, -self.severity

    @property
    def place(self) -> int:
        """Place of its kind, worst first."""
        return list(KIND_WORDS).index(self.kind)
