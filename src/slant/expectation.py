"""What a study expects an answer to be; the reading of a reply follows from it.

A reply of an assistant is more than its answer: a thought before it, a preamble, mark-up, a word of
farewell. What of it is the answer depends on what was asked for, so the question says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

ExpectationKind: TypeAlias = Literal[
    "text", "continuation", "word", "option", "sentence", "list", "json", "article", "story"
]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What an answer should be.

    Attributes
    ----------
    kind
        `text` for anything, word for word: all that is taken off is a thought. The others are asked
        of a chat: the `continuation` of a text, one `word`, one of several `option`s, a `sentence`,
        a `list`, a `json` document, an `article`, a `story`.
    starts
        What the answer may repeat before it comes to what is wanted, in this order: the text to be
        continued, or the beginning of the sentence in its parts.
    options
        Of which one is to be named.
    """

    kind: ExpectationKind = "text"
    starts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


VERBATIM = Expectation()
"""Raw text, continued: nothing of it is manner."""
