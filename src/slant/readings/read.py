"""Reading a reply: thought, preamble, answer, afterword.

One function for every model and every study. What a study expects decides what is taken off; what
is taken off is kept. Reading is pure: the same reply always reads the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.readings.alternatives import first_of_several
from slant.readings.conclusion import last_labelled
from slant.readings.manner import afterword_start, preamble_end
from slant.readings.markup import (
    fenced,
    from_json,
    from_table,
    json_parted,
    plain_text,
    said_once,
    tagged,
    unquoted_lines,
    without_comment,
    without_ellipsis,
    without_list_mark,
    without_pointer,
    without_quotes,
    without_tick,
)
from slant.readings.starts import second_sentence, start_repeated, without_start
from slant.readings.thought import part_thought

if TYPE_CHECKING:
    from slant.expectation import Expectation

_LONGEST = 200_000
"""Characters of a reply that are read; no answer that slant asks for is nearly as long."""

_LAYERS = 8
"""How many layers of wrapping are taken off."""

_SHORT = frozenset({"continuation", "word", "option", "sentence"})
"""What one quotation mark or list mark around the whole is never part of."""

_RULE = re.compile(r"\A(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*\n\s*")

_FRONT = re.compile(r"\A---[ \t]*\n(?:\w{1,30}:[^\n]{0,200}\n){1,10}---[ \t]*\n\s*")
"""The head of a document: `---`, keys with values, `---`."""

_UNSEEN = re.compile("[\u200b\u2060\ufeff\u200e\u200f]")
"""Signs without width that no word needs; those that join letters or emoji stay."""

CUT_THOUGHT = "the model was still thinking when it was cut off: raise the limit on tokens"
ONLY_THOUGHT = "the model thought, and gave no answer"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    Attributes
    ----------
    text
        The answer; empty where there is none.
    thought, preamble, afterword
        What was set aside.
    reason
        Why there is no answer; `None` where there is one.
    """

    text: str
    thought: str = ""
    preamble: str = ""
    afterword: str = ""
    reason: str | None = None


def read(reply: str, expects: Expectation, *, thought: str = "") -> Reading:
    """Read a reply.

    Parameters
    ----------
    reply
        What the model wrote.
    expects
        What the answer should be. For `text` only thoughts are taken off.
    thought
        What the server gave as reasoning, apart from the reply.
    """
    parted = part_thought(reply[:_LONGEST])
    thought = "\n\n".join(filter(None, (thought.strip(), parted.thought)))
    if parted.cut:
        return Reading("", thought, reason=CUT_THOUGHT)
    if expects.kind == "text":
        # White space around raw text is the model's own, unless a thought stood before it.
        text = parted.text.lstrip() if parted.thought else reply
    else:
        return _answer(parted.text, expects, thought)
    if thought and not text.strip():
        return Reading("", thought, reason=ONLY_THOUGHT)
    return Reading(text, thought)


def _answer(text: str, expects: Expectation, thought: str) -> Reading:
    before: list[str] = []
    behind: list[str] = []
    text = _UNSEEN.sub("", text).strip()
    for _ in range(_LAYERS):
        bare = _one_layer(text, expects, before, behind)
        if bare == text:
            break
        text = bare
    text = _repeated(text, expects)
    preamble, afterword = "\n".join(before), "\n".join(reversed(behind))
    reason = None
    if not re.search(r"\w", text):
        reason = ONLY_THOUGHT if thought and not preamble else "the reply holds no answer"
    return Reading(text, thought, preamble, afterword, reason)


def _one_layer(text: str, expects: Expectation, before: list[str], behind: list[str]) -> str:
    """Take one layer of wrapping off, and note what it said."""
    text = unquoted_lines(text)
    for part in (fenced, tagged):
        parts = part(text)
        if parts is not None and re.search(r"\w", parts[1]) and _is_wrapping(parts, expects):
            _note(parts[0], before)
            _note(parts[2], behind)
            return parts[1].strip()
    if expects.kind != "json":
        held = from_json(text, many=expects.kind == "list")
        if held is not None:
            return held.strip()
    if expects.kind not in ("json", "list"):
        cell = from_table(text)
        if cell is not None:
            return cell
        text = without_tick(said_once(text))
    chosen = first_of_several(text) if expects.kind not in ("json", "list") else None
    if chosen:
        _note(text[: chosen[0]], before)
        _note(text[chosen[1] :], behind)
        return text[slice(*chosen)].strip()
    ruled = _FRONT.match(text) or _RULE.match(text)
    if ruled:
        return text[ruled.end() :]
    begin = preamble_end(text, expects.kind) or start_repeated(text, expects.starts)
    if begin:
        _note(text[:begin], before)
        rest = text[begin:].strip()
        return rest[:-2] if text[:begin].count("**") % 2 and rest.endswith("**") else rest
    end = afterword_start(text, expects.kind)
    if expects.kind == "sentence" and expects.starts:
        end = min(end, second_sentence(text, expects.starts[0]))
    if expects.kind == "article" and "\n" not in text[:end].strip() and len(text) > 2 * end:
        end = len(text)  # a title, and an article that speaks of itself
    if end < len(text.rstrip()):
        _note(text[end:], behind)
        return text[:end].strip()
    if expects.kind == "json":
        document = json_parted(text)
        if document is None:
            return text
        _note(document[0], before)
        _note(document[2], behind)
        return document[1]
    if expects.kind in ("word", "option"):
        last = last_labelled(text)
        if last:
            _note(text[:last], before)
            return text[last:].strip(" \n*_")
    if expects.kind != "list":
        text = plain_text(without_comment(text)).strip()
    if expects.kind in ("word", "option"):
        text = without_pointer(text)
    if expects.kind == "list":
        return text
    text = without_list_mark(text)
    if expects.kind in _SHORT:
        text = without_ellipsis(text).strip()
    text = without_quotes(text).strip()
    return _repeated(text, expects) if expects.kind in _SHORT else text


def _is_wrapping(parts: tuple[str, str, str], expects: Expectation) -> bool:
    """Whether what stands around a fence is manner: nothing, or less than what is inside."""
    around = len(parts[0].split()) + len(parts[2].split())
    return expects.kind == "json" or around <= max(60, len(parts[1].split()))


def _repeated(text: str, expects: Expectation) -> str:
    for start in expects.starts:
        bare = without_start(text, start)
        if re.search(r"\w", bare):
            text = bare
    return text.strip()


def _note(part: str, where: list[str]) -> None:
    if part.strip():
        where.append(part.strip())
