"""Random numbers that depend on names alone: the same names always give the same numbers.

Hash digests are used rather than a generator, since making a generator for every question takes
longer than answering it.
"""

from __future__ import annotations

import struct
from hashlib import blake2b
from statistics import NormalDist

_STANDARD = NormalDist()
_EIGHT = struct.Struct("<8Q")


class Draws:
    """An endless stream of independent random numbers.

    Parameters
    ----------
    seed
        The seed of the run.
    names
        What the numbers belong to; streams of different names are independent.
    """

    __slots__ = ("_key", "_left", "_round")

    def __init__(self, seed: int, *names: str):
        self._key = "\n".join((str(seed), *names)).encode("utf-8", "surrogatepass")
        self._left: list[int] = []
        self._round = 0

    def uniform(self) -> float:
        """Draw a number strictly between 0 and 1, all equally likely (53 bits)."""
        if not self._left:
            digest = blake2b(self._key, salt=self._round.to_bytes(16, "little")).digest()
            self._left.extend(_EIGHT.unpack(digest))
            self._round += 1
        return ((self._left.pop() >> 12) + 0.5) / 4503599627370496.0

    def normal(self) -> float:
        """Draw from the normal distribution with mean 0 and standard deviation 1."""
        return _STANDARD.inv_cdf(self.uniform())
