"""Choosing among options: how probable each is as what comes next.

"Yes" may come next as " Yes", "yes" or "YES" as well: an option's probability is the sum over its
spellings. All spellings after all prompts of a batch are scored together by their prefix tree, so
what questions have in common is run once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Tokens = tuple[int, ...]
    Scorer = Callable[[Sequence[Tokens], Sequence[int]], Sequence[NDArray[np.float64]]]


def spellings(tokenizer: Any, option: str) -> list[Tokens]:
    """Give the token sequences in which an option may come next.

    As given, in lower case, in upper case and with a capital, each with and without a space before
    it, tokenised by itself. A sequence that another one of them begins with is left out, for its
    probability is part of that one's.

    Parameters
    ----------
    tokenizer
        A transformers tokenizer.
    option
        What may be chosen; nothing but white space has no spelling.
    """
    word = option.strip()
    cases = dict.fromkeys((word, word.lower(), word.upper(), word[:1].upper() + word[1:]))
    found = dict.fromkeys(
        tuple(tokenizer(space + case, add_special_tokens=False)["input_ids"])
        for case in cases
        for space in ("", " ")
        if case
    )
    return [
        tokens
        for tokens in found
        if not any(tokens[:end] in found for end in range(1, len(tokens)))
    ]


def choice_logprobs(
    score: Scorer, questions: Iterable[tuple[Tokens, Sequence[Sequence[Tokens]]]]
) -> list[tuple[float, ...]]:
    r"""Score options after prompts.

    .. math:: \log P(o \mid x) = \log \sum_{s \in \mathrm{spellings}(o)} \prod_i
        P(s_i \mid x, s_{<i})

    It is not normalised over the options: the rest is the probability of saying something else.
    Where an option's tokens begin another's ("A" and "AB"), the longer one's probability is part
    of the shorter one's.

    Parameters
    ----------
    score
        Gives the natural log-probabilities of each sequence's tokens from a certain one on.
    questions
        For each, the tokens of the prompt, and the spellings of every option.

    Returns
    -------
    list of tuple of float
        For each question, one natural logarithm an option.
    """
    asked = list(questions)
    sequences = [
        (*prompt, *tokens) for prompt, options in asked for each in options for tokens in each
    ]
    first = [len(prompt) for prompt, options in asked for each in options for _ in each]
    scores = iter(score(sequences, first))
    return [
        tuple(float(np.logaddexp.reduce([next(scores).sum() for _ in each])) for each in options)
        for _, options in asked
    ]
