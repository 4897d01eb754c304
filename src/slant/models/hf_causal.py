"""Any causal language model that transformers can load: a directory or a hub name."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import TemplateError

from slant.errors import InputError, SlantError, missing_extra
from slant.models.model import Model
from slant.models.placement import best_device, best_dtype
from slant.records import Answer, Generate, needed_ability

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from slant.models.decoding import Drawn, Job
    from slant.models.spelling import Spelling
    from slant.records import Ability, Item, Prompt

DTYPES = ("bfloat16", "float16", "float32")
DEVICES = ("cpu", "cuda", "mps")


class HFCausal(Model):
    """A causal language model on this machine.

    Spelt `hf:PATH-OR-NAME`, with the options `dtype=float32` (default: the fastest in which this
    processor computes natively), `device=cpu`, and `revision=…` for hub names. Weights are read
    from safetensors only, and no code that comes with a model is ever run.

    Answers depend on the item and the seed, not on the batch: rows of a batch share the length
    of their prompts, so nothing is padded, and every row draws from its own random stream.
    """

    batch_size = 128

    def __init__(self, spelling: Spelling):
        spelling.check_options(("dtype", "device", "revision"))
        if not spelling.argument:
            raise InputError(f"model {spelling.text!r}: name a directory or a hub model after hf:")
        for option, known, number in (("dtype", DTYPES, ""), ("device", DEVICES, r"(:\d+)?")):
            value = spelling.options.get(option)
            if value is not None and not re.fullmatch(f"({'|'.join(known)}){number}", value):
                raise InputError(
                    f"model {spelling.text!r}: {option}={value!r} is not one of {', '.join(known)}"
                )
        self._options = spelling.options
        self._argument = spelling.argument
        path = Path(self._argument)
        if not path.is_dir() and (path.is_absolute() or self._argument.startswith(".")):
            raise InputError("there is no such directory", file=self._argument)
        self.name = path.resolve().name if path.is_dir() else self._argument

    def _source(self) -> str:
        """Say where to load from: a directory or a hub name."""
        return self._argument

    @cached_property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override] # read only, and lazy
        """Raw completion always; chat where the tokenizer brings a template."""
        chat = bool(getattr(self._tokenizer, "chat_template", None))
        return frozenset({"raw", "chat"} if chat else {"raw"})

    @cached_property
    def _tokenizer(self) -> PreTrainedTokenizerBase:
        try:
            from transformers import AutoTokenizer
        except ImportError as error:
            raise missing_extra("local", error) from error
        source = self._source()
        with _loading(source, "tokenizer"):
            return AutoTokenizer.from_pretrained(
                source, revision=self._revision, trust_remote_code=False
            )

    @cached_property
    def _model(self) -> PreTrainedModel:
        try:
            import torch
            from transformers import AutoModelForCausalLM
        except ImportError as error:
            raise missing_extra("local", error) from error
        device = self._options.get("device") or best_device()
        name = self._options.get("dtype") or best_dtype(device)
        try:
            torch.empty(0, device=device)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).partition(". ")[0].strip()
            raise InputError(f"device={device!r} is not to be had here: {reason}") from error
        source = self._source()
        with _loading(source, "weights"):
            model, info = AutoModelForCausalLM.from_pretrained(
                source,
                revision=self._revision,
                dtype=getattr(torch, name),
                trust_remote_code=False,
                use_safetensors=True,
                # What is missing or has another shape would be filled with random numbers.
                ignore_mismatched_sizes=True,
                output_loading_info=True,
            )
            unfit = [*info["missing_keys"], *(key for key, *_ in info["mismatched_keys"])]
            if unfit:
                raise InputError(
                    f"model 'hf:{source}': its weights do not fit its config.json: {len(unfit)} "
                    f"are missing or have another shape, such as {min(unfit)}"
                )
            return model.to(device).eval()

    @property
    def _revision(self) -> str:
        return self._options.get("revision", "main")

    def fingerprint(self) -> Mapping[str, str]:
        """Name all that decides the answers: model, dtype, device, the versions at work."""
        import tokenizers
        import torch
        import transformers

        model = self._model
        return {
            "model": self.name,
            "architecture": type(model).__name__,
            "configuration": _digest_text(_configuration(model)),
            "weights": _digest(model),
            "tokenizer": _digest_text(_vocabulary(self._tokenizer)),
            "dtype": str(model.dtype).removeprefix("torch."),
            "device": model.device.type,
            "torch": torch.__version__,
            "transformers": transformers.__version__,
            "tokenizers": tokenizers.__version__,
        }

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Generate text for every item, off the event loop."""
        return await asyncio.to_thread(self._answer, items, seed)

    def _answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
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
        try:
            tokens = self._encode(item.request.prompt)
        except TemplateError as error:
            return Answer("error", reason=f"the chat template refuses the prompt: {error}")
        if not tokens:
            return Answer("error", reason="the prompt is empty")
        limit = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        if limit is not None and len(tokens) + sampling.max_tokens > limit:
            reason = (
                f"{len(tokens)} tokens of prompt and {sampling.max_tokens} to draw are more than "
                f"the {limit} that the model can hold"
            )
            return Answer("error", reason=reason)
        return Job(tokens, sampling, _stream(item, seed))

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


@contextmanager
def _loading(source: str, what: str) -> Iterator[None]:
    """Turn the many ways in which loading fails into one clear message."""
    import torch
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    except SlantError:
        raise
    except (MemoryError, torch.OutOfMemoryError) as error:
        raise SlantError(f"model 'hf:{source}' does not fit into memory") from error
    except Exception as error:
        first = (str(error).strip() or repr(error)).splitlines()[0]
        raise InputError(
            f"model 'hf:{source}': its {what} cannot be loaded: {first} (expected a directory "
            "with config.json, a tokenizer and *.safetensors, or the name of such a model on a "
            "hub that can be reached)"
        ) from error


def _digest(model: torch.nn.Module) -> str:
    """Hash every weight as it was loaded (BLAKE2b, 16 hexadecimal digits)."""
    import torch

    digest = hashlib.blake2b(digest_size=8)
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()


def _digest_text(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _configuration(model: PreTrainedModel) -> str:
    """Write down what besides the weights decides the answers, without where it was loaded from."""
    config, generation = model.config.to_dict(), model.generation_config
    config.pop("_name_or_path", None)
    return json.dumps([config, generation.eos_token_id], sort_keys=True, default=str)


def _vocabulary(tokenizer: PreTrainedTokenizerBase) -> str:
    """Write down how a tokenizer encodes text and chats."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    rules = json.loads(backend.to_str()) if backend else tokenizer.get_vocab()
    rules.pop("truncation", None)  # these two
    rules.pop("padding", None)  # change with every call
    return json.dumps([rules, tokenizer.chat_template, tokenizer.eos_token_id], sort_keys=True)


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


def _stream(item: Item, seed: int) -> int:
    """Derive the key of an item's own random stream from its id and the run's seed."""
    content = f"{seed}:{item.id}".encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=16).digest(), "little")
