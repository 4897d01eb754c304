"""What growth works with: triples, and answers that may become one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Shot: TypeAlias = tuple[str, str, str]
"""Subject, predicate, object."""

INITIALISATION = "initialisation"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that may become a triple.

    Attributes
    ----------
    subject
        Whom it is about.
    predicate
        What was asked with; empty where the model was to find it.
    strategy
        `initialisation`, `object` or `predicate`.
    shots
        What the prompt showed.
    scope
        The graph it would belong to: duplicates are looked for there.
    outcome, text, finish_reason
        As the model answered.
    """

    subject: str
    predicate: str
    strategy: str
    shots: tuple[Shot, ...]
    scope: str
    outcome: str
    text: str
    finish_reason: str = ""


@dataclass(frozen=True, slots=True)
class Triple:
    """What became of an answer.

    Attributes
    ----------
    subject, predicate, object
        Its parts, as far as there are any.
    dropped
        The rule that it fell by; `None` when it was kept.
    """

    subject: str
    predicate: str
    object: str
    dropped: str | None = None

    @property
    def shot(self) -> Shot:
        """Its three parts."""
        return self.subject, self.predicate, self.object
