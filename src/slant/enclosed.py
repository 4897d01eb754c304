"""Whether a run directory keeps to itself: it may come from anybody."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from slant.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def check_enclosed(directory: Path) -> None:
    """Insist that a directory holds plain files and folders, and nothing else.

    A link would have slant show, or overwrite, a file that is no part of the run; a pipe or a
    device would have it wait for ever.

    Raises
    ------
    InputError
        Something is a link, or neither a file nor a folder.
    """
    folders = [str(directory)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                        _refuse(entry)
        except OSError:
            continue  # whoever reads what cannot be read says so, and files may vanish meanwhile


def _refuse(entry: os.DirEntry[str]) -> None:
    if entry.is_symlink():
        raise InputError(
            f"this is a link, to {os.path.realpath(entry.path)}, and slant follows none out of a "
            "run directory: put a copy of what you need in its place, or remove it",
            file=entry.path,
        )
    raise InputError(
        "this is neither a file nor a folder, and no part of a run: remove it", file=entry.path
    )
