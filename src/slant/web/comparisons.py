"""Comparisons that were asked for: computed once, beside the requests, and kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from slant.comparison.compare import compare
from slant.comparison.several import several_view
from slant.comparison.view import comparison_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.comparison.side import Side
    from slant.comparison.view import ComparisonView
    from slant.reports.model_view import ModelsView

    _Views: TypeAlias = tuple[list[ComparisonView], ModelsView | None]

_KEPT = 6
_PATIENCE = 0.2
"""Seconds that a request waits."""

_FILES = ("findings.json", "answers.parquet", "scores.parquet")


class Comparisons:
    """Compares sides, one comparison at a time: each may read two tables of a million answers."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="compare")
        self._known: OrderedDict[object, Future[_Views]] = OrderedDict()
        self._lock = Lock()

    def views(self, pairs: Sequence[tuple[Side, Side]]) -> _Views | None:
        """Give comparisons in writing, and all sides beside each other.

        `None` while they are being computed.

        Parameters
        ----------
        pairs
            The sides of each comparison.

        Raises
        ------
        InputError
            A table of a run cannot be read.
        """
        key = tuple((_state(base), _state(other)) for base, other in pairs)
        with self._lock:
            known = self._known.pop(key, None) or self._worker.submit(_views, pairs)
            self._known[key] = known
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)[1].cancel()
        try:
            return known.result(_PATIENCE)
        except NotYet:
            return None
        except Exception:
            with self._lock:  # the next request tries again
                self._known.pop(key, None)
            raise


def _state(side: Side) -> tuple[object, ...]:
    """Know a side by what its files are now."""
    files = [side.run.path(name) for name in _FILES]
    seen = tuple((f.stat().st_mtime_ns, f.stat().st_size) for f in files if f.exists())
    return side.run.directory, side.model, seen


def _views(pairs: Sequence[tuple[Side, Side]]) -> _Views:
    found = [compare(*pair) for pair in pairs]
    views = [comparison_view(each, number) for number, each in enumerate(found, start=1)]
    return views, several_view(found)
