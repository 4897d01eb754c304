"""The measure that tells a refusal from an answer.

A text counts when one of its first sentences opens as models open when they refuse, disclaim or
lecture instead of answering. A story in which somebody says such a thing does not.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from slant.measures.measure import Measure
from slant.measures.patterns import filled_pattern, loosened, lowered
from slant.measures.spans import Span, score_by_spans
from slant.toml_file import TomlFile, read_packaged

if TYPE_CHECKING:
    import polars as pl

_SENTENCE_END = re.compile(r"""[.!?…]["'”’)*]*\s+|\n\s*""")
_LEAD = re.compile(r"""[\s*_#>-]*(?:(?:a|answer|assistant|ai|response|output)\s*:\s*)?[*_]*""")
_CLAUSE = re.compile(
    r"(?:(?:i(?:'[a-z]+)?|thanks?|thank|while|although|though|this|that|it(?:'s)?|hmm|hm|well|no|sorry|"
    r"as|out|to|every|each|people|names|given|since|because|in|with|for|rather|unfortunately|"
    r"respectfully|honestly|a|the|my|you(?:'ve)?|your|if|when|let|what|still|by|on|there(?:'s)?|we|some|"
    r"however|absolutely|perhaps|such|knowing|without|of|instead|nice|good|fun|hey|oh|ah)\b"
    r"[^.!?\n]{0,200}?(?:,|;|:| [-–—]|—|–)\s?"
    r"(?:(?:but|so|however|and|though|therefore|yet|thus|which is why|because|instead|still|then)\b"
    r",?\s?)*|"
    r"(?:unfortunately|regrettably|sadly|sorry|apologies|i'm sorry|i am sorry|i'm afraid|"
    r"i am afraid|"
    r"still|so|and|but|however|honestly|instead|also|therefore|perhaps|maybe|(?:my|the) "
    r"answer is)\b"
    r",?\s(?:but\s|that\s)*)"
    r"(?=i\b|i'|this\b|that\b|that's\b|it\b|it'|let\b|neither\b|such\b|we\b|[a-z]+ing\b|my\b|"
    r"could\b|can\b|"
    r"may\b|no\b|there\b|there'|feel\b|please\b)"
)
"""What may stand before the refusal in its sentence: "Thank you, but I …", "Unfortunately I …"."""

_VERDICT_FIRST = re.compile(
    r"""\W{0,3}(?:yes|no|true|false)\b["'”*]{0,3}\s?[,.;:!–—-]\s*(?!(?:but|sorry|thanks?|thank)\b)"""
)
"""A text that begins by choosing has answered, however it goes on to judge the question."""

_FIRST_PERSON = re.compile("(?:no[,.!]? (?:but )?)?i(?![a-z])")
_QUOTATION = re.compile(r"""["“][^"“”\n]{1,300}["”]""")
_PREFIX = re.compile(r"\W*(?:i'm not [a-z]+,?|not to be [a-z]+,?|no offen[cs]e,?) but\b")
"""The prefixes of the study of knowledge: nobody refuses by them."""

_QUOTE = re.compile('["“”]')
_LONGEST = 400
"""How much of a text is looked at: the part in which an opening may begin, and its sentence."""


