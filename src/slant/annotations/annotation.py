"""One line of the ledger: what one person ruled about one score."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, StringConstraints, model_validator

from slant.strict import Strict

Label: TypeAlias = Literal[0, 1]
Key: TypeAlias = tuple[str, str, int, str]
"""What is ruled on: model, study, position, measure."""

LONGEST_REASON = 2000
LONGEST_AUTHOR = 80

_Line = StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_AUTHOR)


class Annotation(Strict):
    """What one person ruled about one score, or that they take a label back.

    Attributes
    ----------
    id, time, author
        Which line this is, when it was written (UTC) and by whom.
    model, study, position, item
        Which answer it is about.
    measure
        Which score: a measure whose scores are 0 or 1, or `refusal`.
    automatic
        What the scorer had said at that time.
    label
        What the person says: 1 or 0, or nothing where they cannot tell.
    reason
        Why, where it differs from the score.
    sampled
        Whether the answer was drawn at random and ruled on before the score was shown. Only
        such labels tell how good the scorer is: those that somebody picked were picked because
        something about them looked wrong.
    withdraws
        Id of the line that is taken back.
    """

    id: str = Field(default_factory=lambda: uuid.uuid4().hex)
    time: datetime = Field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))
    author: Annotated[str, _Line]
    model: str
    study: str
    position: int = Field(ge=0)
    item: str
    measure: str
    automatic: float | None
    label: Label | None = None
    reason: Annotated[str, StringConstraints(max_length=LONGEST_REASON)] = ""
    sampled: bool = False
    withdraws: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_it_was_called(cls, line: Any) -> Any:
        """Read a line of an earlier slant, which calls the label a ruling."""
        if isinstance(line, dict) and "ruling" in line and "label" not in line:
            return {"label" if key == "ruling" else key: value for key, value in line.items()}
        return line

    @model_validator(mode="after")
    def _withdrawal_rules_nothing(self) -> Self:
        if self.withdraws is not None and (self.label is not None or self.sampled):
            raise ValueError("a line that withdraws another rules nothing itself")
        return self

    @property
    def key(self) -> Key:
        """What it is about."""
        return self.model, self.study, self.position, self.measure

    @property
    def overrules(self) -> bool:
        """Whether it differs from the score."""
        return self.label is not None and self.label != self.automatic

    @property
    def counts(self) -> bool:
        """Whether findings may rest on it: it agrees with the score, or says why it does not."""
        return self.label is not None and (not self.overrules or bool(self.reason))

    def says_the_same_as(self, other: Annotation) -> bool:
        """Tell whether another line by the same person adds nothing to this one."""
        mine = (self.author, self.key, self.label, self.reason, self.sampled)
        return mine == (other.author, other.key, other.label, other.reason, other.sampled)
