"""The prefix tree of many token sequences, as flat arrays.

Short sentences made from templates share almost everything. Every distinct prefix is one node, and
a language model has to be run once a node, not once a token. The last token of a sequence is never
run: nothing follows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_NOTHING = -1


@dataclass(frozen=True, slots=True, eq=False)
class PrefixTree:
    """Token sequences without their last tokens, as a forest in preorder.

    A node's descendants are the nodes that follow it, up to `end`.

    Attributes
    ----------
    token, depth, parent, end
        Shape (nodes,): the token; how many tokens come before it; the node before it, -1 for a
        first token; the first node that is no descendant.
    path
        Shape (sequences, longest - 1): the nodes of each sequence; -1 beyond its end.
    length
        Shape (sequences,): number of tokens, the last included.
    edge_start
        Shape (nodes + 1,): the edges out of node i are edge_start[i] … edge_start[i + 1] - 1.
    edge_token
        Shape (edges,): the token that follows.
    inner_edge
        Shape (nodes,): the edge that leads to each node; -1 for a first token.
    final_edge
        Shape (sequences,): the edge that leads to each sequence's last token.
    """

    token: NDArray[np.int32]
    depth: NDArray[np.int32]
    parent: NDArray[np.int32]
    end: NDArray[np.int32]
    path: NDArray[np.int32]
    length: NDArray[np.int32]
    edge_start: NDArray[np.int64]
    edge_token: NDArray[np.int32]
    inner_edge: NDArray[np.int64]
    final_edge: NDArray[np.int64]

    @property
    def nodes(self) -> int:
        """Number of nodes, each of which a model runs once."""
        return len(self.token)


def build_tree(sequences: Sequence[Sequence[int]]) -> PrefixTree:
    """Build the prefix tree of token sequences.

    Parameters
    ----------
    sequences
        Token ids; at least one sequence, each of at least two tokens. Doubles share everything.

    Returns
    -------
    PrefixTree
        With `path`, `length` and `final_edge` in the order of the sequences.

    Raises
    ------
    ValueError
        There is no sequence, or one has fewer than two tokens.
    """
    length = np.fromiter(map(len, sequences), np.int32, len(sequences))
    if not len(length) or length.min() < 2:
        raise ValueError("a prefix tree needs sequences of at least two tokens")
    table = _table(sequences, length)
    order, same = _sorted(table)
    parts = length[order] - 1  # what is run: all but the last token

    # A sequence adds the nodes that its predecessor does not have, whose last token is none. No
    # earlier sequence can have them: it would stand between the two.
    columns = np.arange(table.shape[1] - 1, dtype=np.int32)
    inside = columns < parts[:, None]
    same[1:] = np.minimum(same[1:], parts[:-1])
    fresh = inside & (columns >= same[:, None])
    number = np.cumsum(fresh).reshape(fresh.shape).astype(np.int32) - 1
    # Below the shared prefix a sequence has its own nodes; above it, those of whoever made them.
    maker = np.where(fresh, np.arange(len(order), dtype=np.int32)[:, None], 0)
    maker = np.maximum.accumulate(maker, axis=0)
    path = np.where(inside, np.take_along_axis(number, maker, axis=0), _NOTHING).astype(np.int32)

    token = table[order][:, :-1][fresh]
    depth = np.broadcast_to(columns, fresh.shape)[fresh]
    before = np.concatenate([np.full((len(order), 1), _NOTHING, np.int32), path[:, :-1]], axis=1)
    parent = before[fresh]

    last_node = np.take_along_axis(path, parts[:, None] - 1, axis=1)[:, 0]
    last_token = np.take_along_axis(table[order], parts[:, None], axis=1)[:, 0]
    edge_node = np.concatenate([parent, last_node])
    edge_token = np.concatenate([token, last_token])
    edge_order = np.lexsort((edge_token, edge_node))
    edge_place = np.empty_like(edge_order)
    edge_place[edge_order] = np.arange(len(edge_order))
    roots = int((edge_node == _NOTHING).sum())  # first tokens: nothing predicts them
    edge_place -= roots
    edge_start = np.searchsorted(edge_node[edge_order][roots:], np.arange(len(token) + 1))

    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return PrefixTree(
        token=token,
        depth=depth,
        parent=parent,
        end=_ends(depth),
        path=path[back],
        length=length,
        edge_start=edge_start.astype(np.int64),
        edge_token=edge_token[edge_order][roots:],
        inner_edge=np.where(parent == _NOTHING, _NOTHING, edge_place[: len(token)]),
        final_edge=edge_place[len(token) :][back],
    )


def _table(sequences: Sequence[Sequence[int]], length: NDArray[np.int32]) -> NDArray[np.int32]:
    """Lay sequences out in rows, filled up with a token that sorts before all others."""
    table = np.full((len(length), length.max()), _NOTHING, dtype=np.int32)
    inside = np.arange(table.shape[1]) < length[:, None]
    flat = np.fromiter(
        (token for sequence in sequences for token in sequence), np.int32, int(length.sum())
    )
    table[inside] = flat
    return table


def _sorted(table: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Sort rows lexicographically; say how many leading tokens each shares with the one before."""
    order = np.lexsort(table.T[::-1])
    rows = table[order]
    differs = rows[1:] != rows[:-1]
    same = np.where(differs.any(axis=1), differs.argmax(axis=1), table.shape[1])
    return order, np.concatenate([[0], same]).astype(np.int32)


def _ends(depth: NDArray[np.int32]) -> NDArray[np.int32]:
    """Find for each node in preorder the next one that is not deeper."""
    end = np.full(len(depth), len(depth), dtype=np.int32)
    for level in range(int(depth.max()) + 1):
        # The next node of this level or above closes every open node of this level.
        closing = np.flatnonzero(depth <= level)
        own = depth[closing] == level
        following = np.append(closing[1:], len(depth))
        end[closing[own]] = following[own]
    return end
