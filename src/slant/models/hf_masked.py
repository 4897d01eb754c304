"""Any masked language model that transformers can load: a directory or a hub name."""

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

    from slant.likelihoods.masked import MaskedText
    from slant.records import Likelihood


class HFMasked(HFScorer["MaskedText"]):
    """A masked language model on this machine, which scores texts.

    Spelt `hf-masked:PATH-OR-NAME`, with the options `metric=plain` (the default: one token is
    masked at a time) or `metric=within-word` (along with the later tokens of its word),
    `dtype=float32`, `device=cpu`, and `revision=…` for hub names.

    The source of a question, if it has one, is put before the text as it stands: it is seen, not
    scored. Answers are the same to about 1e-6, whatever else is in the batch.
    """

    auto_class = "AutoModelForMaskedLM"
    metrics: ClassVar[Mapping[str, str]] = {
        "plain": "pseudo_perplexity",
        "within-word": "pseudo_perplexity_within_word",
    }
    options: ClassVar = {"dtype": DTYPES, "metric": tuple(metrics)}

    def remarks(self) -> list[str]:
        """Say so where scoring took the slow way, or rounds."""
        if self.__dict__.get("_narrow", True):  # found out when it is first needed
            return super().remarks()
        slower = (
            "Likelihoods are computed exactly but more slowly: the head of this architecture "
            "cannot be run at single positions."
        )
        return [slower, *super().remarks()]

    @cached_property
    def _narrow(self) -> bool:
        from slant.likelihoods.masked import head_can_be_narrowed

        return head_can_be_narrowed(self._model, self._tokenizer)

    @property
    def _within_word(self) -> bool:
        return self._metric == "within-word"

    @cached_property
    def _longest(self) -> int | None:
        from slant.likelihoods.masked import longest_text

        return longest_text(self._model)

    def _check(self) -> None:
        from slant.likelihoods.masked import check_tokenizer

        super()._check()
        check_tokenizer(self._tokenizer, within_word=self._within_word)

    def _surroundings(self) -> str:
        before, after = special_tokens(self._tokenizer, text="a")
        return f"by the tokenizer, not scored: {' '.join([*before, 'text', *after])}"

    def _encode(self, asked: Sequence[Likelihood]) -> list[MaskedText | Answer]:
        from slant.likelihoods.masked import encode_masked

        contexts = [each.source or "" for each in asked]
        if any(contexts) and not self._tokenizer.is_fast:
            return [self._encode_alone(each) for each in asked]
        texts = encode_masked(self._tokenizer, [each.text for each in asked], contexts)
        return [self._usable(text) for text in texts]

    def _encode_alone(self, asked: Likelihood) -> MaskedText | Answer:
        """Encode a question with a slow tokenizer, which cannot tell a source from a text."""
        from slant.likelihoods.masked import encode_masked

        try:
            (text,) = encode_masked(self._tokenizer, [asked.text], [asked.source or ""])
        except InputError as error:
            return Answer("error", reason=str(error))
        return self._usable(text)

    def _usable(self, text: MaskedText) -> MaskedText | Answer:
        tokens, limit = len(text.tokens), self._longest
        if limit is not None and tokens > limit:
            return likelihood_answer((), tokens=tokens, limit=limit)
        if not text.scored:
            reason = "the text holds no token to score: it is empty"
            return Answer("unparseable", reason=reason, prompt_tokens=tokens)
        return text

    def _score(self, encoded: Sequence[MaskedText]) -> list[NDArray[np.float64]]:
        from slant.likelihoods.masked import score_encoded

        return score_encoded(
            self._model,
            self._tokenizer.mask_token_id,
            encoded,
            within_word=self._within_word,
            narrow=self._narrow,
        )

    def _tokens(self, encoded: MaskedText) -> int:
        return len(encoded.tokens)
