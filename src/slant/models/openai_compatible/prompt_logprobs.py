"""How probable a text is, from servers that give the log-probabilities of a prompt.

Each server has a way of its own. All give tokens, each with its text and its log-probability, of
which the first has none. Whatever a reply lacks is said by a `ValueError` in words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from slant.models.remote.reply import count_of, mapping_of, mappings_of, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Scored: TypeAlias = "tuple[str, float | None]"
"""A token's text and its natural log-probability."""


@dataclass(frozen=True)
class Way:
    """One way of asking.

    Attributes
    ----------
    path
        The endpoint, behind the address of the server or, where that ends in `/v1`, beside it.
    question
        From a text to what is sent beside the model's name.
    read
        From the reply, and the text, to the tokens of the text.
    """

    path: str
    question: Callable[[str], dict[str, Any]]
    read: Callable[[Mapping[str, Any], str], list[Scored]]


def scored_part(tokens: Sequence[Scored], source: str, text: str) -> list[float]:
    """Give the log-probabilities of the tokens of a text behind its source.

    A token that holds the end of the source and the beginning of the text counts as the text's.

    Raises
    ------
    ValueError
        Where the text begins cannot be told.
    """
    values = [logprob for _, logprob in tokens[1:] if logprob is not None]
    if not source:
        return values
    before = special_tokens(tokens, source + text)
    if before is None:
        raise ValueError("the server's tokens do not tell where the text begins behind its source")
    ends = accumulate(len(said) for said, _ in tokens[before:])
    first = next((place for place, end in enumerate(ends) if end > len(source)), len(tokens))
    return values[max(first + before - 1, 0) :]


def special_tokens(tokens: Sequence[Scored], text: str) -> int | None:
    """Count the tokens that a server has put before a text; `None` where that cannot be told."""
    for before in (2, 1, 0):  # the text of a special token may be empty
        if "".join(said for said, _ in tokens[before:]) == text:
            return before
    return None


def _checked(tokens: list[Scored], count: int | None) -> list[Scored]:
    """Refuse what cannot be the log-probabilities of a prompt."""
    if count is None or len(tokens) != count:
        told = "an unknown number of" if count is None else f"{count}"
        raise ValueError(f"it gives {len(tokens)} log-probabilities for {told} tokens")
    for place, (_, value) in enumerate(tokens[1:], 1):
        if value is None:
            raise ValueError(f"it gives no log-probability for token {place + 1} of {count}")
        if not math.isfinite(value) or value > 1e-6:
            raise ValueError(f"it gives {value} as the log-probability of a token")
    return tokens


def _number(value: object) -> float | None:
    whole = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if whole else None  # type: ignore[arg-type] # checked above


def _read_vllm(reply: Mapping[str, Any], text: str) -> list[Scored]:
    choice = next(iter(mappings_of(reply.get("choices"))), {})
    entries, ids = choice.get("prompt_logprobs"), choice.get("prompt_token_ids")
    if not isinstance(entries, list):
        raise ValueError("the reply holds no prompt_logprobs")  # noqa: TRY004 - what a server said
    tokens = [_actual(mapping_of(entry), ids, place) for place, entry in enumerate(entries)]
    rest = "".join(said for said, _ in tokens[1:])
    if tokens and text.endswith(rest):  # the first one has no entry, and no text in it
        tokens[0] = (text.removesuffix(rest), None)
    count = count_of(mapping_of(reply.get("usage")).get("prompt_tokens"))
    return _checked(tokens, count)


def _actual(entry: Mapping[str, Any], ids: object, place: int) -> Scored:
    """Take the token that stands in the prompt, of those that might have stood there."""
    if len(entry) > 1:
        known = ids[place] if isinstance(ids, list) and place < len(ids) else None
        entry = {str(known): entry.get(str(known))}
    token = mapping_of(next(iter(entry.values()), None))
    return text_of(token.get("decoded_token")) or "", _number(token.get("logprob"))


def _read_echo(reply: Mapping[str, Any], text: str) -> list[Scored]:
    choice = next(iter(mappings_of(reply.get("choices"))), {})
    if not (text_of(choice.get("text")) or "").lstrip().startswith(text.strip()):
        raise ValueError("it does not repeat the text: its log-probabilities are of another one")
    logprobs = mapping_of(choice.get("logprobs"))
    said, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    if not (isinstance(said, list) and isinstance(values, list) and len(said) == len(values)):
        raise ValueError("the reply holds no token_logprobs")
    usage = mapping_of(reply.get("usage"))
    prompt, written = (count_of(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    if prompt is None or len(values) != prompt + (written or 0):
        raise ValueError(
            f"it gives {len(values)} log-probabilities for {prompt} tokens of the text and "
            f"{written or 0} of its own"
        )
    pairs = [(text_of(a) or "", _number(b)) for a, b in zip(said, values, strict=True)]
    return _checked(pairs[:prompt], prompt)


def _read_sglang(reply: Mapping[str, Any], _: str) -> list[Scored]:
    meta = mapping_of(reply.get("meta_info"))
    entries = meta.get("input_token_logprobs")
    if not isinstance(entries, list):
        raise ValueError("the reply holds no input_token_logprobs")  # noqa: TRY004
    rows = [entry if isinstance(entry, list) else [] for entry in entries]
    tokens = [
        (text_of(row[2]) or "" if len(row) > 2 else "", _number(row[0]) if row else None)
        for row in rows
    ]
    return _checked(tokens, count_of(meta.get("prompt_tokens")))


def _vllm(text: str) -> dict[str, Any]:
    return {
        "prompt": text, "max_tokens": 1, "temperature": 0.0, "prompt_logprobs": 0,
        "return_token_ids": True,
    }  # fmt: skip


def _echo(tokens: int) -> Way:
    def question(text: str) -> dict[str, Any]:
        more = {"temperature": 0.0, "echo": True, "logprobs": 1}
        return {"prompt": text, "max_tokens": tokens, **more}

    return Way("/completions", question, _read_echo)


def _sglang(tokens: int) -> Way:
    def question(text: str) -> dict[str, Any]:
        return {
            "text": text,
            "sampling_params": {"max_new_tokens": tokens, "temperature": 0.0},
            "return_logprob": True,
            "logprob_start_len": 0,
            "return_text_in_logprobs": True,
        }

    return Way("../generate", question, _read_sglang)


WAYS: dict[str, tuple[Way, ...]] = {
    "vllm": (Way("/completions", _vllm, _read_vllm),),
    "echo": (_echo(0), _echo(1)),
    "sglang": (_sglang(0), _sglang(1)),
}
"""What the option `likelihood` may be; of several ways, the first that works is used."""
