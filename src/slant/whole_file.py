"""Files that are never seen half-written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is never seen half-written, not after a power cut either."""
    draft_of(path, text).replace(path)


def draft_of(path: Path, text: str) -> Path:
    """Write what is to replace a file, beside it; when this returns, it is on disk."""
    draft = path.with_name(path.name + ".new")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return draft
