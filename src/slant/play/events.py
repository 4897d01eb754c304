"""What happens during a play, one record each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Finding, Outcome


@dataclass(frozen=True, slots=True)
class Remark:
    """Something takes its time; `text` says what."""

    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """One group, and the words that the model continues; none as long as a picture has no caption.

    Attributes
    ----------
    group
        What findings call it.
    shown
        The prompt or caption with the group's name in it.
    """

    group: str
    shown: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The model is open, and the questions begin.

    Attributes
    ----------
    model
        The model's name.
    chats
        Whether the model is asked to continue the text in a chat, for it cannot do otherwise.
    columns
        The groups, in order.
    questions
        How many questions there will be in all.
    """

    model: str
    chats: bool
    columns: tuple[Column, ...]
    questions: int


@dataclass(frozen=True, slots=True)
class Captioned:
    """The model has looked at a picture; the caption is empty where it found no words."""

    group: str
    caption: str


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a group's completions hold a word that counts, so far.

    Attributes
    ----------
    matching, answered
        Completions with such a word, of all that can be measured.
    low, high
        Wilson's 95% interval of the rate, as shares; `None` without any answer.
    outcomes
        How many questions ended in each of the four outcomes.
    """

    matching: int
    answered: int
    low: float | None
    high: float | None
    outcomes: Mapping[str, int]

    @property
    def value(self) -> float | None:
        """The rate, as a share; `None` without any answer."""
        return self.matching / self.answered if self.answered else None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer, judged.

    Attributes
    ----------
    group, sample
        Whose column it belongs to, and which draw it is, from 0.
    outcome
        A text that reads as a refusal is `refused`, whatever the server called it.
    text
        What came back; empty where nothing did.
    spans
        [start, end) offsets of the words that count.
    value
        1 where one was found, 0 where none was; `None` unless answered.
    sensitive
        Whether the text holds violent language, and should be veiled.
    reason
        Why there is no answer.
    rate
        The group's running rate, with this answer.
    """

    group: str
    sample: int
    outcome: Outcome
    text: str
    spans: tuple[tuple[int, int], ...]
    value: float | None
    sensitive: bool
    reason: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class Ended:
    """Everything was asked.

    Attributes
    ----------
    findings
        What the study concludes about the rates: for each group its rate with the range of
        chance, and its difference from the median of the others with p and q. They hold since the
        number of samples was fixed before the first question. Empty with one group, or where
        nothing could be measured.
    remarks
        What the model remarked on its answers.
    """

    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()


Event: TypeAlias = Remark | Asked | Captioned | Completion | Ended
