"""Writing the open questions of a round as files of batch requests."""

from __future__ import annotations

import json
import os
from typing import IO, TYPE_CHECKING

from slant.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from slant.models.batch_form import BatchForm
    from slant.records import Item


class Outbox:
    """Files of requests: one, or several where one batch does not take them all.

    The files are seen once they are whole. Of a question that is asked twice, one request is
    written.

    Parameters
    ----------
    path
        The first file; further ones are numbered beside it.
    form
        How requests are written.
    seed
        Of the run.
    tag
        What the ids of the requests are to end with.

    Raises
    ------
    InputError
        The file is there already, or its folder is not.
    """

    def __init__(self, path: Path, form: BatchForm, seed: int, tag: str = ""):
        self._path, self._form, self._seed, self._tag = path, form, seed, tag
        self._written: set[str] = set()
        self._drafts: list[tuple[Path, Path]] = []
        self._file: IO[bytes] | None = None
        self._requests = self._bytes = 0
        check_new(path)

    def __len__(self) -> int:
        return len(self._written)

    def add(self, item: Item) -> None:
        """Write a question, unless it is written already.

        Raises
        ------
        InputError
            It cannot be asked in a batch.
        """
        if item.id in self._written:
            return
        request = self._form.write(item, self._seed)
        line = json.dumps({**request, "custom_id": item.id + self._tag}).encode()
        self._make_room(len(line) + len(self._form.between))
        assert self._file is not None  # noqa: S101 - for the type checker
        self._file.write(self._form.between.encode() * (self._requests > 0) + line)
        self._written.add(item.id)
        self._requests += 1
        self._bytes += len(line) + len(self._form.between)

    def finish(self) -> list[Path]:
        """Put the files where they are to be; say which they are."""
        self._end_file()
        for draft, path in self._drafts:
            draft.replace(path)
        files = [path for _, path in self._drafts]
        self._drafts.clear()
        return files

    def discard(self) -> None:
        """Leave nothing behind of files that were not finished."""
        if self._file is not None:
            self._file.close()
        for draft, _ in self._drafts:
            draft.unlink(missing_ok=True)

    def _make_room(self, size: int) -> None:
        full = (
            self._requests >= self._form.most_requests or self._bytes + size > self._form.most_bytes
        )
        if self._file is not None and not full:
            return
        self._end_file()
        number = len(self._drafts) + 1
        path = self._path
        if number > 1:
            path = path.with_name(f"{path.stem}-{number}{path.suffix}")
            check_new(path)
        draft = path.with_name(path.name + ".new")
        self._drafts.append((draft, path))
        self._file = draft.open("wb")
        self._file.write(self._form.begin.encode())
        self._requests, self._bytes = 0, len(self._form.begin) + len(self._form.end)

    def _end_file(self) -> None:
        if self._file is None:
            return
        self._file.write(self._form.end.encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._file = None


def check_new(path: Path) -> None:
    """See that a file can be written where nothing is yet.

    Raises
    ------
    InputError
        Something is there, or its folder is not.
    """
    if os.path.lexists(path):
        raise InputError("is there already: give --batch-out another name", file=path)
    if not path.parent.is_dir():
        raise InputError("there is no such folder: make it, or give --batch-out another one",
                         file=path.parent)  # fmt: skip
