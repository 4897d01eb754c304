"""What a server's reply says, of chat or of completions: from decoded JSON to answers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slant.models.remote.reply import count_of, mapping_of, mappings_of, text_of
from slant.readings.read import CUT_THOUGHT, ONLY_THOUGHT
from slant.records import Answer, Aside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from slant.records import Outcome

_THINKING = ("thinking", "reasoning", "redacted_thinking")
"""Parts of a message that are no answer."""


def read_text(reply: Mapping[str, Any]) -> Answer:
    """Read the text of the first choice, from the chat or the completions endpoint.

    An empty text is an answer where text is continued, since a model may end at once; in a chat
    it is none.
    """
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return _without_choice(reply)
    usage = mapping_of(reply.get("usage"))
    finish_reason = text_of(choice.get("finish_reason"))
    message = choice.get("message")
    in_chat = isinstance(message, dict)
    text = _content(message) if isinstance(message, dict) else text_of(choice.get("text"))
    thought = _thought(message) if isinstance(message, dict) else ""
    answer = Answer(
        "answered",
        text,
        aside=Aside(thought=thought) if thought else None,
        prompt_tokens=count_of(usage.get("prompt_tokens")),
        completion_tokens=_completion_tokens(usage),
        finish_reason=finish_reason,
    )
    refusal = text_of(mapping_of(message).get("refusal"))
    if refusal:
        reason = "the server marks a refusal"
        return replace(answer, outcome="refused", text=text or refusal, reason=reason)
    if finish_reason == "content_filter":
        return replace(answer, outcome="refused", reason="the server's content filter stopped it")
    if thought and not (text or "").strip():
        reason = CUT_THOUGHT if finish_reason == "length" else ONLY_THOUGHT
        return replace(answer, outcome="unparseable", text="", reason=reason)
    if text is None or (in_chat and not text.strip()):
        reason = f"the reply holds no text (finish_reason: {finish_reason or 'none given'})"
        return replace(answer, outcome="unparseable", reason=reason)
    return answer


def read_choice(reply: Mapping[str, Any], options: Sequence[str]) -> Answer:
    """Read the text, and one log-probability per option where they are to be had.

    Which of the two tells the choice, `slant.readings.choice` decides.
    """
    answer = read_text(reply)
    if answer.outcome != "answered":
        return answer
    logprobs = option_logprobs(top_logprobs(reply["choices"][0]), options)
    if logprobs is not None:
        return replace(answer, logprobs=logprobs)
    if not (answer.text or "").strip():
        reason = "the reply holds neither text nor the options' log-probabilities"
        return replace(answer, outcome="unparseable", reason=reason)
    return answer


def read_first_token(reply: Mapping[str, Any]) -> Answer:
    """Read the text, and the log-probability of the token it begins with, where it is to be had."""
    answer = read_text(reply)
    if answer.outcome != "answered":
        return answer
    return replace(answer, logprobs=first_logprob(top_logprobs(reply["choices"][0]), answer.text))


def first_logprob(top: Sequence[tuple[str, float]], text: str | None) -> tuple[float, ...] | None:
    """Give the log-probability of the most probable token, if the text begins with it.

    Where it does not, the tokens are those of a thought, or of nothing that was said.
    """
    token, logprob = max(top, key=lambda each: each[1], default=("", 0.0))
    begins = token.strip() and (text or "").lstrip().startswith(token.strip())
    return (logprob,) if begins else None


def option_logprobs(
    top: Sequence[tuple[str, float]], options: Sequence[str]
) -> tuple[float, ...] | None:
    """Sum the most probable first tokens into one log-probability per option.

    A token counts for an option if, without surrounding white space and without regard to case,
    it is that option, or is the beginning of that option and of no other. Where the first token
    only begins an option, its probability is an upper bound of the option's.

    Parameters
    ----------
    top
        Tokens with their natural log-probabilities.
    options
        The options asked about.

    Returns
    -------
    tuple of float or None
        `None` unless every option was seen: what is not among the most probable tokens has an
        unknown probability, not none.
    """
    folded = [option.strip().casefold() for option in options]
    seen: list[list[float]] = [[] for _ in options]
    for token, logprob in top:
        part = token.strip().casefold()
        if not part:
            continue
        fits = [place for place, option in enumerate(folded) if option == part] or [
            place for place, option in enumerate(folded) if option.startswith(part)
        ]
        if len(fits) == 1:
            seen[fits[0]].append(logprob)
    if not all(seen):
        return None
    return tuple(_log_sum(values) for values in seen)


def _log_sum(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(math.fsum(math.exp(value - top) for value in values))


def top_logprobs(choice: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Read the most probable first tokens in either form that servers use."""
    logprobs = mapping_of(choice.get("logprobs"))
    content, top = logprobs.get("content"), logprobs.get("top_logprobs")
    pairs: Iterator[tuple[Any, Any]] = iter(())
    if isinstance(content, list) and content:
        entries = mapping_of(content[0]).get("top_logprobs")
        rows = entries if isinstance(entries, list) else []
        pairs = ((mapping_of(row).get("token"), mapping_of(row).get("logprob")) for row in rows)
    elif isinstance(top, list) and top:
        pairs = iter(mapping_of(top[0]).items())
    return token_logprobs(pairs)


def token_logprobs(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[str, float]]:
    """Take the tokens whose log-probability is a number."""
    return [
        (token, float(logprob))
        for token, logprob in pairs
        if isinstance(token, str) and isinstance(logprob, int | float) and math.isfinite(logprob)
    ]


def _without_choice(reply: Mapping[str, Any]) -> Answer:
    error = reply.get("error")
    if error:
        message = text_of(mapping_of(error).get("message")) or text_of(error) or "not said which"
        return Answer("error", reason=f"the server reports an error: {message[:300]}")
    outcome: Outcome = "unparseable" if isinstance(reply.get("choices"), list) else "error"
    return Answer(outcome, reason="the reply holds no choices")


def _content(message: Mapping[str, Any]) -> str | None:
    """Read the text of a chat message, given whole or in parts."""
    content = message.get("content")
    if isinstance(content, list):
        said = (part for part in mappings_of(content) if part.get("type") not in _THINKING)
        return "".join(text_of(part.get("text")) or "" for part in said)
    return text_of(content)


def _thought(message: Mapping[str, Any]) -> str:
    """Read the reasoning that a server gives apart, in the forms that servers use."""
    for key in ("reasoning_content", "reasoning", "thinking"):
        if text := text_of(message.get(key)):
            return text
    parts = [
        *mappings_of(message.get("reasoning_details")),
        *(part for part in mappings_of(message.get("content")) if part.get("type") in _THINKING),
        *mappings_of(message.get("thinking")),
    ]
    keys = ("text", "summary", "thinking", "reasoning", "content")
    found = [next(filter(None, (text_of(part.get(key)) for key in keys)), None) for part in parts]
    return "\n\n".join(text for text in found if text)


def _completion_tokens(usage: Mapping[str, Any]) -> int | None:
    """Count the tokens that were written, those of thoughts among them, which some leave out."""
    written = count_of(usage.get("completion_tokens"))
    details = mapping_of(usage.get("completion_tokens_details"))
    thought = count_of(details.get("reasoning_tokens")) or 0
    if written is None or not thought:
        return written
    prompt, total = count_of(usage.get("prompt_tokens")), count_of(usage.get("total_tokens"))
    apart = total is not None and prompt is not None and total == prompt + written + thought
    return written + thought if apart or thought > written else written
