"""What a server says that speaks Anthropic's Messages API."""

from __future__ import annotations

from typing import Any

from openai_server import Reply


def message(*content: dict[str, Any], stop_reason: str = "end_turn", **more: Any) -> Reply:
    """Say something in blocks."""
    usage = {"input_tokens": 7, "output_tokens": 3}
    said = {"type": "message", "content": list(content), "stop_reason": stop_reason}
    return Reply({**said, "usage": usage, **more})


def text(said: str) -> dict[str, Any]:
    """Make a block of text."""
    return {"type": "text", "text": said}


def thinking(said: str) -> dict[str, Any]:
    """Make a block of thought."""
    return {"type": "thinking", "thinking": said, "signature": "c2lnbmVk"}


def complaint(status: int, said: str, kind: str = "invalid_request_error") -> Reply:
    """Refuse a request."""
    error = {"type": "error", "error": {"type": kind, "message": said}}
    return Reply(error, status, {"retry-after-ms": "1"})
