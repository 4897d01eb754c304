"""Whether a run's files are as slant wrote them: `checksums.json` says so.

It names each file with its SHA-256, so that one that is lost or damaged is missed, and not left
out or read wrongly in silence. By itself it guards against accidents: whoever forges a run can
forge it too, unless it is signed (`slant verify` tells how). What people write beside a run, tags
and labels, is not in it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.regular_file import sha256
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = "checksums.json"

_ANSWERS = ("items.parquet", "answers.parquet")
JOURNAL = ("journal.sqlite", "journal.sqlite-count")
VERDICT_JOURNAL = ("verdicts.sqlite", "verdicts.sqlite-count")
"""What judges were asked, and said."""
STATED = ("run.toml", "environment.json", "status.json", "meanings.toml")
"""What says how a run was asked and is read."""

_ASKED = (*STATED, *JOURNAL, *VERDICT_JOURNAL)


def remember_conclusions(directory: Path) -> None:
    """Remember a directory's tables, its sections and its `findings.json` as they are now."""
    files = [*directory.glob("*.parquet"), *directory.glob("sections/*/*")]
    files = [path for path in sorted(files) if path.is_file()]
    # What was remembered before is how things were asked, and is not written by who concludes.
    kept = {name: digest for name, digest in _kept(directory).items() if name in _ASKED}
    _write(directory, kept, [*files, directory / "findings.json"])


def remember_files(directory: Path, names: Iterable[str]) -> None:
    """Remember files of a run directory as they are now; those that are not there are forgotten."""
    paths = [directory / name for name in names]
    gone = {path.relative_to(directory).as_posix() for path in paths if not path.is_file()}
    kept = {name: digest for name, digest in _kept(directory).items() if name not in gone}
    _write(directory, kept, [path for path in paths if path.is_file()])


def changed_files(directory: Path, names: Iterable[str] | None = None) -> list[str]:
    """Name the files that are not as slant wrote them, or are gone.

    Parameters
    ----------
    directory
        Of the run.
    names
        Only these; all that are remembered when not given.

    Raises
    ------
    InputError
        `checksums.json` is damaged.
    """
    known = _known(directory)
    wanted = known if names is None else [name for name in names if name in known]
    return [
        name
        for name in wanted
        if not (directory / name).is_file() or _digest(directory / name) != known[name]
    ]


def remembered(directory: Path) -> dict[str, str]:
    """Give the files that are remembered, each with its SHA-256.

    Raises
    ------
    InputError
        `checksums.json` is damaged.
    """
    return dict(_known(directory))


def sections_written(directory: Path) -> int:
    """Say how many sections there must be; 0 where an older slant remembered none."""
    return sum(name.endswith("/section.json") for name in _known(directory))


def check_file(directory: Path, path: Path) -> None:
    """Insist that a file is as it was written; one that is missing or not remembered is let pass.

    Raises
    ------
    InputError
        Its content has changed.
    """
    expected = _known(directory).get(path.relative_to(directory).as_posix())
    if path.is_dir():
        raise damaged(directory, path, "it is a folder")
    if expected is not None and path.exists() and _digest(path) != expected:
        raise damaged(directory, path, "it is not as slant wrote it")


def damaged(directory: Path, path: Path, why: str) -> InputError:
    """Build the error for a table or a conclusion that cannot be read, with what mends it."""
    mend = f"`slant rescore {directory}` writes it anew"
    if path.name in _ANSWERS and not (directory / "journal.sqlite").exists():
        mend = (
            "there is no journal to rebuild it from: put back a copy of it, or measure or ask again"
        )
    return InputError(f"is damaged ({why}): {mend}", file=path)


def _write(directory: Path, kept: dict[str, str], files: Iterable[Path]) -> None:
    now = {path.relative_to(directory).as_posix(): _digest(path) for path in files}
    write_whole(directory / NAME, json.dumps(kept | now, indent=1) + "\n")


def _kept(directory: Path) -> dict[str, str]:
    try:
        return _known(directory)
    except InputError:
        return {}


def _known(directory: Path) -> dict[str, str]:
    path = directory / NAME
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(directory, path, f"{type(error).__name__}: {error}") from error
    if not isinstance(content, dict):
        raise damaged(directory, path, "it holds no object")
    if any(PurePosixPath(name).is_absolute() or ".." in name.split("/") for name in content):
        raise damaged(directory, path, "it names files outside the run")
    return content


def _digest(path: Path) -> str:
    state = path.stat()
    return _digest_of(path, (state.st_mtime_ns, state.st_size, state.st_ino))


@lru_cache(maxsize=4096)
def _digest_of(path: Path, _state: tuple[int, int, int]) -> str:
    """Hash a file, once for every state of it: a table of a million answers takes a second."""
    return sha256(path)
