"""Any causal language model that transformers can load: a directory or a hub name."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError, SlantError, missing_extra
from slant.models.model import Model
from slant.models.placement import best_device, best_dtype
from slant.records import Answer, Generate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

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
        for option, known in (("dtype", DTYPES), ("device", DEVICES)):
            value = spelling.options.get(option)
            if value is not None and value.partition(":")[0] not in known:
                raise InputError(
                    f"model {spelling.text!r}: {option}={value!r} is not one of {', '.join(known)}"
                )
        self._options = spelling.options
        self._argument = spelling.argument
        path = Path(self._argument)
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
        source = self._source()
        with _loading(source, "weights"):
            model = AutoModelForCausalLM.from_pretrained(
                source,
                revision=self._revision,
                dtype=getattr(torch, name),
                trust_remote_code=False,
                use_safetensors=True,
            )
            return model.to(device).eval()

    @property
    def _revision(self) -> str:
        return self._options.get("revision", "main")

    def fingerprint(self) -> Mapping[str, str]:
        """Name weights, tokenizer, dtype, device and the versions that compute with them."""
        import tokenizers
        import torch
        import transformers

        model = self._model
        return {
            "model": self.name,
            "architecture": type(model).__name__,
            "weights": _digest(model),
            "vocabulary": str(len(self._tokenizer)),
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
        from slant.models.decoding import Job, decode

        jobs = []
        for item in items:
            assert isinstance(item.request, Generate)  # noqa: S101 - abilities were checked
            tokens = self._encode(item.request.prompt)
            jobs.append(Job(tokens, item.request.sampling, _stream(item, seed)))
        texts = decode(self._model, self._tokenizer, jobs)
        return [
            Answer(
                "answered",
                text=done.text,
                prompt_tokens=len(job.prompt),
                completion_tokens=done.tokens,
                finish_reason=done.finish_reason,
            )
            for job, done in zip(jobs, texts, strict=True)
        ]

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
    from safetensors import SafetensorError
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        first = (str(error).strip() or repr(error)).splitlines()[0]
        raise InputError(
            f"model 'hf:{source}': its {what} cannot be loaded: {first} (expected a directory "
            "with config.json, a tokenizer and *.safetensors, or the name of such a model on a "
            "hub that can be reached)"
        ) from error
    except MemoryError as error:
        raise SlantError(f"model 'hf:{source}' does not fit into memory") from error


def _digest(model: torch.nn.Module) -> str:
    """Hash every weight as it was loaded (BLAKE2b, 16 hexadecimal digits)."""
    import torch

    digest = hashlib.blake2b(digest_size=8)
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name}{tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()


def _stream(item: Item, seed: int) -> int:
    """Derive the key of an item's own random stream from its id and the run's seed."""
    content = f"{seed}:{item.id}".encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=16).digest(), "little")
