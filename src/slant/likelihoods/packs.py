"""Cutting a prefix tree into packs of one size, each of which a model can run by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.likelihoods.tree import PrefixTree


@dataclass(frozen=True, slots=True, eq=False)
class Packs:
    """Contiguous ranges of a tree in preorder, each behind the ancestors of its first node.

    In preorder a range needs no other nodes from outside: whoever comes after its first node has
    its ancestors among that node's ancestors or in the range itself.

    Attributes
    ----------
    nodes
        Shape (packs, width): which nodes stand in each pack, ascending; -1 beyond its end.
    first
        Shape (packs,): where the range begins; what stands before are ancestors, run again.
    """

    nodes: NDArray[np.int32]
    first: NDArray[np.int32]

    @property
    def positions(self) -> int:
        """Number of positions that are run: nodes, and ancestors once more."""
        return int((self.nodes >= 0).sum())


def cut_packs(tree: PrefixTree, width: int) -> Packs:
    """Cut a tree into packs of at most `width` positions.

    Parameters
    ----------
    tree
        The tree.
    width
        Positions of a pack; raised to twice the depth of the tree if it is less, so that every
        pack makes headway.
    """
    deepest = int(tree.depth.max())
    width = max(width, 2 * (deepest + 1))
    rows, first = [], []
    start = 0
    while start < tree.nodes:
        above = _ancestors(tree, start)
        stop = min(start + width - len(above), tree.nodes)
        row = np.full(width, -1, dtype=np.int32)
        row[: len(above)] = above
        row[len(above) : len(above) + stop - start] = np.arange(start, stop)
        rows.append(row)
        first.append(len(above))
        start = stop
    return Packs(np.stack(rows), np.array(first, dtype=np.int32))


def visible(tree: PrefixTree, nodes: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Say which positions of packs each position may attend to: its ancestors and itself.

    Parameters
    ----------
    tree
        The tree.
    nodes
        Shape (packs, width), as in `Packs`.

    Returns
    -------
    numpy.ndarray
        Of shape (packs, width, width), query by key. Positions beyond the end of a pack attend
        to its first position, for softmax over nothing is not a number.
    """
    keys, queries = nodes[:, None, :], nodes[:, :, None]
    end = np.where(keys >= 0, tree.end[keys], -1)
    seen: NDArray[np.bool_] = (keys <= queries) & (queries < end) & (keys >= 0)
    seen[:, :, 0] |= nodes < 0
    return seen


def _ancestors(tree: PrefixTree, node: int) -> list[int]:
    above = []
    while (node := int(tree.parent[node])) >= 0:
        above.append(node)
    return above[::-1]
