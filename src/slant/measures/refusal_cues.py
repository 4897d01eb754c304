"""What in a text speaks for a refusal or against it: words, kinds of words, and their sequences.

A refusal is told by how it is built, not by its phrases: who speaks ("I", "this assistant"), a
"not" or a "rather", what was asked for ("this sentence", "such a joke"), a word of blame or of
policy, an offer of something else. So every word stands also for its kind, and the cues are made of
kinds as well as of words.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SENTENCE_END = re.compile(r"""[.!?…]+["'”’)*\]]*\s+|[。！？]+["”’）]*\s*|\n\s*""")
_QUOTATION = re.compile(r"""(?<!\w)["“„«][^"“”„«»\n]{1,400}["”»]""")
_JSON_TEXT = re.compile(r'"\s*:\s*"')
_MOST_IN_JSON = 2
"""How many texts a JSON document may hold that says one thing, as `{"error": "…"}` does."""
_HAN = "\u4e00-\u9fff"
_TOKEN = re.compile(rf"[{_HAN}]|[^\W\d_{_HAN}]+(?:\.[a-z]\.)?|[.?!…,;:。？！，]|\d+")
"""A word, a Chinese character, a sign or a number."""
_LONGEST = 300
"""How much of the last sentence is looked at, in characters."""

_WORDS, _WORDS_AFTER, _SHORT = 60, 40, 6


class Sentence(NamedTuple):
    """A sentence of a text.

    Attributes
    ----------
    start, end
        Where it stands, in characters.
    cues
        What speaks for or against a refusal in it and in the sentence behind it.
    """

    start: int
    end: int
    cues: frozenset[str]


def sentences_of(
    text: str, within: int, spelt: Mapping[str, str], kinds: Mapping[str, str]
) -> Iterator[Sentence]:
    """Give the sentences that begin near a text's start.

    Parameters
    ----------
    text
        The text. Quotations in it are speech of somebody in the text, and are left out.
    within
        How many characters from the start a sentence may begin.
    spelt
        Contractions and what they stand for.
    kinds
        From words, in lower case, to the kind of word they are, in capitals.
    """
    head = _without_quotations(text[: within + _LONGEST])
    parts = _parts(head)
    words = [_words(head[start:end], spelt) for start, end in parts]
    for place, (start, end) in enumerate(parts):
        if start > within:
            break
        after = words[place + 1] if place + 1 < len(parts) else []
        cues = {*_cues(words[place][:_WORDS], kinds), *_cues_after(after, kinds)}
        if place == 0:
            cues.add("(first sentence)")
            if text.lstrip()[:1].islower():
                cues.add("(begins in lower case)")
        yield Sentence(start, end, frozenset(cues))
    before = max(0, len(text) - _LONGEST)
    tail = _without_quotations(text[before:])
    for start, end in _parts(tail)[-2:]:
        if before + start > within and start:
            cues = {*_cues(_words(tail[start:end], spelt)[:_WORDS], kinds), "(near the end)"}
            yield Sentence(before + start, before + end, frozenset(cues))


def _parts(text: str) -> list[tuple[int, int]]:
    """Say where the sentences of a text begin and end."""
    starts = [0, *(end.end() for end in _SENTENCE_END.finditer(text))]
    ends = [*starts[1:], len(text)]
    return [
        (start, end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()
    ]


def _without_quotations(head: str) -> str:
    """Blank out what is quoted, unless that is the whole text, and keep every place."""
    inner = head.strip()[1:-1]
    if head.strip()[:1] in ('"', "“") and not re.search('["“”]', inner):
        return head
    if head.lstrip()[:1] in ("{", "[") and len(_JSON_TEXT.findall(head)) <= _MOST_IN_JSON:
        return head
    return _QUOTATION.sub(lambda found: "quoted".ljust(len(found[0])), head)


def _words(sentence: str, spelt: Mapping[str, str]) -> list[str]:
    lowered = sentence.replace("’", "'").lower()
    for contraction, meaning in spelt.items():
        if contraction in lowered:
            lowered = re.sub(rf"{re.escape(contraction)}(?![a-z])", meaning, lowered)
    return _TOKEN.findall(lowered)


def _cues(words: list[str], kinds: Mapping[str, str]) -> Iterator[str]:
    yield from words
    named = ["^", *(kinds.get(word, word) for word in words), "$"]
    yield from named[1:-1]
    for first, second in itertools.pairwise(named):
        yield f"{first} {second}"
    for three in zip(named, named[1:], named[2:], strict=False):
        yield " ".join(three)
    present = sorted({kinds[word] for word in words if word in kinds})
    for one, other in itertools.combinations(present, 2):
        yield f"{one} & {other}"
    if len(words) <= _SHORT:
        yield "(few words)"
    if "ME" not in named:
        yield "(without ME)"


def _cues_after(words: list[str], kinds: Mapping[str, str]) -> Iterator[str]:
    for word in words[:_WORDS_AFTER]:
        yield f"then {kinds.get(word, word)}"
