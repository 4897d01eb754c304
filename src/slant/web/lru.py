"""The last few things of a kind that take a moment to make."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

T = TypeVar("T")

_KEPT = 6


class LeastRecentlyUsed:
    """Keeps what was asked for last, so that turning a page does not begin anew."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """Give what was made for a key, or make it.

        Parameters
        ----------
        key
            What it is.
        make
            Makes it; two readers at once may both have to.
        """
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                value: T = self._known[key]
                return value
        made = make()
        with self._lock:
            self._known[key] = made
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return made
