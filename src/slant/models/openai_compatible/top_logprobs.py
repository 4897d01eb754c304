"""How many of the most probable tokens a server names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.models.openai_compatible.replies import top_logprobs
from slant.models.remote.connection import NotServedError
from slant.models.remote.reply import mapping_of
from slant.records import Answer

if TYPE_CHECKING:
    from slant.models.remote.connection import Connection

_MOST = 20


async def count_top_logprobs(connection: Connection, model: str, *, chat: bool) -> tuple[int, str]:
    """Ask for the twenty most probable first tokens.

    Returns
    -------
    tuple of int and str
        How many the server names; and why, where it names none.
    """
    hello = {"messages": [{"role": "user", "content": "Hello"}]} if chat else {"prompt": "Hello"}
    wanted: dict[str, Any] = (
        {"logprobs": True, "top_logprobs": _MOST} if chat else {"logprobs": _MOST}
    )
    path = "/chat/completions" if chat else "/completions"
    try:
        reply = await connection.ask(path, {"model": model, "max_tokens": 1, **hello, **wanted})
    except NotServedError as error:
        return 0, str(error)
    if isinstance(reply, Answer):
        return 0, reply.reason or ""
    choices = reply.get("choices")
    first = mapping_of(choices[0]) if isinstance(choices, list) and choices else {}
    return len(top_logprobs(first)), ""
