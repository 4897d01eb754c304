"""Splitting a run over machines: each asks its own part of the items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from slant.errors import InputError

if TYPE_CHECKING:
    from slant.records import Item


class Part(Protocol):
    """Some of the questions: those that are answered here, and now."""

    def holds(self, item: Item) -> bool:
        """Say whether an item belongs to this part."""


@dataclass(frozen=True)
class Shard:
    """Part `index` of `count`, from 1: the items whose id is `index - 1` modulo `count`.

    Which items those are depends on the questions alone, so shards never overlap and any number
    of machines can work without talking to each other.
    """

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read `i/n`.

        Raises
        ------
        InputError
            It is not two whole numbers with 1 <= i <= n.
        """
        index, _, count = text.partition("/")
        if not (index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count)):
            raise InputError(f"shard {text!r}: write i/n with 1 <= i <= n, for example --shard 2/4")
        return cls(int(index), int(count))

    def holds(self, item: Item) -> bool:
        """Say whether an item belongs to this shard."""
        return int(item.id, 16) % self.count == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"
