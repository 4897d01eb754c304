"""The page that lists every published table and figure, held against what the papers have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "reproductions.md"
WORKS = {
    "Abid": ("1a 1b 1c 2 3a 3b 3c 3d 4a 4b 4c 5 6 7", ""),
    "Salinas": ("1 2 3 4 5a 5b 6 7 8", "1 2 3 4a"),
    "Fang": (
        "1a 2a 2b 2c 3a 3b 3c 3d 4a 5a 6a 7a 8a 9a 10a A.1a A.2a",
        "1 2 3 4 B.1 B.2",
    ),
    "Siddique": ("1", "1 2 3 4 5 6 7 8 9 10 11 12 13"),
    "Goel": ("", ""),
}
"""Figures and tables of each work, main text and appendix; of a span of panels the first."""


def rows(author: str) -> list[tuple[str, str, str]]:
    """Give the rows of a work: which, what it shows, how far."""
    text = PAGE.read_text(encoding="utf-8")
    every = text.partition("## Every published table and figure")[2].partition("\n## ")[0]
    (own,) = [part for part in re.split(r"\n\*\*", every) if part.startswith(author)]
    lines = [line.split(" | ") for line in own.splitlines() if line.startswith("| ")]
    return [(cells[0].strip("| "), cells[1], cells[2]) for cells in lines[1:]]


@pytest.mark.parametrize("author", WORKS)
def test_every_table_and_figure_of_a_work_is_listed(author: str) -> None:
    figures, tables = (set(each.split()) for each in WORKS[author])
    found: dict[str, set[str]] = {"Figure": set(), "Table": set()}
    kind = "Figure"
    for which, *_ in rows(author):
        parts = which.split(", ")
        kind = next((name for name in found if parts[0].startswith(name)), kind)
        for part in parts:
            own = next((name for name in found if part.startswith(name)), kind)
            if number := re.search(r"(?:[AB]\.)?\d+[a-d]?", part):
                found[own].add(number[0])
    assert figures <= found["Figure"]
    assert tables <= found["Table"]


@pytest.mark.parametrize("author", WORKS)
def test_each_says_how_far_it_can_be_had(author: str) -> None:
    listed = rows(author)
    assert listed
    for which, _, far in listed:
        said = ("exact", "within noise", "cannot be", "likewise", "the same")
        assert far.startswith(said), (which, far)
