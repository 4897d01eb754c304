"""What the Messages API says: from decoded JSON to answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slant.models.remote.reply import count_of, mapping_of, mappings_of, text_of
from slant.readings.read import CUT_THOUGHT, ONLY_THOUGHT
from slant.records import Answer, Aside

if TYPE_CHECKING:
    from collections.abc import Mapping

_ENDS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}
"""Why a text ended, in the words that all other models use."""

_PROMPT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def read_message(reply: Mapping[str, Any]) -> Answer:
    """Read a message: what was thought, what was said, and why it ended."""
    if not isinstance(reply.get("content"), list):
        message = text_of(mapping_of(reply.get("error")).get("message"))
        said = f"the server reports an error: {message[:300]}" if message else ""
        return Answer("error", reason=said or "the reply holds no message")
    blocks = mappings_of(reply.get("content"))
    text = "".join(_parts(blocks, "text", "text"))
    thought = "\n\n".join(filter(None, _parts(blocks, "thinking", "thinking")))
    thinks = bool(thought) or any(block.get("type") == "redacted_thinking" for block in blocks)
    usage = mapping_of(reply.get("usage"))
    counts = [count_of(usage.get(name)) for name in _PROMPT]
    stopped = text_of(reply.get("stop_reason"))
    answer = Answer(
        "answered",
        text,
        aside=Aside(thought=thought) if thought else None,
        prompt_tokens=None if counts[0] is None else sum(filter(None, counts)),
        completion_tokens=count_of(usage.get("output_tokens")),
        finish_reason=_ENDS.get(stopped or "", stopped),
    )
    if stopped == "refusal":
        return replace(answer, outcome="refused", reason="the server marks a refusal")
    if text.strip():
        return answer
    if thinks:
        reason = CUT_THOUGHT if answer.finish_reason == "length" else ONLY_THOUGHT
    else:
        reason = f"the reply holds no text (stop_reason: {stopped or 'none given'})"
    return replace(answer, outcome="unparseable", text="", reason=reason)


def _parts(blocks: list[dict[str, Any]], kind: str, key: str) -> list[str]:
    return [text_of(block.get(key)) or "" for block in blocks if block.get("type") == kind]
