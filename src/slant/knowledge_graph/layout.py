"""Where the nodes of a graph stand: subjects apart, what only they are said to be around them.

Most objects belong to one subject. They need no forces: they stand around it in the even spiral
of a sunflower (Vogel, 1979), clockwise in the order of a value, so that each subject looks like a
pie. Forces place the rest: subjects by stress majorisation (Gansner, Koren & North, 2004), closer
the more objects they share; shared objects by springs between their subjects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"

_GOLDEN = np.pi * (3 - np.sqrt(5))
_CORE = 2.0
"""Room for a subject itself: radius in units, of which neighbouring objects are about one apart."""
_LEAF = 1.5
"""Area around each object."""
_APART = 1.5
"""Least distance between shared objects."""
_LANDSCAPE = 1.2
_STRESS_UP_TO = 400
"""Subjects beyond this stand in a spiral: the stress of all pairs would take too long."""
_ROUNDS = 60


@dataclass(frozen=True)
class _Parts:
    """Which nodes are placed how.

    Attributes
    ----------
    hubs, shared
        Places of the subjects, and of the objects of several.
    home
        For every node, the hub it stands around, as a place among `hubs`; -1 if it does not.
    links
        (m, 2) places among `hubs` and `shared`, one row a pair that is joined.
    """

    hubs: Ints
    shared: Ints
    home: Ints
    links: Ints


def layout(
    subject: NDArray[np.bool_], edges: Ints, value: Floats | None = None, *, seed: int = 0
) -> Floats:
    """Place the nodes of a graph in the plane; the same graph and seed give the same places.

    Parameters
    ----------
    subject
        (n,) whether each node is a subject.
    edges
        (m, 2) nodes that are joined, the first of them a subject.
    value
        (n,) order of the objects around their subject, clockwise from the top, lowest first; NaN
        comes last. In the order of the nodes when left out.
    seed
        Of the small disorder that tells equal subjects apart.

    Returns
    -------
    numpy.ndarray
        (n, 2) places, y downwards, centred on 0; neighbouring objects are about one apart.
    """
    rng = np.random.default_rng(seed)
    subject = np.asarray(subject, dtype=bool)
    places = np.zeros((subject.size, 2))
    if not subject.any():
        return places
    parts = _parts(subject, np.asarray(edges, dtype=np.int64).reshape(-1, 2))
    count = np.bincount(parts.home[parts.home >= 0], minlength=parts.hubs.size)
    radius = np.sqrt(_CORE**2 + _LEAF * count / np.pi)
    hubs = _place_hubs(parts, radius, rng)
    places[parts.hubs] = hubs
    places[parts.shared] = _place_shared(parts, hubs, radius, rng)
    order = np.arange(subject.size, dtype=float) if value is None else np.asarray(value, float)
    for hub in np.flatnonzero(count):
        leaves = np.flatnonzero(parts.home == hub)
        leaves = leaves[np.argsort(order[leaves], kind="stable")]  # NaN sorts last
        places[leaves] = hubs[hub] + _sunflower(leaves.size)
    centred: Floats = places - (places.min(axis=0) + places.max(axis=0)) / 2
    return centred


def _parts(subject: NDArray[np.bool_], edges: Ints) -> _Parts:
    hubs = np.flatnonzero(subject)
    hub_of = np.full(subject.size, -1)
    hub_of[hubs] = np.arange(hubs.size)
    pairs = np.unique(np.column_stack([hub_of[edges[:, 0]], edges[:, 1]]), axis=0)
    pairs = pairs[(pairs[:, 0] >= 0) & (hubs[pairs[:, 0]] != pairs[:, 1])]
    owners = np.bincount(pairs[:, 1], minlength=subject.size)
    home = np.full(subject.size, -1)
    alone = pairs[(owners[pairs[:, 1]] == 1) & ~subject[pairs[:, 1]]]
    home[alone[:, 1]] = alone[:, 0]
    shared = np.flatnonzero(~subject & (owners > 1))
    place_of = hub_of.copy()
    place_of[shared] = hubs.size + np.arange(shared.size)
    links = np.column_stack([pairs[:, 0], place_of[pairs[:, 1]]])
    return _Parts(hubs, shared, home, links[links[:, 1] >= 0])


def _sunflower(size: int) -> Floats:
    """Replicas points evenly over a ring, in the order of their angle, clockwise from the top."""
    steps = np.arange(size)
    radius = np.sqrt(_CORE**2 + _LEAF * (steps + 0.5) / np.pi)
    angle = (steps * _GOLDEN) % (2 * np.pi)
    turn = np.argsort(angle, kind="stable")
    points: Floats = np.column_stack([np.sin(angle), -np.cos(angle)]) * radius[:, None]
    return points[turn]


def _place_hubs(parts: _Parts, radius: Floats, rng: np.random.Generator) -> Floats:
    """Place the subjects: none overlaps another, and those that share much are close."""
    count = radius.size
    gap = 1.0 + np.sqrt(_APART**2 * parts.shared.size / count)
    reach = radius + gap / 2
    spiral = np.sqrt(np.arange(count) + 0.5) * 2 * reach.mean()
    angle = np.arange(count) * _GOLDEN
    places = np.column_stack([np.cos(angle), np.sin(angle)]) * spiral[:, None] / np.sqrt(np.pi)
    places += rng.normal(scale=0.1, size=places.shape)
    if 1 < count <= _STRESS_UP_TO:
        places = _majorised(places, _wanted_distances(parts, reach))
    places *= (_LANDSCAPE, 1.0)
    return _separated(places, reach)


def _wanted_distances(parts: _Parts, reach: Floats) -> Floats:
    """Say how far apart subjects should be: touching when they share most, else further."""
    count = reach.size
    joined = np.zeros((count, count + parts.shared.size))
    joined[parts.links[:, 0], parts.links[:, 1]] = 1
    common = joined[:, count:] @ joined[:, count:].T + joined[:, :count] + joined[:, :count].T
    np.fill_diagonal(common, 0)
    alike = common / max(1.0, common.max())
    touching = reach[:, None] + reach[None, :]
    wanted: Floats = touching * (1 + np.sqrt(count) / 2 * (1 - np.sqrt(alike)))
    return wanted


def _majorised(places: Floats, wanted: Floats) -> Floats:
    """Bring distances close to the wanted ones, by SMACOF with weights of one over distance²."""
    weight = 1 / wanted**2
    np.fill_diagonal(weight, 0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.pinv(laplacian)
    for _ in range(_ROUNDS):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        np.fill_diagonal(apart, 1)
        ratio = weight * wanted / np.maximum(apart, 1e-9)
        places = inverse @ (np.diag(ratio.sum(axis=1)) - ratio) @ places
    return places


def _separated(places: Floats, reach: Floats) -> Floats:
    """Draw the picture together until circles touch, then push apart those that overlap."""
    from scipy.spatial import cKDTree

    places = places.copy()
    if len(places) < 2:
        return places
    widest = 2 * reach.max()
    rounds = (8 if len(places) <= _STRESS_UP_TO else 2) * _ROUNDS
    for step in range(rounds):
        if step < 0.75 * rounds:
            places *= 0.99
        near = cKDTree(places).query_pairs(widest, output_type="ndarray")
        if not near.size:
            continue
        left, right = near.T
        apart = places[left] - places[right]
        length = np.maximum(np.linalg.norm(apart, axis=1), 1e-9)
        overlap = np.maximum(0, reach[left] + reach[right] - length)
        push = apart / length[:, None] * (overlap / 2)[:, None]
        np.add.at(places, left, push)
        np.add.at(places, right, -push)
    return places


def _place_shared(parts: _Parts, hubs: Floats, radius: Floats, rng: np.random.Generator) -> Floats:
    """Place objects of several subjects between them, outside their circles, off each other."""
    from scipy.spatial import cKDTree

    count = parts.shared.size
    if not count:
        return np.zeros((0, 2))
    links = parts.links[parts.links[:, 1] >= len(hubs)]
    owner, mine = links[:, 0], links[:, 1] - len(hubs)
    middle = np.zeros((count, 2))
    np.add.at(middle, mine, hubs[owner])
    middle /= np.bincount(mine, minlength=count)[:, None]
    places = middle + rng.normal(scale=_APART, size=middle.shape)
    tree = cKDTree(hubs)
    closest = min(6, len(hubs))
    for step in range(_ROUNDS):
        places += (0.1 * (1 - step / _ROUNDS)) * (middle - places)
        near = cKDTree(places).query_pairs(_APART, output_type="ndarray")
        if near.size:
            left, right = near.T
            apart = places[left] - places[right]
            length = np.maximum(np.linalg.norm(apart, axis=1), 1e-9)
            push = apart / length[:, None] * ((_APART - length) / 2)[:, None]
            np.add.at(places, left, push)
            np.add.at(places, right, -push)
        _, around = tree.query(places, k=closest)
        for hub in np.asarray(around).reshape(count, -1).T:
            apart = places - hubs[hub]
            length = np.maximum(np.linalg.norm(apart, axis=1), 1e-9)
            inside = np.maximum(0, radius[hub] + 0.8 - length)
            places += apart / length[:, None] * inside[:, None]
    return places
