"""What a list of names was made with and from: settings, versions, licences."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from slant.embeddings import MINILM, fetch_minilm
from slant.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

_PACKAGES = ("numpy", "scikit-learn", "torch", "transformers", "tokenizers")
_FAKER_PACKAGES = ("Faker", "anyascii")


def describe_making(
    table: Path | None,
    embedder: Path | None,
    served: str = "",
    *,
    per_group: int,
    clusters: int,
    seed: int,
) -> dict[str, Any]:
    """Describe how a list is made.

    Parameters
    ----------
    table
        The user's names; Faker's when `None`.
    embedder
        The directory of the user's encoder; all-MiniLM-L6-v2 when `None`.
    served
        What a server calls the embedder that took its place.
    per_group, clusters, seed
        As in `build_names`.

    Returns
    -------
    dict
        Tables `settings`, `sources`, `embedder` and `versions`. They name files, and no folder of
        this machine.
    """
    packages = (*_PACKAGES, *(() if table else _FAKER_PACKAGES))
    return {
        "settings": {"per_group": per_group, "clusters": clusters, "seed": seed},
        "sources": _sources(table),
        "embedder": _embedder(embedder, served),
        "versions": {
            "slant": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in packages},
        },
    }


def _embedder(embedder: Path | None, served: str) -> dict[str, str]:
    if served:
        return {"name": served, "license": "a server's: its weights are not to be seen"}
    return {
        "name": embedder.resolve().name if embedder else MINILM,
        "license": "not known" if embedder else "Apache-2.0",
        "weights_sha256": _sha256(embedder or fetch_minilm()),
    }


def _sources(table: Path | None) -> dict[str, str]:
    if table is not None:
        return {"names": table.name, "license": "that of the file"}
    return {
        "names": "the lists of Faker that slant/data/names/sources.toml names",
        "license": "MIT (Faker); ISC (anyascii); Apache-2.0 (tables written by hand, slant)",
    }


def _sha256(folder: Path) -> str:
    """Hash the weights; if they are in parts, as if they were one file."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
