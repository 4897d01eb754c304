"""Taking mark-up off an answer: fences, emphasis, headings, quotation marks, lists, tags."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(
    r"(?:^|\n)[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]{0,80})\n(.*?)"
    r"(?:\n[ \t]*\1[ \t]*(?=\n|\Z)|\Z)",
    re.DOTALL,
)
_FENCE_INLINE = re.compile(r"\A\s*`{3,}([^`\n]+?)`{3,}\s*\Z")
_TAG = re.compile(
    r"<[ \t]{0,4}(/?)[ \t]{0,4}(answer|final_answer|final|output|response|result|story|article|"
    r"continuation|completion|description|text|word|noun|sentence|tool_call|function_call)"
    r"[ \t]{0,4}>",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\$*\\(?:boxed|text)\{(?:\\text\{)?([^{}]{0,2000})\}?\}\$*")
_EMPHASIS = re.compile(r"(\*{1,3}|(?<!\w)_{1,3})(?=[^\s*_])([^*_\n]*[^\s*_])\1(?!\w)")
_STRONG_INSIDE = re.compile(r"(\*{2,3})(?=\S)([^*\n]*\S)\1")
_STRUCK = re.compile(r"~~([^~\n]+)~~")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$", re.MULTILINE)
_BLOCK_QUOTE = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_LIST_MARK = re.compile(r"^[ \t]*(?:[-*•–—‣▪]|\(?\d{1,3}[.):])[ \t]+")
_NUMBERED = re.compile(r"\A\s*\(?1[.)][ \t]+(?=\w)")
_HTML = re.compile(r"</?(?:p|br|b|i|em|strong|div|span|blockquote|q|u|h[1-6]|ul|ol|li)\s*/?>",
                   re.IGNORECASE)  # fmt: skip
_JSON_BEGINS = re.compile(r"[{\[]")
_COMMENT = re.compile(r"\A<!--[^\n]{0,400}?-->\s*")
_CELL = re.compile(r"[ \t]*\|[ \t]*([^|\n]*?)[ \t]*\|[ \t]*")
_POINTER = re.compile(
    r"\A(?:(?:[→⇒➜➡▶►✓✔✅☑•]|[\U0001f300-\U0001faff]|[-=]>)\ufe0f?\s*)+|"
    r"\A[^\n]{1,80}::[^\n:]{1,60}:\s*"
)
_PARAGRAPHS = re.compile(r"</p\s{0,4}>\s{0,4}<p(?:\s[^<>]{0,80})?>", re.IGNORECASE)
_QUOTES = {
    '"': '"', "'": "'", "“": "”", "”": "”", "„": "“", "‘": "’", "«": "»", "»": "«", "‹": "›",
    "「": "」", "『": "』",
}  # fmt: skip
_ELLIPSIS = re.compile(r"\A\s*[\"“'‘]?\s*(?:\.{2,}|…+)[ \t]*")
_TEXT_KEYS = (
    "continuation", "completion", "answer", "final_answer", "text", "story", "article", "content",
    "description", "response", "output", "result", "noun", "word", "sentence", "statement", "body",
    "reply", "choice", "completed_text", "value",
)  # fmt: skip
_CALLED_WITH = ("arguments", "parameters", "input")
_PYTHON = re.compile(r"""\A\{\s*'\w{1,40}'\s*:\s*(['"])(.{1,4000})\1\s*,?\s*\}\Z""", re.DOTALL)
_ROW = re.compile(r"[ \t]*\|(?:([^|\n]*)\|)?([^|\n]*)\|[ \t]*")
_LETTER = re.compile(r"\A\(?[A-E][.):]\s{1,3}(?=\w)")
_TICK = re.compile(r"\A(?:[→⇒➜➡▶►✓✔✅☑\U0001f300-\U0001faff]\ufe0f?\s+)+")
_EMOJI_BEHIND = re.compile(r"(?<=[\w.!?…\"”’)])(?:\s?[✨\U0001f300-\U0001faff]\ufe0f?)+\s*\Z")
_CITATION = re.compile(r"(?<=[\w.,;!?\"”’)])[ \t]?(?:\[\^?\d{1,2}\]|【[^【】\n]{1,40}】)+")


def fenced(text: str) -> tuple[str, str, str] | None:
    """Part a reply into before, inside and behind its one code fence; `None` without one."""
    inline = _FENCE_INLINE.match(text)
    if inline:
        return "", inline[1], ""
    blocks = list(_FENCE.finditer(text))
    if len(blocks) != 1:
        return None
    block = blocks[0]
    return text[: block.start()], block[3], text[block.end() :]


def tagged(text: str) -> tuple[str, str, str] | None:
    r"""Part a reply into before, inside and behind `<answer>…</answer>` or `\boxed{…}`."""
    opened: dict[str, re.Match[str]] = {}
    parts = None
    for tag in _TAG.finditer(text):
        name = tag[2].casefold()
        if not tag[1]:
            opened[name] = tag
        elif name in opened:
            start = opened.pop(name)
            parts = text[: start.start()], text[start.end() : tag.start()], text[tag.end() :]
    if parts is not None:
        return parts
    boxed = list(_BOXED.finditer(text))
    return (text[: boxed[-1].start()], boxed[-1][1], text[boxed[-1].end() :]) if boxed else None


def json_parted(text: str) -> tuple[str, str, str] | None:
    """Part a text into before, inside and behind the JSON document that makes up most of it."""
    begin = _JSON_BEGINS.search(text)
    if begin is None:
        return None
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text, begin.start())
    except (ValueError, RecursionError):
        return None
    before, behind = text[: begin.start()].strip(), text[end:].strip()
    if not (before or behind) or len(before) + len(behind) > max(300, end - begin.start()):
        return None
    if behind[:1] in tuple("{[]},:") and behind:
        return None  # one of several documents, or a document that was not read to its end
    return before, text[begin.start() : end], behind


def from_json(text: str, *, many: bool = False) -> str | None:
    """Give the one text that a JSON document holds.

    Parameters
    ----------
    text
        The reply.
    many
        Whether a list is wanted: its items are given a line each.

    Returns
    -------
    str or None
        `None` if it is no JSON, or if it is not plain which of its texts is meant.
    """
    plain = text.strip()
    written_in_python = None if many else _PYTHON.match(plain)
    if written_in_python:
        return written_in_python[2]
    if plain[:1] not in ("{", "[", '"') or plain[-1:] not in ("}", "]", '"'):
        return None
    try:
        found = json.loads(plain, strict=False)
    except (ValueError, RecursionError):
        return None
    return _lines(found) if many else _one_text(found)


def _one_text(found: Any) -> str | None:
    if isinstance(found, str):
        return found
    if isinstance(found, list) and len(found) == 1:
        return _one_text(found[0])
    if not isinstance(found, dict):
        return None
    named = {str(key).strip().casefold(): value for key, value in found.items()}
    for key in _CALLED_WITH:
        if "name" in named and isinstance(named.get(key), dict):
            return _one_text(named[key])
    for key in _TEXT_KEYS:
        if isinstance(named.get(key), str):
            return str(named[key])
    texts = [value for value in named.values() if isinstance(value, str)]
    if len(texts) == 1:
        return texts[0]
    return _one_text(next(iter(named.values()))) if len(named) == 1 else None


def _lines(found: Any) -> str | None:
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list)]
        return _lines(lists[0]) if len(lists) == 1 else _one_text(found)
    if not isinstance(found, list):
        return None
    texts = [each if isinstance(each, str) else _one_text(each) for each in found]
    return "\n".join(text for text in texts if text)


