"""What a run ran on: `environment.json`."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from slant.studies.checksums import remember_files
from slant.version import __version__
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.engine.run import Run

_PACKAGES = (
    "numpy", "scipy", "polars", "scikit-learn", "pydantic", "openai", "torch", "transformers",
    "tokenizers",
)  # fmt: skip


MEANWHILE = ("remarks", "effective")
"""What of a model's description turned out while it answered; the rest says what it is."""


def describe_machine() -> dict[str, Any]:
    """Describe the machine and the versions of what slant stands on.

    Holds nothing that names the user or the machine.
    """
    packages = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "slant": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "packages": packages,
    }


def short_hash(fingerprint: Mapping[str, str]) -> str:
    """Shorten a model's fingerprint to eight hexadecimal digits, for signatures."""
    content = json.dumps(dict(fingerprint), sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()[:8]


def difference(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Say in words how two fingerprints differ."""
    changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return "; ".join(f"{name} was {before.get(name)}, is {now.get(name)}" for name in changed)


def write_environment(run: Run, models: Mapping[str, Mapping[str, Any]]) -> None:
    """Write `environment.json`: the machine, and what each model can do and exactly is."""
    content = {**describe_machine(), "models": models}
    write_whole(run.path("environment.json"), json.dumps(content, indent=1) + "\n")
    remember_files(run.directory, ["environment.json"])
