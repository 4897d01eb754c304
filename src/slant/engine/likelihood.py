"""Likelihoods of a user's own texts, without an audit around them."""

from __future__ import annotations

import asyncio
import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.models.open import open_model
from slant.records import Item, Likelihood

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.models.model import Model
    from slant.records import Answer


def likelihood(model: str | Model, texts: Sequence[str | tuple[str, str]]) -> pl.DataFrame:
    r"""Say how probable texts are to a model.

    Many short texts that begin alike cost little more than one: each distinct prefix is run once.

    Parameters
    ----------
    model
        A spelling such as `embedded`, `hf:PATH-OR-NAME`, `hf-masked:…`, `hf-seq2seq:…`; or a model
        that is open already, which stays open.
    texts
        Texts; or pairs (source, text), of which the text is scored given the source.

    Returns
    -------
    polars.DataFrame
        One row a text, in order: `source`, `text`, `logprob` (the sum over its tokens, natural
        logarithm), `tokens` (how many were scored), `perplexity` (:math:`\\exp(-logprob/tokens)`),
        `reason` (why there is no figure; otherwise null) and `definition`: which perplexity it is,
        in which number type, with what before the first word.

    Raises
    ------
    InputError
        The model cannot be opened, or gives no likelihoods.
    """
    import polars as pl

    pairs = [("", text) if isinstance(text, str) else (text[0], text[1]) for text in texts]
    opened = open_model(model) if isinstance(model, str) else model
    with ThreadPoolExecutor(1) as aside:  # a notebook runs an event loop of its own
        answers, definition = aside.submit(
            lambda: asyncio.run(_ask(opened, pairs, close=opened is not model))
        ).result()
    return pl.DataFrame(
        [
            (source or None, text, *_figures(answer), answer.reason, definition)
            for (source, text), answer in zip(pairs, answers, strict=True)
        ],
        schema={
            "source": pl.String, "text": pl.String, "logprob": pl.Float64, "tokens": pl.Int64,
            "perplexity": pl.Float64, "reason": pl.String, "definition": pl.String,
        },
        orient="row",
    )  # fmt: skip


async def _ask(
    model: Model, pairs: Sequence[tuple[str, str]], *, close: bool
) -> tuple[list[Answer], str]:
    async with AsyncExitStack() as resources:
        if close:
            resources.push_async_callback(model.close)
        if "likelihood" not in model.abilities:
            raise InputError(f"model {model.name!r} cannot give likelihoods")
        is_ = model.fingerprint()
        items = [Item("likelihood", Likelihood(text, source or None)) for source, text in pairs]
        size = model.likelihood_batch_size or model.batch_size
        answers: list[Answer] = []
        for start in range(0, len(items), size):
            answers += await model.answer(items[start : start + size], seed=0)
    known = {name: is_[name] for name in ("likelihood", "likelihood_dtype", "bos") if name in is_}
    return answers, "|".join(f"{name}:{value}" for name, value in known.items())


def _figures(answer: Answer) -> tuple[float | None, int, float | None]:
    if not answer.logprobs:
        return None, 0, None
    total = math.fsum(answer.logprobs)
    return total, len(answer.logprobs), math.exp(-total / len(answer.logprobs))
