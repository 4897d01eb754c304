"""OpenAI's Responses API: what it is sent, and what it says."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slant.models.openai_compatible.questions import CHOICE
from slant.models.openai_compatible.replies import first_logprob, option_logprobs, token_logprobs
from slant.models.picture_file import data_url
from slant.models.remote.reply import count_of, mapping_of, mappings_of, text_of
from slant.readings.read import CUT_THOUGHT, ONLY_THOUGHT
from slant.records import Answer, Aside, Generate, Message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Choose, Sampling

_LEAST_TOKENS = 16
"""The API takes no lower limit."""


def body_of(request: Generate | Choose, *, thinking: int, effort: str) -> dict[str, Any]:
    """Write the question. The API knows no seed, no stop strings and no penalties.

    Raises
    ------
    InputError
        A picture is gone, or is another one now.
    """
    sampling = request.sampling if isinstance(request, Generate) else CHOICE
    prompt = request.prompt
    turns = (Message("user", prompt),) if isinstance(prompt, str) else prompt
    body: dict[str, Any] = {
        "input": [_turn(turn) for turn in turns],
        "max_output_tokens": max(sampling.max_tokens + thinking, _LEAST_TOKENS),
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "store": False,
    }
    if effort:
        body["reasoning"] = {"effort": effort}
    if not isinstance(request, Generate):
        return body | {"include": ["message.output_text.logprobs"], "top_logprobs": 20}
    if request.schema:
        held = {"name": "answer", "strict": True, "schema": json.loads(request.schema)}
        body["text"] = {"format": {"type": "json_schema", **held}}
    return body


def not_offered(sampling: Sampling) -> tuple[str, ...]:
    """Name the parameters that were wanted and that the API does not have."""
    names = ("frequency_penalty", "presence_penalty")
    return tuple(name for name in names if getattr(sampling, name))


def read_response(reply: Mapping[str, Any], choice: Choose | None = None) -> Answer:
    """Read what was thought and said; for a choice, with its log-probabilities."""
    if not isinstance(reply.get("output"), list):
        return Answer("error", reason=_failure(reply) or "the reply holds no output")
    items = mappings_of(reply.get("output"))
    parts = [
        part
        for item in items
        if item.get("type") == "message"
        for part in mappings_of(item.get("content"))
    ]
    text = "".join(text_of(p.get("text")) or "" for p in parts if p.get("type") == "output_text")
    refusals = [text_of(p.get("refusal")) or "" for p in parts if p.get("type") == "refusal"]
    reasoned = [item for item in items if item.get("type") == "reasoning"]
    thought = "\n\n".join(
        said
        for item in reasoned
        for kind in ("summary", "content")
        for part in mappings_of(item.get(kind))
        if (said := text_of(part.get("text")))
    )
    usage = mapping_of(reply.get("usage"))
    end = text_of(mapping_of(reply.get("incomplete_details")).get("reason"))
    answer = Answer(
        "answered",
        text,
        aside=Aside(thought=thought) if thought else None,
        prompt_tokens=count_of(usage.get("input_tokens")),
        completion_tokens=count_of(usage.get("output_tokens")),
        finish_reason={"max_output_tokens": "length", None: "stop"}.get(end, end),
    )
    if refusals:
        said = text or "".join(refusals)
        return replace(answer, outcome="refused", text=said, reason="the server marks a refusal")
    if end == "content_filter":
        return replace(answer, outcome="refused", reason="the server's content filter stopped it")
    if failure := _failure(reply):
        return replace(answer, outcome="error", reason=failure)
    if not text.strip():
        reason = f"the reply holds no text (finish_reason: {answer.finish_reason})"
        if reasoned:
            reason = CUT_THOUGHT if answer.finish_reason == "length" else ONLY_THOUGHT
        return replace(answer, outcome="unparseable", text="", reason=reason)
    if choice is None:
        return answer
    top = _top_logprobs(parts)
    found = first_logprob(top, text) if choice.free else option_logprobs(top, choice.options)
    return replace(answer, logprobs=found)


def _top_logprobs(parts: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
    tokens = [token for part in parts for token in mappings_of(part.get("logprobs"))]
    top = mappings_of(tokens[0].get("top_logprobs")) if tokens else []
    return token_logprobs((each.get("token"), each.get("logprob")) for each in top)


def _failure(reply: Mapping[str, Any]) -> str:
    error = reply.get("error")
    if not error and reply.get("status") != "failed":
        return ""
    message = text_of(mapping_of(error).get("message")) or "not said which"
    return f"the server reports an error: {message[:300]}"


def _turn(turn: Message) -> dict[str, Any]:
    kind = "output_text" if turn.role == "assistant" else "input_text"
    content: list[dict[str, Any]] = [{"type": kind, "text": turn.content}]
    if turn.picture is not None:
        content.append({"type": "input_image", "image_url": data_url(turn.picture)})
    return {"role": turn.role, "content": content}
