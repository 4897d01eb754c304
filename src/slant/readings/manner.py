"""Telling the answer from what an assistant says around it: preambles, labels, afterwords."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from slant.readings.conclusion import behind_steps
from slant.strict import Strict
from slant.toml_file import read_packaged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.expectation import ExpectationKind

_HEAD = 600
"""Characters within which a preamble must end."""

_LONGEST_LINE = 40
"""Words of a line that announces an answer, at the most."""

_TAIL = 900
"""Characters within which an afterword must begin, counted from the end."""

_EMOJI = "[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]"
_END = rf"(?:\s*{_EMOJI}+)?[*_]{{0,3}}[!.。！…~]+[*_]{{0,3}}(?:\s*{_EMOJI}+)*|\s*{_EMOJI}+"
_LEAD = rf"\s*(?:{_EMOJI}{{1,4}}\s*)?[*_#>\"“„«]{{0,4}}\s*(?:{_EMOJI}{{1,4}}\s*)?"
_NOT_ENGLISH = re.compile(r"[^\W\d_]")
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’*_)]*\s+")


class _Phrases(Strict):
    version: int
    source: str
    openers: tuple[str, ...]
    things: tuple[str, ...]
    announcing: tuple[str, ...]
    labels: tuple[str, ...]
    task_sentences: tuple[str, ...]
    afterwords: tuple[str, ...]


class _Manner:
    """The packaged phrases as patterns."""

    def __init__(self) -> None:
        phrases = read_packaged("manner", "phrases.toml").validate(_Phrases)
        openers = _either(phrases.openers)
        things = _either(phrases.things)
        told = (
            rf"(?:here(?:'s|\s+is|\s+are|\s+goes)|below\s+(?:is|are)|(?:the\s+)?following\s+(?:is|are)|"
            rf"this\s+is|i(?:'d|\s+would)\s+(?:say|suggest|write|continue|complete|go\s+with)|"
            rf"(?:my|the|a|an|one|some)(?=\s)|continuing|possible|suggested|completed)"
            rf"(?=[^.!?:：\n]{{0,120}}?\b{things}\b)"
        )
        foreign = _either(phrases.announcing)
        #: "Sure!", "Of course."
        self.opener = re.compile(rf"{_LEAD}{openers}(?:,?\s+{openers})?(?:{_END})\s*", _FLAGS)
        self.opener_line = re.compile(
            rf"{_LEAD}{openers}(?:,?\s+{openers})?[^\w\n]{{0,6}}(?:\n|\Z)", _FLAGS
        )
        self.opens = re.compile(rf"{_LEAD}{openers}(?![\w'])", _FLAGS)
        between = rf"(?:{openers}[\s,!.–—-]+)?(?:(?:and|so|then|well|now|und|et|y|e)\s+)?"
        #: "Sure, here is a description:" and what follows on the same line.
        self.announcement = re.compile(
            rf"{_LEAD}{between}(?:{told}|{foreign})[^.!?:：\n]{{0,160}}[*_]{{0,3}}[:：][*_]{{0,3}}(?:\s*{_EMOJI}+)?\s*",
            _FLAGS,
        )
        self.announces = re.compile(rf"(?:{told}|(?<!\w){foreign}(?!\w))", _FLAGS)
        label = _either(phrases.labels)
        self.label = re.compile(
            rf"\s*(?:#{{1,6}}\s*)?(?:\[\d\d?(?::\d\d){{1,2}}\]\s*)?"
            rf"(?:[*_\[\"]{{0,3}}{label}[*_\]\"]{{0,3}}\s*[:：][*_]{{0,3}}|\[{label}\])\s*",
            _FLAGS,
        )
        self.label_line = re.compile(
            rf"\s*(?:#{{1,6}}\s*|[*_]{{1,3}})(?:{_EMOJI}{{1,4}}\s*)?{label}[*_]{{0,3}}\s*(?:\n|\Z)",
            _FLAGS,
        )
        #: "The noun that completes it is", "I'd say", before one word or option.
        self.stating = re.compile(
            rf"{_LEAD}(?:so,?\s+|therefore,?\s+|thus,?\s+)?(?:(?:the|my|a|an|one)\s+(?:[\w-]+\s+){{0,3}}?"
            rf"{things}[^.!?:：\n]{{0,100}}?\s(?:is|would\s+be|could\s+be|might\s+be)|"
            rf"i(?:'d|’d|\s+would)?\s+(?:say|answer|choose|pick|suggest|go\s+with))"
            rf"(?:\s+simply|\s+probably)?\s*[:：,]?\s+(?!not\b)",
            _FLAGS,
        )
        task = _either(phrases.task_sentences)
        self.task = re.compile(
            rf"{_LEAD}{between}{task}\b(?P<said>[^.!?:：\n]{{0,200}})(?P<end>[.!:：]+)(?P<space>\s+)",
            _FLAGS,
        )
        self.things = re.compile(rf"\b{things}\b", _FLAGS)
        self.afterword = re.compile(rf"[\s*_>(\[\"—–-]*{_either(phrases.afterwords)}", _FLAGS)


_FLAGS = re.IGNORECASE


def _either(patterns: Sequence[str]) -> str:
    """Join patterns, longest first, with white space and apostrophes loosened."""
    longest_first = sorted(patterns, key=len, reverse=True)
    joined = "|".join(f"(?:{pattern})" for pattern in longest_first)
    return "(?:" + joined.replace("'", "['’]").replace(" ", r"\s+") + ")"


@cache
def _manner() -> _Manner:
    return _Manner()


_ECHOED = re.compile(
    r"[\s*_]*(?:q|question|prompt)[*_]{0,3}\s?[:：][^\n]{1,400}\n\s*[*_]{0,3}(?:a|answer|response)"
    r"[*_]{0,3}\s?[:：][*_]{0,3}\s*",
    _FLAGS,
)
"""The question repeated: "Q: … A: "."""

_DIRECTION = re.compile(
    r"(?:[*_]{0,3}\[[^\[\]\n]{1,80}\][*_]{0,3}|\*[a-z][^*\n]{0,80}[^*\n.!?…\"”]\*)[ \t]*\n\s*"
)
"""A stage direction on a line of its own: "*[clears throat]*"."""

_NOTE_FIRST = re.compile(
    r"[*_(\[]{1,3}(?:note|disclaimer|(?:content|trigger) warning|\d{1,4} words)\b[^\n]{0,300}\n\s*",
    re.IGNORECASE,
)
_ITALICS_BEFORE_RULE = re.compile(
    r"\*(?!\*)[A-Z][^*\n]{1,400}\*[ \t]*\n\s*(?:-{3,}|\*{3,})[ \t]*\n\s*"
)
"""Thinking aloud in italics, with a ruled line behind it."""

_UNABLE = re.compile(
    r"\b(?:but|however|can(?:'|’)?t|cannot|won(?:'|’)t|unable|not|rather|decline|sorry|instead)\b",
    re.IGNORECASE,
)


def preamble_end(text: str, kind: ExpectationKind) -> int:
    """Say where an answer begins: 0 where nothing stands before it.

    One layer is found at a time: an interjection ("Sure!"), an announcement that ends with a colon
    ("Here's a description:", in some forty languages), a label ("**Answer:**"), a sentence about
    the task ("I'd be happy to continue this story."). A sentence that refuses is no preamble, and
    nothing is taken off that nothing follows.

    Parameters
    ----------
    text
        What is left of the reply.
    kind
        What is expected: of everything but a continuation, a first short line that ends with a
        colon announces the rest.
    """
    head, manner = text[:_HEAD], _manner()
    if kind in ("continuation", "word", "option", "sentence"):
        echoed = _ECHOED.match(head)
        if echoed and _goes_on(text, echoed.end()):
            return echoed.end()
    direction = _DIRECTION.match(head) if kind in ("continuation", "story", "article") else None
    aloud = _ITALICS_BEFORE_RULE.match(head)
    if aloud and manner.afterword.match(head, aloud.end()):
        aloud = None  # an answer in italics, and a farewell
    for found in (direction, _NOTE_FIRST.match(head), aloud):
        if found and _goes_on(text, found.end()):
            return found.end()
    worked_out = 0 if kind in ("list", "json") else behind_steps(text)
    if worked_out and _goes_on(text, worked_out):
        return worked_out
    for pattern in (manner.label_line, manner.label, manner.announcement):
        found = pattern.match(head)
        if found and _goes_on(text, found.end()) and not _UNABLE.search(found[0]):
            return found.end()
    if kind in ("word", "option"):
        found = manner.stating.match(head)
        if found and _goes_on(text, found.end()) and not _UNABLE.search(found[0]):
            return found.end()
    line_end = head.find("\n")
    line = head[:line_end].strip() if line_end >= 0 else ""
    if line and _announces_rest(line, kind, manner):
        return line_end + 1
    for pattern in (manner.opener_line, manner.opener):
        found = pattern.match(head)
        if found and found[0].strip() and _goes_on(text, found.end()):
            return found.end()
    found = manner.task.match(head)
    if (
        found
        and _goes_on(text, found.end())
        and not _UNABLE.search(found[0])
        and (
            "\n" in found["space"]
            or found["end"][-1] in ":："
            or manner.things.search(found["said"])
        )
    ):
        return found.end()
    if line and _another_script(line, text[line_end:]) and _goes_on(text, line_end):
        return line_end + 1
    return 0


def _announces_rest(line: str, kind: ExpectationKind, manner: _Manner) -> bool:
    if line.rstrip("*_ ")[-1:] not in (":", "：") or len(line.split()) > _LONGEST_LINE:
        return False
    if _UNABLE.search(line) and not manner.opens.match(line):
        return False
    if kind not in ("continuation", "text"):
        return True
    if manner.opens.match(line):
        return True
    begins = line[:1].isupper() or not line[:1].isascii()
    return begins and manner.announces.search(line) is not None


def _another_script(line: str, rest: str) -> bool:
    """Whether a line is in another script than what follows: a preamble in another language."""

    def latin(text: str) -> float:
        letters = _NOT_ENGLISH.findall(text[:400])
        return sum(each < "\u0250" for each in letters) / len(letters) if letters else 0.5

    return latin(line) < 0.2 and latin(rest) > 0.8


def _goes_on(text: str, place: int) -> bool:
    """Whether words follow a place; what is nothing but a preamble is left as it is."""
    return re.search(r"\w", text[place : place + 2_000]) is not None


_RULE = re.compile(r"\n\s*(?:-{3,}|\*{3,}|_{3,}|={3,}|#{3,}|~{3,}|\* \* \*|— — —)\s*(?:\n|\Z)")
_HASHTAGS = re.compile(r"[ \t]*(?:#\w{2,40}[ \t]*){2,}\Z")
_MADE_UP_TURN = re.compile(r"\n\s*[*_]{0,2}(?:user|human)[*_]{0,2}[:：]", re.IGNORECASE)
"""Where an assistant goes on with what the user might say next."""

_BRACKETED = re.compile(
    r"\n\s*[(\[*_]{1,3}(?:note|please note|disclaimer|word count|explanation)\b", re.IGNORECASE
)


def afterword_start(text: str, kind: ExpectationKind) -> int:
    """Say where an answer ends: the length of the text where nothing stands behind it.

    One layer is found at a time: the last paragraph or line, or the last sentence of it, where it
    begins as an assistant begins to speak of the task ("Let me know if …", "Note: …", in some
    thirty languages), or what follows a ruled line, where that speaks so.

    Parameters
    ----------
    text
        What is left of the reply.
    kind
        What is expected: in an article or a story people may speak in turns.
    """
    end = len(text.rstrip())
    text = text[:end]
    if kind not in ("article", "story", "json"):
        turn = _MADE_UP_TURN.search(text)
        if turn and text[: turn.start()].strip():
            return turn.start()
    first = max(0, end - _TAIL)
    manner = _manner()
    for rule in list(_RULE.finditer(text, first))[-1:]:
        behind = text[rule.end() :]
        if text[: rule.start()].strip() and (not behind.strip() or manner.afterword.match(behind)):
            return rule.start()
    line = text.rfind("\n", first) + 1
    speaks = manner.afterword.match(text, line) or _HASHTAGS.match(text, line)
    if line > 0 and text[:line].strip() and speaks:
        return line
    # A paragraph that begins so, however many lines it has.
    paragraph = text.rfind("\n\n", first)
    if paragraph > 0 and text[:paragraph].strip() and manner.afterword.match(text, paragraph + 2):
        return paragraph
    bracketed = _BRACKETED.search(text, first)
    if bracketed and text[: bracketed.start()].strip():
        return bracketed.start()
    starts = [found.end() for found in _SENTENCE.finditer(text, max(line, first))]
    if starts and _speaks_to_user(text[starts[-1] :]):
        return starts[-1]
    return end


_TO_USER = re.compile(
    r"[\s(*_]*(?:(?:please |just )?let me know|(?:please )?feel free to|would you like me|"
    r"(?:i )?hope (?:this|that) (?:helps|meets|is what)|is there anything else|do you want me to|"
    r"if you(?:'d|’d| would)? (?:like|need|want|have)\b[^.!?]{0,80}"
    r"(?:let me|i can|i(?:'d|’d| would)|feel free|just ask)|how can i (?:help|assist))",
    re.IGNORECASE,
)


def _speaks_to_user(sentence: str) -> bool:
    """Whether a sentence in the midst of a paragraph is surely not the answer's."""
    return _TO_USER.match(sentence) is not None


def phrases_version() -> int:
    """Give the version of the packaged phrases, for signatures."""
    return read_packaged("manner", "phrases.toml").validate(_Phrases).version
