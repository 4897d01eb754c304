"""Where the nodes of a graph stand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.distance import pdist, squareform

from cpu_time import cpu_seconds
from slant.knowledge_graph.layout import layout


def random_graph(subjects: int, objects: int, triples: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    chosen = subjects + (objects * rng.random(triples) ** 1.3).astype(int)
    edges = np.column_stack([np.arange(triples) % subjects, chosen])
    return np.arange(subjects + objects) < subjects, edges


LARGE = [(27, 400, 540), (27, 1500, 2000), (27, 300, 2000), (2000, 500, 2000), (100, 1000, 2000)]


@pytest.mark.slow
@pytest.mark.parametrize(("subjects", "objects", "triples"), LARGE)
def test_two_thousand_triples_are_laid_out_at_once(
    subjects: int, objects: int, triples: int
) -> None:
    subject, edges = random_graph(subjects, objects, triples)
    assert cpu_seconds(lambda: layout(subject, edges)) < 3


@pytest.mark.parametrize(("subjects", "objects", "triples"), LARGE)
def test_two_thousand_triples_are_always_laid_out_the_same(
    subjects: int, objects: int, triples: int
) -> None:
    subject, edges = random_graph(subjects, objects, triples)
    places = layout(subject, edges)
    assert np.isfinite(places).all()
    np.testing.assert_array_equal(places, layout(subject, edges))


def test_subjects_do_not_overlap_and_own_objects_stand_around_them() -> None:
    subject, edges = random_graph(27, 1500, 600)
    places = layout(subject, edges)
    near = pdist(places[subject])
    assert near.min() > 3.5
    owners = {o: set(edges[edges[:, 1] == o, 0]) for o in np.unique(edges[:, 1])}
    alone = {o: next(iter(s)) for o, s in owners.items() if len(s) == 1}
    assert len(alone) > 100
    tree = cKDTree(places[subject])
    for o, s in alone.items():
        assert tree.query(places[o])[1] == s
    shared = [o for o, s in owners.items() if len(s) > 1]
    apart = squareform(pdist(places[shared])) + np.diag(np.full(len(shared), np.inf))
    assert np.median(apart.min(axis=1)) > 0.7


def test_subjects_that_share_objects_are_close() -> None:
    pairs = [(0, 6), (1, 6), (0, 7), (1, 7), (2, 8), (3, 8), (2, 9), (3, 9), (4, 10), (5, 10)]
    subject = np.arange(11) < 6
    places = layout(subject, np.array(pairs))
    apart = np.linalg.norm(places[:6, None] - places[None, :6], axis=2)
    together = [apart[0, 1], apart[2, 3]]
    assert max(together) < np.median(apart[np.triu_indices(6, 1)])


def test_objects_stand_clockwise_in_the_order_of_their_value() -> None:
    edges = np.array([(0, n) for n in range(1, 21)])
    value = np.r_[np.nan, np.linspace(1, -1, 20)]
    value[5] = np.nan
    places = layout(np.arange(21) < 1, edges, value)
    offset = places[1:] - places[0]
    angle = np.arctan2(offset[:, 0], -offset[:, 1]) % (2 * np.pi)
    order = np.argsort(angle) + 1
    assert list(order) == [*range(20, 5, -1), *range(4, 0, -1), 5]


def test_odd_graphs_are_laid_out_too() -> None:
    assert layout(np.zeros(0, dtype=bool), np.zeros((0, 2), dtype=int)).shape == (0, 2)
    itself = layout(np.array([True]), np.array([[0, 0]]))
    np.testing.assert_allclose(itself, 0)
    each_other = layout(np.array([True, True]), np.array([[0, 1], [1, 0]]))
    assert np.linalg.norm(each_other[0] - each_other[1]) > 2
