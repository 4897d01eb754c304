"""Embeddings from OpenAI, or from any server that speaks its API."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError, SlantError
from slant.models.model_spec import parse_model_spec
from slant.models.openai_compatible.address import read_address
from slant.models.remote.connection import Connection
from slant.records import Answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SCHEMES = ("openai:", "http://", "https://")
"""How the spelling of an embedder begins that a server has; any other is a directory."""

_AT_ONCE = 512
"""Texts of one request; OpenAI takes 2,048."""
_TIMEOUT, _RETRIES = 120.0, 5


class ServedEmbedder:
    """Turns texts into vectors of length 1 by asking a server for them.

    Parameters
    ----------
    spelling
        `openai:text-embedding-3-large`, or `http://HOST:PORT/v1#NAME`, as after `--model`.

    Attributes
    ----------
    name
        Of the embedder, as the server calls it.

    Raises
    ------
    InputError
        The spelling names no server or no model, or the key is missing.
    """

    def __init__(self, spelling: str):
        spec = parse_model_spec(spelling)
        spec.check_options([])
        self._address = read_address(spec)
        self.name = self._address.name
        if not self.name:
            raise InputError(f"embedder {spelling!r} names no model: write {spelling}#NAME")

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give a row for each text, in order.

        Raises
        ------
        SlantError
            The server cannot be reached, or gives no vectors that can be used.
        """
        vectors = np.asarray(asyncio.run(self._ask(texts)), np.float32)
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
        if not (np.isfinite(lengths).all() and (lengths > 0).all()):
            raise SlantError(f"{self.name} gave vectors without a direction")
        unit: NDArray[np.float32] = vectors / lengths
        return unit

    async def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        connection = Connection(self._address, _TIMEOUT, _RETRIES, concurrency=1)
        try:
            found: list[list[float]] = []
            for start in range(0, len(texts), _AT_ONCE):
                some = list(texts[start : start + _AT_ONCE])
                reply = await connection.ask("/embeddings", {"model": self.name, "input": some})
                found += self._rows(reply, len(some))
            return found
        finally:
            await connection.close()

    def _rows(self, reply: dict[str, Any] | Answer, wanted: int) -> list[list[float]]:
        if isinstance(reply, Answer):
            raise SlantError(f"{self.name} embeds nothing: {reply.reason}")
        try:
            rows = {int(each["index"]): list(map(float, each["embedding"]))
                    for each in reply["data"]}  # fmt: skip
            found = [rows[place] for place in range(wanted)]
        except (KeyError, TypeError, ValueError) as error:
            raise SlantError(f"{self.name}: the reply holds no embedding of every text") from error
        if len({len(row) for row in found}) != 1:
            raise SlantError(f"{self.name} gave vectors of several lengths")
        return found
