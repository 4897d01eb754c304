"""From texts to the tokens that a causal model scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as a causal model sees it.

    Attributes
    ----------
    ids
        Token ids of source and text, tokenised as one.
    first
        Which is the first to be scored; never the very first, which nothing predicts.
    """

    ids: list[int]
    first: int


def tokenise(tokenizer: Any, pairs: Sequence[tuple[str, str]], *, bos: bool) -> list[Tokens]:
    """Tokenise texts whole: source and text are joined first.

    Parameters
    ----------
    tokenizer
        A transformers tokenizer, which adds the special tokens that it adds to any text.
    pairs
        (source, text); the source may be empty. A token that holds the end of the source and the
        beginning of the text belongs to the text.
    bos
        Whether to put the token that begins a text in front where the tokenizer does not.

    Raises
    ------
    InputError
        There is no such token, or the tokenizer does not tell which characters a token holds.
    """
    start = tokenizer.bos_token_id
    if bos and start is None:
        raise InputError("bos=add: this model's tokenizer has no token that begins a text")
    given = any(source for source, _ in pairs)
    if given and not tokenizer.is_fast:
        raise InputError(
            "a text with a source needs a fast tokenizer, which tells the characters of a token"
        )
    encoded = tokenizer(
        [source + text for source, text in pairs],
        return_attention_mask=False,
        return_token_type_ids=False,
        return_offsets_mapping=given,
    )
    found = []
    for number, ids in enumerate(encoded["input_ids"]):
        first = 1
        if source := pairs[number][0]:
            ends = [end for _, end in encoded["offset_mapping"][number]]
            first = next((i for i, end in enumerate(ends) if end > len(source)), len(ids))
        if bos and ids[:1] != [start]:
            ids, first = [start, *ids], first + bool(source)
        found.append(Tokens(ids, max(first, 1)))
    return found


def bos_policy(tokenizer: Any, *, bos: bool) -> str:
    """Say what stands before the first word, in words that are kept with every result."""
    start = tokenizer.bos_token_id
    own = start is not None and tokenizer("a")["input_ids"][:1] == [start]
    if own:
        return "by the tokenizer"
    return "added" if bos else "none: the first token is not scored"
