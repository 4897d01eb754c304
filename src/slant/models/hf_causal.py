"""Any causal language model that transformers can load: a directory or a hub name."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from jinja2 import TemplateError

from slant.errors import InputError
from slant.models.hf_model import DTYPES, HFModel
from slant.models.likelihood_answers import likelihood_answer
from slant.models.placement import best_dtype
from slant.models.precision import HALF, told_deviation
from slant.records import Answer, Choose, Generate, Likelihood, needed_ability

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from transformers import PreTrainedModel

    from slant.likelihoods.choices import Tokens
    from slant.likelihoods.guard import CausalScorer
    from slant.models.decoding import Drawn, Job
    from slant.records import Ability, Item, Prompt


class HFCausal(HFModel):
    """A causal language model on this machine.

    Spelt `hf:PATH-OR-NAME`, with the options `device=cpu` (`auto`: spread over all accelerators),
    `revision=…` for hub names, and

    - `dtype=float32`: of generation; default: the fastest in which this processor computes
      natively;
    - `likelihood_dtype=bfloat16`: of likelihoods, float32 by default, for anything less deviates
      as much as groups do;
    - `bos=add`: put the token that begins a text before a text to be scored, where the tokenizer
      does not. By default nothing is added, as in Hugging Face's own loss: then the first token
      is not scored.

    Options are chosen by what the model finds probable right after the prompt, in the precision of
    likelihoods (`slant.likelihoods.choices`).

    Answers depend on the item and the seed, not on the batch: rows of a batch share the length
    of their prompts, so nothing is padded, and every row draws from its own random stream.
    Likelihoods are the same to about 1e-6, whatever else is in the batch.
    """

    options: ClassVar = {"dtype": DTYPES, "likelihood_dtype": DTYPES, "bos": ("add",)}
    batch_size = 128
    likelihood_batch_size = 2048

    @cached_property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override] # read only, and lazy
        """Text, options and likelihoods always; chat where the tokenizer brings a template."""
        always: frozenset[Ability] = frozenset({"raw", "choose", "likelihood"})
        chat = bool(getattr(self._tokenizer, "chat_template", None))
        return always | {"chat"} if chat else always

    @property
    def _dtype(self) -> str:
        return self._options.get("dtype") or best_dtype(self._device)

    @property
    def _likelihood_dtype(self) -> str:
        return self._options.get("likelihood_dtype", "float32")

    @cached_property
    def _model(self) -> PreTrainedModel:
        return self._load("AutoModelForCausalLM", self._dtype)

    @cached_property
    def _scorer(self) -> CausalScorer:
        from slant.likelihoods.guard import CausalScorer
        from slant.likelihoods.packed_linear import pack_linear_layers

        if self._likelihood_dtype == self._dtype:
            self._loaded  # noqa: B018 - packed weights can no longer be told from others
            model = self._model
        else:
            model = self._load("AutoModelForCausalLM", self._likelihood_dtype)
        pack_linear_layers(model)
        return CausalScorer(model)

    @cached_property
    def _loaded(self) -> Mapping[str, str]:
        return self._identity(self._model)

    def fingerprint(self) -> Mapping[str, str]:
        """Name all that decides the answers: model, dtype, device, the versions at work."""
        from slant.likelihoods.texts import bos_policy

        bos = "bos" in self._options
        if bos and self._tokenizer.bos_token_id is None:
            raise InputError(
                f"bos=add: the tokenizer of {self.name!r} has no token that begins a text"
            )
        return {
            **self._loaded,
            "likelihood": "perplexity",
            "likelihood_dtype": self._likelihood_dtype,
            "bos": bos_policy(self._tokenizer, bos=bos),
        }

    def remarks(self) -> list[str]:
        """Say where likelihoods could not be computed by a prefix tree, and what rounding does."""
        scorer = self.__dict__.get("_scorer")  # it is made when it is first needed
        return [*([scorer.remark] if scorer and scorer.remark else []), *self._deviations]

    @cached_property
    def _deviations(self) -> list[str]:
        """Tell for each half-width type that was asked for how far it is from float32."""
        drawn, scored = self._options.get("dtype", ""), self._options.get("likelihood_dtype", "")
        asked = {"Texts are drawn": drawn, "Likelihoods are computed": scored}
        if drawn == scored:
            asked = {"Texts are drawn and likelihoods computed": drawn}
        return [
            told_deviation(
                what, dtype, self._model,
                lambda each: self._again(dtype=each, likelihood_dtype=each)._score,
            )
            for what, dtype in asked.items()
            if dtype in HALF
        ]  # fmt: skip

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Generate, choose or score for every item, off the event loop."""
        return await asyncio.to_thread(self._answer, items, seed)

    def _answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        kinds: dict[type, Callable[[Sequence[Item]], list[Answer]]] = {
            Likelihood: self._score,
            Choose: self._choose,
            Generate: lambda part: self._draw(part, seed),
        }
        answers = {
            kind: iter(answer([item for item in items if isinstance(item.request, kind)]))
            for kind, answer in kinds.items()
        }
        return [next(answers[type(item.request)]) for item in items]

    def _choose(self, items: Sequence[Item]) -> list[Answer]:
        """Score the options after each prompt, or find what is most probable of all."""
        free = iter(self._say_first([item for item in items if _is_free(item)]))
        held = iter(self._score_options([item for item in items if not _is_free(item)]))
        return [next(free if _is_free(item) else held) for item in items]

    def _say_first(self, items: Sequence[Item]) -> list[Answer]:
        """Give the most probable token after each prompt."""
        from slant.likelihoods.next_token import next_tokens

        asked = [self._question(item) for item in items]
        prompts = [each[0] for each in asked if not isinstance(each, Answer)]
        found = iter(next_tokens(self._scorer.model, prompts))
        answers = []
        for each in asked:
            if isinstance(each, Answer):
                answers.append(each)
                continue
            token, logprob = next(found)
            text = self._tokenizer.decode([token])
            answers.append(Answer("answered", text, (logprob,), len(each[0]), 1, "length"))
        return answers

    def _score_options(self, items: Sequence[Item]) -> list[Answer]:
        from slant.likelihoods.choices import choice_logprobs

        asked = [self._question(item) for item in items]
        questions = [each for each in asked if not isinstance(each, Answer)]
        found = iter(choice_logprobs(self._scorer.score, questions))
        return [
            each
            if isinstance(each, Answer)
            else Answer("answered", logprobs=next(found), prompt_tokens=len(each[0]),
                        completion_tokens=0)
            for each in asked
        ]  # fmt: skip

    def _question(self, item: Item) -> tuple[Tokens, list[list[Tokens]]] | Answer:
        """Give the tokens of a prompt and its options; an answer with the reason if it cannot."""
        assert isinstance(item.request, Choose)  # noqa: S101 - only such come here
        prompt = self._prompt_tokens(item.request.prompt)
        if isinstance(prompt, Answer):
            return prompt
        options = [self._spellings(option) for option in item.request.options]
        longest = max((len(tokens) for each in options for tokens in each), default=0)
        if len(prompt) + longest > self._longest:
            reason = f"prompt and options are more than the {self._longest} tokens that it can hold"
            return Answer("error", reason=reason)
        flat = [tokens for each in options for tokens in each]
        if not all(options) or len(set(flat)) < len(flat):
            reason = "an option is empty, or two of them are spelt alike"
            return Answer("error", reason=reason)
        return prompt, options

    @cached_property
    def _spellings(self) -> Callable[[str], list[Tokens]]:
        from slant.likelihoods.choices import spellings

        return cache(partial(spellings, self._tokenizer))

    def _score(self, items: Sequence[Item]) -> list[Answer]:
        from slant.likelihoods.texts import tokenise

        if not items:
            return []
        pairs = [(i.request.source or "", i.request.text) for i in items]  # type: ignore[union-attr] # only such come here
        texts = tokenise(self._tokenizer, pairs, bos="bos" in self._options)
        limit = self._longest
        fit = [text for text in texts if text.first < len(text.ids) <= limit]
        found = self._scorer.score([text.ids for text in fit], [text.first for text in fit])
        scores = iter(found)
        return [
            likelihood_answer(
                next(scores) if text.first < len(text.ids) <= limit else (),
                tokens=len(text.ids),
                limit=limit,
            )
            for text in texts
        ]

    @property
    def _longest(self) -> float:
        """How many tokens the model can hold."""
        config = self._model.config.get_text_config()
        return getattr(config, "max_position_embeddings", None) or float("inf")

    def _draw(self, items: Sequence[Item], seed: int) -> list[Answer]:
        from slant.models.decoding import decode

        asked = [self._job(item, seed) for item in items]
        jobs = [job for job in asked if not isinstance(job, Answer)]
        drawn = iter(decode(self._model, self._tokenizer, jobs))
        return [
            job if isinstance(job, Answer) else _reply(item, job, next(drawn))
            for item, job in zip(items, asked, strict=True)
        ]

    def _job(self, item: Item, seed: int) -> Job | Answer:
        """Say what to draw for an item; an answer with the reason where that is impossible."""
        from slant.models.decoding import Job

        assert isinstance(item.request, Generate)  # noqa: S101 - abilities were checked
        sampling = item.request.sampling
        if not isinstance(item.request.prompt, str):
            # A thought or a preamble would trip over a stop: the reading applies it.
            sampling = replace(sampling, stop=())
        tokens = self._prompt_tokens(item.request.prompt)
        if isinstance(tokens, Answer):
            return tokens
        if len(tokens) + sampling.max_tokens > self._longest:
            reason = (
                f"{len(tokens)} tokens of prompt and {sampling.max_tokens} to draw are more than "
                f"the {self._longest} that the model can hold"
            )
            return Answer("error", reason=reason)
        return Job(tokens, sampling, _stream(item, seed))

    def _prompt_tokens(self, prompt: Prompt) -> Tokens | Answer:
        """Give the tokens of a prompt; an answer with the reason if there are none."""
        try:
            tokens = self._encode(prompt)
        except TemplateError as error:
            return Answer("error", reason=f"the chat template refuses the prompt: {error}")
        return tokens or Answer("error", reason="the prompt is empty")

    def _encode(self, prompt: Prompt) -> tuple[int, ...]:
        if isinstance(prompt, str):
            tokens = self._tokenizer(prompt)["input_ids"]
        else:
            chat = [{"role": turn.role, "content": turn.content} for turn in prompt]
            text = self._tokenizer.apply_chat_template(
                chat, tokenize=False, add_generation_prompt=True
            )
            tokens = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return tuple(tokens)


def _reply(item: Item, job: Job, drawn: Drawn) -> Answer:
    answer = Answer(
        "answered",
        text=drawn.text,
        prompt_tokens=len(job.prompt),
        completion_tokens=drawn.tokens,
        finish_reason=drawn.finish_reason,
    )
    # As over an API: a chat model that says nothing has not answered; raw text may just end.
    if needed_ability(item.request) == "chat" and not drawn.text.strip():
        reason = f"the reply holds no text (finish_reason: {drawn.finish_reason})"
        return replace(answer, outcome="unparseable", reason=reason)
    return answer


def _is_free(item: Item) -> bool:
    return isinstance(item.request, Choose) and item.request.free


def _stream(item: Item, seed: int) -> int:
    """Derive the key of an item's own random stream from its id and the run's seed."""
    content = f"{seed}:{item.id}".encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=16).digest(), "little")
