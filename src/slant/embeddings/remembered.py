"""Vectors of texts that come again: each is made once, and kept on disk."""

from __future__ import annotations

import hashlib
import os
import tempfile
import weakref
from threading import Lock
from typing import IO, TYPE_CHECKING

import numpy as np

from slant.embeddings.encoder import embed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST = 1_000_000
"""Texts whose vectors are kept: 1.5 GB of a file without a name, and 0.2 GB of memory."""


class Remembered:
    """Embeds texts by the default encoder; those that it has seen are looked up.

    Vectors lie in a temporary file that goes with the process; memory holds where. Of more than
    `MOST` texts all are forgotten, and made anew when they come again.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget all, in a fork too: it would write at the same places of the same file."""
        self._lock = Lock()
        self._forget()

    def _forget(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None
        self._place: dict[bytes, int] = {}

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give what `embed` gives of at least one text."""
        keys = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text in texts]
        with self._lock:
            if len(self._place) + len(texts) > MOST:
                self._forget()
            new = {key: text for key, text in zip(keys, texts, strict=True)
                   if key not in self._place}  # fmt: skip
            made = embed(list(new.values())) if new else np.empty((0, 0), np.float32)
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it stays open
                weakref.finalize(self, self._file.close)
                self._width = made.shape[1]
            self._file.seek(0, os.SEEK_END)
            self._file.write(made.tobytes())
            begin = len(self._place)
            self._place.update(zip(new, range(begin, begin + len(new)), strict=True))
            vectors = np.empty((len(texts), self._width), np.float32)
            row = vectors.itemsize * self._width
            for vector, key in zip(vectors, keys, strict=True):
                self._file.seek(self._place[key] * row)
                vector[:] = np.frombuffer(self._file.read(row), np.float32)
        return vectors


embed_once = Remembered()
"""What this process has embedded."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=embed_once.begin_anew)
