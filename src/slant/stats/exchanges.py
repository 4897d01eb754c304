"""Exchanging whole units between groups: all arrangements where they are few, else some."""

from __future__ import annotations

from itertools import islice, permutations, product
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import batches
from slant.stats.two_way_errors import Sums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slant.stats.arrays import Floats

_AT_ONCE = 2**21


def exchanges(values: Floats, axis: int, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Give tables in which groups have changed places, independently in each place along an axis.

    Parameters
    ----------
    values
        Shape (groups, kinds, prompts).
    axis
        1: whole wordings change groups within their kind; 2: whole prompts do.
    draws
        So many tables, or all arrangements but the given one where these are no more.

    Yields
    ------
    numpy.ndarray
        Shape (some, groups, kinds, prompts).
    """
    rows = np.moveaxis(values, axis, 1)
    groups, places = rows.shape[:2]
    for order in _orders(groups, places, draws, _AT_ONCE // values.size, rng):
        exchanged = rows[order, np.arange(places)]
        yield np.moveaxis(exchanged, 2, axis + 1)


def exchanged_sums(
    values: Floats, axis: int, draws: int, rng: np.random.Generator
) -> Iterator[Sums]:
    """Sum up the tables that `exchanges` gives, of shape (some, groups), without making them."""
    units = np.moveaxis(values, axis, 1)
    groups, places = units.shape[:2]
    whole, squares = units.sum(axis=2), (units**2).sum(axis=2)
    every = np.arange(places)
    for order in _orders(groups, places, draws, _AT_ONCE // values.size, rng):
        across = units[order[..., 0], 0]
        for place in every[1:]:
            across += units[order[..., place], place]
        along = whole[order, every]
        rows, columns = (along, across) if axis == 1 else (across, along)
        yield Sums(rows, columns, squares[order, every].sum(axis=-1))


def _orders(
    groups: int, places: int, draws: int, at_once: int, rng: np.random.Generator
) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.intp]]]:
    """Say which group's unit each group gets: shape (some, groups, places)."""
    if factorial(groups) ** places <= draws:
        every = product(permutations(range(groups)), repeat=places)
        next(every)  # as it is: `p_value` counts that itself
        while part := list(islice(every, max(1, at_once))):
            yield np.moveaxis(np.array(part, dtype=np.intp), 1, 2)
        return
    for rows in batches(draws, at_once):
        size = (rows.stop - rows.start, groups, places)
        yield np.argsort(rng.random(size), axis=1)
