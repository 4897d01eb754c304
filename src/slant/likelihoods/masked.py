r"""Pseudo-log-likelihoods of texts under a masked language model, exact and batched.

Each token is masked in its turn and predicted from all others: :math:`\log P(x_i \mid x_{-i})`
(Salazar et al. 2020, *Masked Language Model Scoring*). Within words from left to right, the later
tokens of the same word are masked as well, so that a rare word does not look probable because
its own tail gives it away (Kauf & Ivanova 2023, *A Better Way to Do Masked Language Model
Scoring*). These are two metrics: their values are not comparable.

Masked copies of one length run together, so nothing is padded. Copies that are the same (the
same sentence about two names, with the name masked) run once. The output head, which is most of
the work of a small model, runs at one position of a copy: the one that is predicted.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from slant.errors import InputError
from slant.likelihoods.bounds import bounds_for
from slant.likelihoods.causal import log_total

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

_COPIED = 2**23  # token ids of masked copies that are held at once (32 MB)
_TOLERANCE = 1e-4
_SAMPLES = ("My name is Mary, I am kind.", "John was tall.", "One two three four five six.")


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text as a masked model takes it.

    Attributes
    ----------
    tokens
        Token ids, with the special tokens that the tokenizer puts around a text.
    scored
        Which of them are masked in their turn: positions, ascending.
    words
        For every token, the number of the word it belongs to; `None` for special tokens. Empty
        where the tokenizer cannot tell.
    """

    tokens: tuple[int, ...]
    scored: tuple[int, ...]
    words: tuple[int | None, ...] = ()


def encode_masked(
    tokenizer: Any, texts: Sequence[str], contexts: Sequence[str] | None = None
) -> list[MaskedText]:
    """Tokenise texts for `score_encoded`.

    What is scored are the tokens that come from the text, unknown ones included; the special
    tokens that the tokenizer adds ([CLS], <s> …) are seen but not scored.

    Parameters
    ----------
    tokenizer
        A tokenizer of transformers.
    texts
        The texts.
    contexts
        What stands before each text and is seen but not scored; joined to it as it stands. A
        token is scored if it holds a character of the text. Needs a fast tokenizer.

    Raises
    ------
    InputError
        A context is given and the tokenizer is a slow one, which does not say where its tokens
        stand.
    """
    if not texts:
        return []
    fast = tokenizer.is_fast
    before = [""] * len(texts) if contexts is None else contexts
    if any(before) and not fast:
        raise InputError(
            "a text can only be scored after a context with a fast tokenizer, which says where "
            f"its tokens stand; {type(tokenizer).__name__} is a slow one"
        )
    encoded = tokenizer(
        [context + text for context, text in zip(before, texts, strict=True)],
        add_special_tokens=True,
        truncation=False,
        return_special_tokens_mask=True,
        return_offsets_mapping=fast,
        verbose=False,
    )
    found = []
    for index, tokens in enumerate(encoded["input_ids"]):
        scored = np.array(encoded["special_tokens_mask"][index]) == 0
        if before[index]:
            ends = np.array([end for _, end in encoded["offset_mapping"][index]])
            scored &= ends > len(before[index])
        words = tuple(encoded.word_ids(index)) if fast else ()
        found.append(MaskedText(tuple(tokens), tuple(np.flatnonzero(scored).tolist()), words))
    return found


def check_tokenizer(tokenizer: Any, *, within_word: bool) -> None:
    """Refuse a tokenizer that a metric cannot be computed with.

    Raises
    ------
    InputError
        It has no mask token; or words matter and it does not tell which tokens make up a word.
    """
    name = type(tokenizer).__name__
    if tokenizer.mask_token_id is None:
        raise InputError(f"its tokenizer ({name}) has no mask token: it is no masked model's")
    if within_word:
        (sample,) = encode_masked(tokenizer, ["one two"])
        if len(set(sample.words) - {None}) < 2:
            raise InputError(
                f"its tokenizer ({name}) does not tell which tokens make up a word, which masking "
                "within words needs: use a model with a fast tokenizer, or the plain metric"
            )


def score_encoded(
    model: Any,
    mask_token: int,
    texts: Sequence[MaskedText],
    *,
    within_word: bool,
    narrow: bool,
    max_positions: int | None = None,
) -> list[NDArray[np.float64]]:
    r"""Score texts that `encode_masked` made.

    Parameters
    ----------
    model
        A masked language model of transformers.
    mask_token
        Id of the token that masks.
    texts
        The texts.
    within_word
        Whether the later tokens of the same word are masked along with each token.
    narrow
        Whether the head is run at the predicted positions only: `head_can_be_narrowed` tells.
    max_positions
        Tokens in one forward, at most; what suits the model's device when not given.

    Returns
    -------
    list of numpy.ndarray
        For each text, in their order, :math:`\log P(x_i \mid x_{-i})`, natural, of each token that
        is scored; empty where there is none.
    """
    found = [np.empty(len(text.scored)) for text in texts]
    for block in _blocks(texts):
        copies, targets = _masked_copies([texts[index] for index in block], mask_token, within_word)
        values = _score_copies(model, copies, targets, narrow=narrow, max_positions=max_positions)
        ends = np.cumsum([len(found[index]) for index in block])
        for index, part in zip(block, np.split(values, ends[:-1]), strict=True):
            found[index] = part
    return found