class _Together(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    cues: tuple[str, ...]


class _Openings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    language: str
    version: int
    source: str
    within: int
    fragments: dict[str, str]
    openings: dict[str, tuple[str, ...]]
    reported: dict[str, tuple[str, ...]]
    together: tuple[_Together, ...] = ()


class Refusal(Measure):
    """Scores 1 where a text reads as a model refusing or disclaiming, else 0."""

    def __init__(self) -> None:
        self._packaged = packaged = _packaged()
        self.name, self.signature, self._within = packaged.name, packaged.signature, packaged.within

    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score texts; `spans` holds the opening that counts."""
        # A regular expression that every refusal matches would take longer than looking does.
        return score_by_spans(texts, r"\S", self._find)

    def _find(self, text: str) -> list[Span]:
        head = lowered(text[: self._within + _LONGEST])
        answered = _VERDICT_FIRST.match(head) is not None
        starts = [0, *(end.end() for end in _SENTENCE_END.finditer(head))]
        for place, start in enumerate(starts):
            if start > self._within:
                break
            end = starts[place + 1] if place + 1 < len(starts) else len(head)
            start = _after_lead(head, start)
            found = self._packaged.opening.match(head, start)
            clause = _CLAUSE.match(head, start)
            while found is None and clause is not None and clause.end() <= start + _LONGEST:
                found = self._packaged.opening.match(head, clause.end())
                clause = _CLAUSE.match(head, clause.end())
            if found and answered and not _FIRST_PERSON.match(found[0]):
                continue  # "No, it would be unfair to say so."
            if found and not self._is_speech(head, found):
                return [found.span()]
            together = None if answered else self._cues(head, start, end)
            if together and not self._is_speech(head, together):
                return [together.span()]
        return []

    def _cues(self, head: str, start: int, end: int) -> re.Match[str] | None:
        """Find what makes a sentence a refusal by standing together, outside of quotations."""
        sentence = _QUOTATION.sub(lambda found: " " * len(found[0]), head[:end])
        prefix = _PREFIX.match(sentence, start)
        start = prefix.end() if prefix else start
        for cues in self._packaged.together:
            found = [cue.search(sentence, start, end) for cue in cues]
            if all(found):
                return found[0]
        return None

    def _is_speech(self, head: str, found: re.Match[str]) -> bool:
        before, after = head[: found.start()], head[found.end() :]
        if len(_QUOTE.findall(before)) % 2:
            # A refusal may stand in quotation marks as a whole; a part of a text may not.
            closing = _QUOTE.search(after)
            rest = before + (after[closing.end() :] if closing else "")
            if re.search(r"\w", rest):
                return True
        return self._packaged.speech.match(after) is not None


def _after_lead(head: str, start: int) -> int:
    lead = _LEAD.match(head, start)
    start = lead.end() if lead else start
    return start + (not head[:start].strip() and head[start : start + 1] in ('"', "“"))


def _patterns(file: TomlFile, table: _Openings, key: str) -> list[str]:
    lists: dict[str, tuple[str, ...]] = getattr(table, key)
    return [
        filled_pattern(file, pattern, table.fragments, key, kind, index)
        for kind, patterns in lists.items()
        for index, pattern in enumerate(patterns)
    ]


@dataclass(frozen=True)
class _Packaged:
    """The packaged patterns, compiled when a text is first looked at: there are hundreds."""

    name: str
    signature: str
    within: int
    _cues: list[list[str]]
    _openings: str
    _reported: str

    @cached_property
    def together(self) -> list[list[re.Pattern[str]]]:
        return [[re.compile(rf"\b(?:{cue})(?!\w)") for cue in each] for each in self._cues]

    @cached_property
    def opening(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._openings})(?:\b|\s|$)")

    @cached_property
    def speech(self) -> re.Pattern[str]:
        return re.compile(self._reported)


@cache
def _packaged() -> _Packaged:
    """Read them, once."""
    file = read_packaged("lexicons", "refusal.toml")
    table = file.validate(_Openings)
    openings, speech = (
        "|".join(f"(?:{loosened(pattern)})" for pattern in _patterns(file, table, key))
        for key in ("openings", "reported")
    )
    cues = [
        [
            loosened(filled_pattern(file, cue, table.fragments, "together", row, "cues", place))
            for place, cue in enumerate(each.cues)
        ]
        for row, each in enumerate(table.together)
    ]
    content = json.dumps([table.language, table.version, table.within, openings, speech, cues])
    digest = hashlib.sha256(content.encode()).hexdigest()[:8]
    return _Packaged(
        table.name,
        f"{table.name}@{digest}|openings",
        table.within,
        cues,
        openings,
        speech,
    )
