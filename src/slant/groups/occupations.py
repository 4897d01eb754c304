"""Occupations: what people are called by their work, to be found behind a descriptor in a text."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def occupations() -> tuple[str, ...]:
    """Give the titles of occupations, and their plurals.

    The list was compiled for slant, as journalists write: trades and professions of all kinds,
    offices, ranks, athletes, artists, clergy, students, and those who are looked upon by what they
    do (pensioner, homemaker). Words that are more often something else behind a descriptor are not
    on it alone (*general*, *private*, *professional*), only in phrases (*army general*).

    Returns
    -------
    tuple
        In lower case, in the order of `data/occupations.csv`: each title, then its plural unless
        that is the same.
    """
    text = files("slant.data").joinpath("occupations.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(dict.fromkeys(word for row in rows for word in (row["title"], row["plural"])))
