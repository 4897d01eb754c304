"""Rows of the journal: how items and answers become rows and come back, and what seals a row."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from slant.records import Answer, Aside, Item, request_from_json, request_to_json

if TYPE_CHECKING:
    from collections.abc import Sequence


def item_row(model: str, study: str, position: int, item: Item) -> tuple[Any, ...]:
    """Give an item the form of a row, with its checksum."""
    row = (
        model, study, position, item.id, item.sample, _text(item.axis), _text(item.group),
        _text(item.condition), json.dumps(dict(item.slots)), request_to_json(item.request),
    )  # fmt: skip
    # The part came last: journals of older slants have their checksums before it.
    return (*row, checksum(*row, item.part), item.part)


def answer_row(model: str, item: str, answer: Answer) -> tuple[Any, ...]:
    """Give an answer the form of a row, with its checksum."""
    logprobs = None if answer.logprobs is None else json.dumps(answer.logprobs)
    row = (
        model, item, answer.outcome, _text(answer.text), logprobs, answer.prompt_tokens,
        answer.completion_tokens, answer.finish_reason, _text(answer.reason),
    )  # fmt: skip
    aside = _text(aside_to_text(answer.aside))
    return (*row, checksum(*row, aside), aside)


def fact_row(key: str, value: str) -> tuple[Any, ...]:
    """Give a fact the form of a row, with its checksum."""
    return _sealed(key, value)


def item_and_answer(row: Sequence[Any]) -> tuple[Item, Answer]:
    """Rebuild an item and its answer from a joined row of the journal."""
    _, study, sample, axis, group, condition, slots, request, *answer = row[:15]
    item = Item(
        study, request_from_json(request), sample, axis, group, condition, json.loads(slots),
        part=row[17],
    )  # fmt: skip
    return item, answer_from_row([*answer, row[18]])


def answer_from_row(row: Sequence[Any]) -> Answer:
    """Rebuild an answer from its eight columns."""
    outcome, text, logprobs, prompt_tokens, completion_tokens, finish_reason, reason, aside = row
    return Answer(
        outcome,
        text,
        None if logprobs is None else tuple(json.loads(logprobs)),
        prompt_tokens,
        completion_tokens,
        finish_reason,
        reason,
        aside_from_text(aside),
    )


def aside_to_text(aside: Aside | None) -> str | None:
    """Write what was set aside as JSON; nothing where nothing was."""
    if aside is None:
        return None
    return json.dumps({name: text for name, text in asdict(aside).items() if text})


def aside_from_text(text: str | None) -> Aside | None:
    """Read what `aside_to_text` wrote."""
    return None if text is None else Aside(**json.loads(text))


def decoded(raw: bytes) -> str:
    """Read text as the journal keeps it: lone surrogates, which are no UTF-8, included."""
    return raw.decode("utf-8", "surrogatepass")


def checksum(*values: str | bytes | int | None) -> int:
    """Sum up a row: any change of a single bit gives another number, and so do nearly all others.

    A text and its bytes, a number and its digits give the same, so that SQLite can hand over every
    column as bytes. No text holds the bytes FE and FF, which stand between columns and for NULL.
    """
    return zlib.crc32(b"\xfe".join(map(_bytes, values)))


def _bytes(value: str | bytes | int | None) -> bytes:
    if isinstance(value, bytes):
        return value
    if value is None:
        return b"\xff"
    return str(value).encode("utf-8", "surrogatepass")


def _sealed(*row: Any) -> tuple[Any, ...]:
    return (*row, checksum(*row))


def _text(text: str | None) -> str | bytes | None:
    """Let text with lone surrogates through: SQLite's driver takes them only as bytes."""
    if text is None:
        return None
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text
