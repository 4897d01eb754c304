"""A service that carries out batches: files of requests become files of results."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Reply = tuple[int, dict[str, Any]]
"""HTTP status and body."""

Answers = Callable[[str, dict[str, Any]], Reply | None]
"""Answers a request, by its custom_id and what it asks; `None` lets it expire."""


def requests_in(file: Path) -> list[dict[str, Any]]:
    """Read a file of requests, in OpenAI's form or Anthropic's."""
    text = file.read_text(encoding="utf-8")
    if text.startswith('{"requests"'):
        held: list[dict[str, Any]] = json.loads(text)["requests"]
        return held
    return [json.loads(line) for line in text.splitlines()]


def carry_out(file: Path, answers: Answers, results: Path) -> Path:
    """Answer every request of a file, and write the results in an order of their own."""
    lines = []
    for request in requests_in(file):
        own = "params" in request
        reply = answers(request["custom_id"], request["params" if own else "body"])
        lines.append((_anthropic if own else _openai)(request["custom_id"], reply))
    random.Random(4).shuffle(lines)
    return written_lines(results, lines)


def written_lines(file: Path, lines: Iterable[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def _openai(id_: str, reply: Reply | None) -> dict[str, Any]:
    result: dict[str, Any] = {"id": f"batch_req_{id_[:8]}", "custom_id": id_}
    if reply is None:
        expired = {"code": "batch_expired", "message": "This request could not be executed."}
        return result | {"response": None, "error": expired}
    response = {"status_code": reply[0], "request_id": "req_1", "body": reply[1]}
    return result | {"response": response, "error": None}


def _anthropic(id_: str, reply: Reply | None) -> dict[str, Any]:
    if reply is None:
        return {"custom_id": id_, "result": {"type": "expired"}}
    status, body = reply
    if status == 200:
        return {"custom_id": id_, "result": {"type": "succeeded", "message": body}}
    return {"custom_id": id_, "result": {"type": "errored", "error": body}}


def said(text: str, **choice: Any) -> Reply:
    """Say something in a chat of OpenAI's."""
    held = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop", **choice}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return 200, {"model": "tiny-1", "choices": [held], "usage": usage}


def refused(message: str, **error: Any) -> Reply:
    """Refuse a request for good."""
    return 400, {"error": {"message": message, "type": "invalid_request_error", **error}}