def _blocks(texts: Sequence[MaskedText]) -> Iterator[list[int]]:
    """Put texts of one length together, as many as their copies can be held of at once."""
    order = sorted(range(len(texts)), key=lambda index: len(texts[index].tokens))
    block: list[int] = []
    held = 0
    for index in order:
        text = texts[index]
        size = len(text.tokens) * len(text.scored)
        if not size:
            continue
        other_length = block and len(texts[block[0]].tokens) != len(text.tokens)
        if block and (other_length or held + size > _COPIED):
            yield block
            block, held = [], 0
        block.append(index)
        held += size
    if block:
        yield block


def _masked_copies(
    texts: Sequence[MaskedText], mask_token: int, within_word: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Copy texts of one length once a scored token, with that token masked.

    Returns copies of shape (scored tokens, 1 + length), each the predicted position and then the
    tokens, and the token that was masked in each.
    """
    tokens = np.array([text.tokens for text in texts], dtype=np.int32)
    source = np.repeat(np.arange(len(texts)), [len(text.scored) for text in texts])
    place = np.array([place for text in texts for place in text.scored], dtype=np.int32)
    each = np.arange(len(place))
    copies = np.column_stack([place, tokens[source]])
    targets = tokens[source, place]
    if within_word:
        words = np.array([[-1 if word is None else word for word in text.words] for text in texts])[
            source
        ]
        later = (words == words[each, place][:, None]) & (
            np.arange(words.shape[1]) >= place[:, None]
        )
        copies[:, 1:][later] = mask_token
    copies[each, 1 + place] = mask_token
    return copies, targets


def _score_copies(
    model: Any,
    copies: NDArray[np.int32],
    targets: NDArray[np.int32],
    *,
    narrow: bool,
    max_positions: int | None,
) -> NDArray[np.float64]:
    """Give the log-probability of each target at the position that its copy predicts."""
    distinct, row = np.unique(copies, axis=0, return_inverse=True)
    order = np.argsort(row, kind="stable")
    length = copies.shape[1] - 1
    vocabulary = model.get_input_embeddings().num_embeddings
    step = bounds_for(model, max_positions).rows(length, vocabulary * (1 if narrow else length))
    starts = np.arange(0, len(distinct), step)
    edges = np.searchsorted(row[order], np.append(starts, len(distinct)))
    found = np.empty(len(copies))
    for start, first, last in zip(starts, edges, edges[1:], strict=False):
        asked = order[first:last]
        part = distinct[start : start + step]
        found[asked] = _predict(
            model, part[:, 1:], part[:, 0], row[asked] - start, targets[asked], narrow=narrow
        )
    return found


@torch.inference_mode()
def _predict(
    model: Any,
    copies: NDArray[np.int32],
    place: NDArray[np.int32],
    row: NDArray[np.intp],
    token: NDArray[np.int32],
    *,
    narrow: bool,
) -> NDArray[np.float64]:
    """Give the log-probability of tokens in copies: `row` tells which."""
    device = model.device
    places, rows, tokens = (
        torch.from_numpy(array).to(device).long() for array in (place, row, token)
    )
    with _head_only_at(model.base_model, places) if narrow else nullcontext():
        logits = model(input_ids=torch.from_numpy(copies).to(device).long()).logits
    if narrow:
        logits = logits[:, 0].float()
    else:
        logits = logits[torch.arange(len(logits), device=device), places].float()
    chosen = logits[rows, tokens].double()
    values: NDArray[np.float64] = (chosen - log_total(logits)[rows]).cpu().numpy()
    return values


@contextmanager
def _head_only_at(body: torch.nn.Module, places: torch.Tensor) -> Iterator[None]:
    """Let a model's body hand on one position of each row, so that its head runs there only.

    The model's own forward goes on with what the body gives, so every architecture's own head is
    used, wherever it keeps it.
    """

    def select(_body: Any, _given: Any, output: Any) -> Any:
        hidden = output.last_hidden_state
        output.last_hidden_state = hidden[torch.arange(len(hidden), device=hidden.device), places][
            :, None
        ]
        return output

    handle = body.register_forward_hook(select)
    try:
        yield
    finally:
        handle.remove()


def head_can_be_narrowed(model: Any, tokenizer: Any, samples: Iterable[str] = _SAMPLES) -> bool:
    """Try whether the head may be run at the predicted positions only.

    It may not where a model's head mixes positions, or takes something else than its body's last
    hidden state.

    Parameters
    ----------
    model
        A masked language model of transformers.
    tokenizer
        Its tokenizer, with a mask token.
    samples
        Texts to try it on.

    Returns
    -------
    bool
        Whether log-probabilities deviate from those of the whole forward by at most 1e-4
        (relative; in a coarser number type, by what it rounds).
    """
    if model.base_model is model:
        return False
    texts = encode_masked(tokenizer, list(samples))
    whole, narrowed = (
        np.concatenate(
            score_encoded(model, tokenizer.mask_token_id, texts, within_word=False, narrow=narrow)
        )
        for narrow in (False, True)
    )
    tolerance = max(_TOLERANCE, 4 * torch.finfo(model.dtype).eps)
    return bool(np.allclose(narrowed, whole, rtol=tolerance, atol=tolerance))


def longest_text(model: Any) -> int | None:
    """Say how many tokens a model holds, special ones included; `None` if it knows no limit.

    RoBERTa and its kin number positions from behind the padding index, so they hold fewer than
    `max_position_embeddings`.
    """
    limit: int | None = getattr(model.config, "max_position_embeddings", None)
    if limit is None:
        return None
    taken = [
        module.padding_idx + 1
        for name, module in model.named_modules()
        if name.endswith("position_embeddings")
        and getattr(module, "num_embeddings", None) == limit
        and module.padding_idx is not None
    ]
    return limit - max(taken, default=0)
