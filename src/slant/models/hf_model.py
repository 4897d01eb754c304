"""What all models of transformers share: a spelling, a tokenizer, weights, a fingerprint."""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from slant.errors import InputError, SlantError, missing_extra
from slant.models.model import Model
from slant.models.placement import best_device

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from slant.models.model_spec import ModelSpec

DTYPES = ("bfloat16", "float16", "float32")
DEVICES = ("cpu", "cuda", "mps", "auto")
"""`auto` spreads the layers of a model over all accelerators."""


class HFModel(Model):
    """A model of transformers on this machine: a directory or a hub name.

    Weights are read from safetensors only, and no code that comes with a model is ever run.

    Attributes
    ----------
    options
        Options of the spelling, each with the values that it may have; `None` for any.
    """

    options: ClassVar[Mapping[str, tuple[str, ...] | None]]

    def __init__(self, spelling: ModelSpec):
        known: dict[str, tuple[str, ...] | None] = {
            **self.options, "device": DEVICES, "revision": None
        }  # fmt: skip
        spelling.check_options(known)
        if not spelling.argument:
            raise InputError(
                f"model {spelling.text!r}: name a directory or a hub model after {spelling.scheme}:"
            )
        for option, value in spelling.options.items():
            choices = known[option]
            number = r"(:\d+)?" if option == "device" and value != "auto" else ""
            if choices and not re.fullmatch(f"({'|'.join(choices)}){number}", value):
                raise InputError(
                    f"model {spelling.text!r}: {option}={value!r} is not one of "
                    f"{', '.join(choices)}"
                )
        self._spelling = spelling
        self._options = spelling.options
        self._scheme, self._argument = spelling.scheme, spelling.argument
        path = Path(self._argument)
        if not path.is_dir() and (path.is_absolute() or self._argument.startswith(".")):
            raise InputError("there is no such directory", file=self._argument)
        self.name = path.resolve().name if path.is_dir() else self._argument

    def _source(self) -> str:
        """Say where to load from: a directory or a hub name."""
        return self._argument

    @property
    def _revision(self) -> str:
        return self._options.get("revision", "main")

    @property
    def _device(self) -> str:
        given = self._options.get("device")
        return best_device() if given is None or given == "auto" else given

    @property
    def _spread(self) -> bool:
        return self._options.get("device") == "auto"

    @cached_property
    def _tokenizer(self) -> PreTrainedTokenizerBase:
        try:
            from transformers import AutoTokenizer
        except ImportError as error:
            raise missing_extra("local", error) from error
        source = self._source()
        with self._loading("tokenizer"):
            return AutoTokenizer.from_pretrained(
                source, revision=self._revision, trust_remote_code=False
            )

    def _again(self, **options: str) -> Self:
        """Open the same model with some options otherwise."""
        return type(self)(self._spelling.with_options({**self._options, **options}))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of texts; loads the tokenizer."""
        return [len(each) for each in self._tokenizer(list(texts))["input_ids"]]

    def _load(self, auto_class: str, dtype: str) -> PreTrainedModel:
        """Load the weights as one of transformers' `AutoModelFor…` classes."""
        try:
            import torch
            import transformers
        except ImportError as error:
            raise missing_extra("local", error) from error
        device, spread = self._device, self._spread
        try:
            torch.empty(0, device=device)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).partition(". ")[0].strip()
            raise InputError(f"device={device!r} is not to be had here: {reason}") from error
        with self._loading("weights"):
            model, info = getattr(transformers, auto_class).from_pretrained(
                self._source(),
                revision=self._revision,
                dtype=getattr(torch, dtype),
                trust_remote_code=False,
                use_safetensors=True,
                **({"device_map": "auto"} if spread else {}),
                # What is missing or has another shape would be filled with random numbers.
                ignore_mismatched_sizes=True,
                output_loading_info=True,
            )
            unfit = [*info["missing_keys"], *(key for key, *_ in info["mismatched_keys"])]
            if unfit:
                raise InputError(
                    f"model '{self._scheme}:{self._source()}': its weights do not fit its "
                    f"config.json: {len(unfit)} are missing or have another shape, such as "
                    f"{min(unfit)}"
                )
            if any(each.is_meta for each in model.parameters()):
                raise SlantError(
                    f"model '{self._scheme}:{self._source()}' does not fit onto the accelerators "
                    "here, not even spread over all of them"
                )
            loaded: PreTrainedModel = (model if spread else model.to(device)).eval()
            return loaded

    def _identity(self, model: PreTrainedModel) -> dict[str, str]:
        """Name all that decides the answers: model, dtype, device, the versions at work."""
        import tokenizers
        import torch
        import transformers

        rows = self._token_rows(model)
        if (size := max(self._tokenizer.get_vocab().values()) + 1) > rows:
            raise InputError(
                f"model '{self._scheme}:{self._source()}': its tokenizer does not match its "
                f"weights: it has tokens up to number {size - 1:,}, the weights {rows:,} in all"
            )
        return {
            "model": self.name,
            "architecture": type(model).__name__,
            "configuration": _digest_text(_configuration(model)),
            "weights": _digest(model),
            "tokenizer": _digest_text(_vocabulary(self._tokenizer)),
            "dtype": str(model.dtype).removeprefix("torch."),
            "device": model.device.type,
            "torch": str(
                torch.__version__
            ),  # a class of torch's own, which pickles by importing it
            "transformers": transformers.__version__,
            "tokenizers": tokenizers.__version__,
        }

    def _token_rows(self, model: PreTrainedModel) -> int:
        """Count the tokens that the weights have a row for."""
        return int(model.get_input_embeddings().num_embeddings)

    @contextmanager
    def _loading(self, what: str) -> Iterator[None]:
        """Turn the many ways in which loading fails into one clear message."""
        import torch
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        named = f"model '{self._scheme}:{self._source()}'"
        try:
            yield
        except SlantError:
            raise
        except (MemoryError, torch.OutOfMemoryError) as error:
            raise SlantError(f"{named} does not fit into memory") from error
        except Exception as error:
            first = (str(error).strip() or repr(error)).splitlines()[0]
            raise InputError(
                f"{named}: its {what} cannot be loaded: {first} (expected a directory with "
                "config.json, a tokenizer and *.safetensors, or the name of such a model on a hub "
                "that can be reached)"
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
