"""Results of promptfoo: one document, or a result a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.imports.json_text import cells, items, last_turn, table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from slant.table_file import Row


def is_log(document: Any) -> bool:
    """Tell whether a document holds such results."""
    return isinstance(table(table(document).get("results")).get("results"), list)


def is_result(record: Row) -> bool:
    """Tell whether a record is one such result."""
    return {"vars", "response"} <= record.keys() and not {"text", "group"} & record.keys()


def rows(document: dict[str, Any], path: Path) -> Iterator[tuple[int, Row]]:
    """Give the results of a document, numbered from 1.

    Raises
    ------
    InputError
        A result is none.
    """
    for number, result in enumerate(items(document["results"]["results"]), start=1):
        if not isinstance(result, dict):
            raise InputError("expected a result, an object", file=path, line=number)
        yield number, row(result)


def row(result: Row) -> Row:
    """Turn a result into a row: its vars are columns.

    An assertion that failed is no error of the model: what it wrote stands. promptfoo writes both
    to `error`.
    """
    response = table(result.get("response"))
    output = response.get("output")
    if output is not None and not isinstance(output, str):
        output = json.dumps(output)
    outcome, reason = "answered", None
    if output is None:
        reason = result.get("error") or response.get("error")
        outcome = "error" if reason else "unparseable"
    elif response.get("isRefusal") is True:
        outcome, reason = "refused", "refused, as promptfoo says"
    provider = result.get("provider")
    model = table(provider).get("id") if isinstance(provider, dict) else provider
    usage = table(response.get("tokenUsage"))
    return {
        **cells(result.get("vars")),
        "prompt": _asked(table(result.get("prompt")).get("raw")),
        "text": output,
        "model": model if isinstance(model, str) else None,
        "outcome": outcome,
        "reason": None if reason is None else str(reason),
        "prompt_tokens": usage.get("prompt"),
        "completion_tokens": usage.get("completion"),
    }


def _asked(raw: Any) -> str | None:
    """Give the prompt; a chat is written as JSON, and what counts is what was said last."""
    if isinstance(raw, str) and raw.lstrip().startswith("["):
        try:
            turns = json.loads(raw)
        except (ValueError, RecursionError):
            return raw
        if items(turns) and all(table(turn).get("role") for turn in turns):
            return last_turn(turns)
    return raw if isinstance(raw, str) else None