def from_table(text: str) -> str | None:
    """Give the last cell of a table of one column, or of two whose last row is labelled."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or "|" not in lines[0]:
        return None
    rows = [_ROW.fullmatch(line) for line in lines]
    last = rows[-1]
    if last is None or not all(rows) or not re.search(r"\w", last[2]):
        return None
    labelled = last[1] is None or last[1].strip(" *_").casefold() in _TEXT_KEYS
    return last[2].strip() if labelled else None


def said_once(text: str) -> str:
    """Give a text that is said twice, in paragraphs of its own, once."""
    half = len(text) // 2
    first, second = text[:half].strip(), text[half:].strip()
    return first if first == second and "\n\n" in text else text


def without_tick(text: str) -> str:
    """Take off ticks, arrows and emoji before an answer, and emoji behind it."""
    return _EMOJI_BEHIND.sub("", _TICK.sub("", text))


def plain_text(text: str) -> str:
    """Take off emphasis, headings, block quotes, inline code, simple HTML and marks of sources."""
    text = _CITATION.sub("", _HTML.sub("", _PARAGRAPHS.sub("\n\n", text)))
    text = _HEADING.sub(r"\1", text)
    text = _BLOCK_QUOTE.sub("", text)
    for _ in range(3):  # bold within italics
        bare = _STRONG_INSIDE.sub(r"\2", _EMPHASIS.sub(r"\2", text))
        if bare == text:
            break
        text = bare
    return _CODE.sub(r"\1", _STRUCK.sub(r"\1", text))


def without_comment(text: str) -> str:
    """Take off a comment of HTML at the beginning."""
    return _COMMENT.sub("", text)


def without_pointer(text: str) -> str:
    """Take off what points at one word: an arrow, a tick, brackets, a table, `a : b ::`, `(B)`."""
    rows = [_CELL.fullmatch(line) for line in text.splitlines() if line.strip()]
    if len(rows) > 1 and rows[-1] and all(rows):
        text = rows[-1][1]
    bare = _LETTER.sub("", _POINTER.sub("", text.strip()))
    if (bare[:1], bare[-1:]) in (("(", ")"), ("[", "]")) and not re.search(r"[()\[\]]", bare[1:-1]):
        bare = bare[1:-1].strip()
    return bare


def without_list_mark(text: str) -> str:
    """Take off the mark of a list that has one entry; with more lines the mark is a number."""
    first, *others = [line for line in text.splitlines() if line.strip()] or [""]
    if not others:
        return _LIST_MARK.sub("", first) if _LIST_MARK.match(first) else text
    numbered = _NUMBERED.match(text)
    if numbered and not any(map(_LIST_MARK.match, others)):
        return text[numbered.end() :]
    return text


def unquoted_lines(text: str) -> str:
    """Take off the marks of a block quote around the whole."""
    lines = text.splitlines()
    whole = lines and all(line.lstrip().startswith(">") for line in lines)
    return _BLOCK_QUOTE.sub("", text) if whole else text


def without_quotes(text: str) -> str:
    """Take off quotation marks that stand around the whole text."""
    bare = text.strip()
    if len(bare) < 2:
        return text
    closing = _QUOTES.get(bare[0])
    if closing is None:
        return text
    end = len(bare)
    if bare[-1] in ".,!?" and bare[-2] == closing and len(bare) > 3:
        end -= 1  # “text”.
    if bare[end - 1] != closing:
        return text
    inside = bare[1 : end - 1]
    # A quotation at the beginning and another one at the end are not one around the whole.
    if bare[0] in inside or closing in inside.replace("'", "" if closing == "'" else "'"):
        return text
    tail = bare[end:]
    return inside if inside[-1:] in ".,!?…" else inside + tail


def without_ellipsis(text: str) -> str:
    """Take off the dots that lead a continuation."""
    return _ELLIPSIS.sub("", text)
