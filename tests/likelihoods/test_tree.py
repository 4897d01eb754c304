from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.likelihoods.packs import cut_packs, visible
from slant.likelihoods.tree import PrefixTree, build_tree

SEQUENCES = st.lists(
    st.lists(st.integers(0, 2), min_size=2, max_size=6), min_size=1, max_size=25
)  # few tokens, so that much is shared, and some are prefixes or doubles of others


def prefixes(tree: PrefixTree) -> list[tuple[int, ...]]:
    """Spell every node out from the root."""
    spelt: list[tuple[int, ...]] = []
    for token, parent in zip(tree.token.tolist(), tree.parent.tolist(), strict=True):
        spelt.append((*(spelt[parent] if parent >= 0 else ()), token))
    return spelt


@given(SEQUENCES)
def test_every_distinct_prefix_is_one_node(sequences: list[list[int]]) -> None:
    tree = build_tree(sequences)
    spelt = prefixes(tree)
    wanted = {tuple(s[:stop]) for s in sequences for stop in range(1, len(s))}
    assert len(spelt) == tree.nodes == len(wanted)
    assert set(spelt) == wanted
    assert tree.depth.tolist() == [len(prefix) - 1 for prefix in spelt]


@given(SEQUENCES)
def test_descendants_are_the_nodes_up_to_the_end(sequences: list[list[int]]) -> None:
    tree = build_tree(sequences)
    spelt = prefixes(tree)
    for node, prefix in enumerate(spelt):
        below = [n for n, other in enumerate(spelt) if other[: len(prefix)] == prefix]
        assert below == list(range(node, tree.end[node]))


@given(SEQUENCES)
def test_paths_and_edges_spell_the_sequences_in_their_order(sequences: list[list[int]]) -> None:
    tree = build_tree(sequences)
    spelt = prefixes(tree)
    for row, sequence in enumerate(sequences):
        path = [node for node in tree.path[row].tolist() if node >= 0]
        assert [spelt[node] for node in path] == [
            tuple(sequence[:stop]) for stop in range(1, len(sequence))
        ]
        edges = [*tree.inner_edge[path[1:]].tolist(), int(tree.final_edge[row])]
        assert tree.edge_token[edges].tolist() == sequence[1:]
        for node, edge in zip(path, edges, strict=True):
            assert tree.edge_start[node] <= edge < tree.edge_start[node + 1]


@given(SEQUENCES, st.integers(1, 20))
def test_packs_hold_every_node_once_and_show_each_its_ancestors(
    sequences: list[list[int]], width: int
) -> None:
    tree = build_tree(sequences)
    packs = cut_packs(tree, width)
    own = [
        node
        for row, first in zip(packs.nodes.tolist(), packs.first.tolist(), strict=True)
        for node in row[first:]
        if node >= 0
    ]
    assert own == list(range(tree.nodes))
    assert packs.nodes.shape[1] >= width
    seen = visible(tree, packs.nodes)
    assert seen.any(axis=-1).all()  # softmax over nothing is not a number
    for row, nodes in enumerate(packs.nodes.tolist()):
        for query, node in enumerate(nodes):
            if node >= 0:
                attended = {nodes[key] for key in np.flatnonzero(seen[row, query])}
                assert attended == ancestry(tree, node)


def ancestry(tree: PrefixTree, node: int) -> set[int]:
    found = set()
    while node >= 0:
        found.add(node)
        node = int(tree.parent[node])
    return found


@pytest.mark.parametrize("sequences", [[], [[1]], [[1, 2], [3]], [[1, 2], []]])
def test_sequences_too_short_to_score_are_refused(sequences: Sequence[Sequence[int]]) -> None:
    with pytest.raises(ValueError, match="at least two tokens"):
        build_tree(sequences)


def test_a_grid_needs_a_fraction_of_its_tokens() -> None:
    # 20 names × 50 descriptors of 3 tokens in one template: shared but for the descriptors.
    grid = [[0, 1, 100 + n, 2, 3, 200 + d, 300 + d, 4] for n in range(20) for d in range(50)]
    tree = build_tree(grid)
    assert tree.nodes == 2 + 20 * (3 + 50 * 2)
    assert sum(map(len, grid)) / tree.nodes > 3.8
    assert cut_packs(tree, 128).positions < 1.1 * tree.nodes
