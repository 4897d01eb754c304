"""Examining the machine: what slant can do on it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from slant.models.embedded_files import embedded_folder

_EXTRAS = {
    "local": ("torch", "transformers", "gguf", "accelerate", "psutil"),
    "text": ("spacy",),
    "scorers": ("textblob", "vaderSentiment", "profanity_check"),
    "inspect": ("zstandard",),
    "names": ("faker", "anyascii"),
    "topics": ("gensim", "bertopic"),
    "pictures": ("PIL",),
    "pdf": ("pypdf", "reportlab"),
    "prices": ("genai_prices",),
    "ray": ("ray",),
    "inspect-ai": ("inspect_ai",),
    "web": ("starlette", "uvicorn"),
}
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SLANT_API_KEY")
_ROOM = 2.0


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    what, found
        What was looked at and what was found.
    well
        Whether it is as it should be.
    remedy
        What to do if not.
    needed
        Whether slant cannot work without it.
    """

    what: str
    found: str
    well: bool
    remedy: str = ""
    needed: bool = False


def examine() -> list[Check]:
    """Look at Python, the extras, the processor, the embedded model, the cache, room and keys.

    Keys are only ever said to be set or not.
    """
    return [
        Check(
            "Python",
            ".".join(map(str, sys.version_info[:3])),
            sys.version_info >= (3, 11),
            "install Python 3.11 or newer",
            needed=True,
        ),
        *(_extra(name, modules) for name, modules in _EXTRAS.items()),
        *_processor(),
        _embedded(),
        _cache(),
        _disk(),
        *(_key(name) for name in _KEYS),
    ]


def _extra(name: str, modules: tuple[str, ...]) -> Check:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    found = "installed" if not missing else f"not installed: {', '.join(missing)}"
    return Check(f"extra {name}", found, not missing, f"pip install 'slant[{name}]'")


def _processor() -> list[Check]:
    if importlib.util.find_spec("torch") is None:
        return []
    from slant.models.placement import best_device, best_dtype

    device = best_device()
    dtype = best_dtype(device)
    return [
        Check("local models run on", f"{device}, in {dtype}, {os.cpu_count()} cores", well=True)
    ]


def _embedded() -> Check:
    there = (embedded_folder() / "config.json").exists()
    found = "in the cache" if there else "not fetched yet"
    return Check("embedded model", found, there, "slant fetch embedded (93 MB, once)")


def _cache() -> Check:
    folder = platformdirs.user_cache_path("slant")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Check("cache", f"{folder} can be written", well=True)
    except OSError as error:
        found = f"{folder} cannot be written: {error.strerror}"
        return Check("cache", found, well=False, remedy="set XDG_CACHE_HOME to a writable folder")


def _disk() -> Check:
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    return Check("room here", f"{free:.1f} GB free", free > _ROOM, f"make {_ROOM:.0f} GB of room")


def _key(name: str) -> Check:
    is_set = bool(os.environ.get(name))
    found = "set" if is_set else "not set"
    return Check(name, found, is_set, "needed only for models behind that service")
