"""Answers of a run's transcripts, as they are read: a row of a page, or all that is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Request

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Row:
    """One answer of a page.

    Attributes
    ----------
    number
        Row in the table, from 0.
    place
        Place in the order asked, from 0: what readers know it by.
    model, study, axis, group, condition, outcome, sample, position
        As in `answers.parquet`; `condition` is empty where there are too many to keep.
    prompt, text
        What was asked and what came back.
    scores
        By measure, of those that scored it.
    marks
        What each measure found in the text, as [start, end) offsets.
    in_prompt, in_text
        Where the words that were searched for stand.
    sensitive
        Whether it is blurred until the reader asks.
    """

    number: int
    place: int
    model: str
    study: str
    axis: str
    group: str
    condition: str
    outcome: str
    sample: int | None
    position: int
    prompt: str
    text: str | None
    scores: Mapping[str, float]
    marks: Mapping[str, Sequence[Span]]
    in_prompt: Sequence[Span]
    in_text: Sequence[Span]
    sensitive: bool


@dataclass(frozen=True)
class Score:
    """What a measure gave to an answer: a value, or why there is none; and what it rests on."""

    measure: str
    value: float | None
    reason: str | None
    spans: Sequence[Span]


@dataclass(frozen=True)
class Whole:
    """One answer with everything that is known of it.

    Attributes
    ----------
    row
        As in a page; scores and marks are in `scores`.
    request
        What was asked, exactly; `None` where only a file was measured.
    slots
        What else the study noted.
    logprobs
        Natural logarithms: one per option, or one per token.
    prompt_tokens, completion_tokens, finish_reason, reason
        As in `answers.parquet`.
    scores
        By every measure.
    """

    row: Row
    request: Request | None
    slots: Mapping[str, Any]
    logprobs: Sequence[float] | None
    prompt_tokens: int | None
    completion_tokens: int | None
    finish_reason: str | None
    reason: str | None
    scores: list[Score] = field(default_factory=list)
