"""Any encoder–decoder language model that transformers can load: a directory or a hub name."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from slant.errors import InputError
from slant.models.hf_model import DTYPES
from slant.models.hf_scorer import HFScorer, special_tokens
from slant.models.likelihood_answers import likelihood_answer
from slant.records import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from slant.likelihoods.seq2seq import Pair
    from slant.records import Likelihood


class HFSeq2Seq(HFScorer["Pair"]):
    """An encoder–decoder language model on this machine, which scores texts.

    Spelt `hf-seq2seq:PATH-OR-NAME`, with the options `metric=conditional` (the default: the
    encoder is given the source of a question and the decoder is scored on its text) or
    `metric=copy` (both are given the whole text), `dtype=float32`, `device=cpu`, and
    `revision=…` for hub names.

    The special tokens that the tokenizer adds to a target are scored with it, as in the model's
    own loss. Answers are the same to about 1e-6, whatever else is in the batch.
    """

    auto_class = "AutoModelForSeq2SeqLM"
    metrics: ClassVar[Mapping[str, str]] = {
        "conditional": "conditional_perplexity",
        "copy": "copy_perplexity",
    }
    options: ClassVar = {"dtype": DTYPES, "metric": tuple(metrics)}

    @cached_property
    def _longest(self) -> int | None:
        """How many tokens either side holds; T5 and its kin know no limit."""
        return getattr(self._model.config, "max_position_embeddings", None)

    def _check(self) -> None:
        from slant.likelihoods.seq2seq import agrees_with_its_loss

        super()._check()
        if not agrees_with_its_loss(self._model, self._tokenizer):
            raise InputError(
                f"{type(self._model).__name__} scores a text otherwise than from its start token "
                "on: its likelihoods cannot be computed"
            )

    def _surroundings(self) -> str:
        before, after = special_tokens(self._tokenizer, text_target="a")
        start = self._model.config.decoder_start_token_id
        start_token = self._tokenizer.convert_ids_to_tokens(start) if start is not None else "?"
        scored = " ".join([*before, "text", *after])
        return f"the decoder starts at {start_token}; scored: {scored}"

    def _encode(self, asked: Sequence[Likelihood]) -> list[Pair | Answer]:
        from slant.likelihoods.seq2seq import encode_pairs

        pairs = encode_pairs(self._tokenizer, [self._sides(each) for each in asked])
        return [self._usable(pair, each) for pair, each in zip(pairs, asked, strict=True)]

    def _sides(self, asked: Likelihood) -> tuple[str, str]:
        """Say what the encoder is given, and what is scored on the decoder."""
        source = asked.source or ""
        if self._metric == "copy":
            return source + asked.text, source + asked.text
        return source, asked.text

    def _usable(self, pair: Pair, asked: Likelihood) -> Pair | Answer:
        longer, limit = max(len(pair.source), len(pair.target)), self._longest
        if limit is not None and longer > limit:
            return likelihood_answer((), tokens=longer, limit=limit)
        if self._metric == "conditional" and not asked.source:
            reason = "there is no source for the encoder, and only metric=copy can do without"
        elif not pair.says_something:
            reason = "the text holds no token to score: it is empty"
        elif not pair.source:
            reason = "the source holds no token for the encoder"
        else:
            return pair
        return Answer("unparseable", reason=reason)

    def _score(self, encoded: Sequence[Pair]) -> list[NDArray[np.float64]]:
        from slant.likelihoods.seq2seq import score_encoded

        return score_encoded(self._model, encoded)

    def _tokens(self, encoded: Pair) -> int:
        return len(encoded.source) + len(encoded.target)
