"""From a request to what the Messages API is sent."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slant.models.picture_file import picture_bytes
from slant.records import Generate, Message, Sampling

if TYPE_CHECKING:
    from slant.records import Choose

CHOICE = Sampling(max_tokens=48, temperature=0.0)
"""Enough tokens to name an option, also behind a preamble."""

ADAPTIVE_ROOM = 16_000
"""Tokens that a thought may take whose length the model decides."""


@dataclass(frozen=True)
class Thinking:
    """How much the model is to think.

    Attributes
    ----------
    kind
        `enabled` for a budget, `adaptive` where the model decides, `disabled`, or empty where
        nothing is said of it.
    budget
        Tokens that a thought may take, beside those of the answer.
    effort
        A word for it that the API knows; empty for none.
    """

    kind: str = ""
    budget: int = 0
    effort: str = ""

    def parameters(self) -> dict[str, Any]:
        """Say it as the API takes it."""
        if not self.kind:
            return {}
        budget = {"budget_tokens": self.budget} if self.kind == "enabled" else {}
        return {"thinking": {"type": self.kind, **budget}}


def body_of(request: Generate | Choose, thinking: Thinking) -> dict[str, Any]:
    """Write the question.

    The API knows no penalties for repetition and no seed. Stop strings are applied when the answer
    is read, since a preamble would trip over them.

    Raises
    ------
    InputError
        A picture is gone, or is another one now.
    """
    sampling = request.sampling if isinstance(request, Generate) else CHOICE
    prompt = request.prompt
    turns = (Message("user", prompt),) if isinstance(prompt, str) else prompt
    system = "\n\n".join(turn.content for turn in turns if turn.role == "system")
    schema = request.schema if isinstance(request, Generate) else ""
    form = {"format": {"type": "json_schema", "schema": json.loads(schema)}} if schema else {}
    output = ({"effort": thinking.effort} if thinking.effort else {}) | form
    return {
        "messages": [_turn(turn) for turn in turns if turn.role != "system"],
        **({"system": system} if system else {}),
        "max_tokens": sampling.max_tokens + thinking.budget,
        "temperature": min(sampling.temperature, 1.0),
        # Newer models take one of the two only.
        **({"top_p": sampling.top_p} if sampling.top_p < 1 else {}),
        **thinking.parameters(),
        **({"output_config": output} if output else {}),
    }


def not_offered(request: Generate | Choose) -> tuple[str, ...]:
    """Name the parameters of a request that the API does not have, or not as high."""
    if not isinstance(request, Generate):
        return ()
    sampling = request.sampling
    names = ("presence_penalty", "frequency_penalty")
    hot = ("temperature",) if sampling.temperature > 1 else ()
    return (*(name for name in names if getattr(sampling, name)), *hot)


def _turn(turn: Message) -> dict[str, Any]:
    if turn.picture is None:
        return {"role": turn.role, "content": turn.content}
    data = base64.b64encode(picture_bytes(turn.picture)).decode()
    source = {"type": "base64", "media_type": turn.picture.media_type, "data": data}
    shown = {"type": "image", "source": source}
    return {"role": turn.role, "content": [shown, {"type": "text", "text": turn.content}]}
