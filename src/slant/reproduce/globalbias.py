"""Siddique et al. (2024), GlobalBias: Tables 9 and 8 from the authors' matrix of APX.

The matrix holds, for every group and descriptor, the mean APX of the group's names in each of
three templates. The steps are those of the authors' code: scale each template over all its cells,
average, leave out the descriptors of the age axis, flag what lies 2.3263 standard deviations below
a descriptor's mean, and only then strip the leading article from what is printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError
from slant.stats import benjamini_hochberg
from slant.stats.apx import bias_scores, flag_low, flags_by_chance
from slant.stats.outlying_cells import outlying_cells
from slant.table_file import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from slant.by_chance import Interval
    from slant.stats.arrays import Floats

MATRIX, DESCRIPTORS, NAMES = "3_llama_3_results.csv", "full_descriptors.csv", "3_name_groups.csv"
"""The authors' names of their files."""

PUBLISHED = {"descriptors": 147, "pairs": 172}

_TEMPLATES = ("apx_1", "apx_2", "apx_3")
_LEFT_OUT = "age"
_GENDERS = {"F": "Female", "M": "Male"}
_ARTICLE = re.compile(r"^(a|an|am)\s")
_RELIGIONS = {
    "jewish": {"jewish", "jew"},
    "hindu": {"hindu"},
    "shinto": {"shinto", "shintoist"},
    "buddhist": {"buddhist"},
    "muslim": {"muslim"},
}
"""The words of Table 8, and the descriptors of the matrix that stand for them."""

_SIGNIFICANT = 0.05
_SHOWN = 30


@dataclass(frozen=True)
class Matrix:
    """The published matrix.

    Attributes
    ----------
    groups
        Names of the rows: `Arab Male`.
    descriptors
        Names of the columns, as the file has them.
    axes
        The axis of each descriptor; empty if it has none.
    apx
        Shape (templates, groups, descriptors).
    """

    groups: list[str]
    descriptors: list[str]
    axes: list[str]
    apx: Floats


@dataclass(frozen=True)
class Reproduction:
    """What follows from the matrix.

    Attributes
    ----------
    tested, descriptors, cells, pairs
        How many descriptors were tested, flagged; how many cells were flagged, and how many pairs
        of group and descriptor are left of them once articles are stripped.
    groups
        Group to the descriptors that Table 9 prints for it, sorted.
    religions
        Word of Table 8 to the two groups most associated with it, ordered as the table prints
        them: by ethnicity, men before women.
    noise
        How many descriptors the same rule flags in noise.
    survivors
        Pairs that survive the robust test, strongest first: group, descriptor, q.
    """

    tested: int
    descriptors: int
    cells: int
    pairs: int
    groups: dict[str, list[str]]
    religions: dict[str, list[str]]
    noise: Interval
    survivors: list[tuple[str, str, float]]


def find(folder: Path, name: str) -> Path | None:
    """Look for one of the authors' files in a folder, its `results` and its `data`."""
    places = (folder, folder / "results", folder / "data")
    return next((place / name for place in places if (place / name).is_file()), None)


def read_matrix(path: Path) -> Matrix:
    """Read the published matrix.

    Raises
    ------
    InputError
        A column is missing, a cell is no number above zero, there twice or missing.
    """
    cells: dict[tuple[str, str], list[float]] = {}
    axes: dict[str, str] = {}
    for line, row in read_rows(path):
        missing = [name for name in ("Group", "descriptor", *_TEMPLATES) if name not in row]
        if missing:
            raise InputError(
                f"there is no column {missing[0]!r}: expected Group, {', '.join(_TEMPLATES)}, "
                "descriptor, axis",
                file=path,
                line=1,
            )
        group = group_name(str(row["Group"] or ""), path, line)
        descriptor = str(row["descriptor"] or "")
        if not descriptor:
            raise InputError("the descriptor is empty: fill it in", file=path, line=line)
        if (group, descriptor) in cells:
            raise InputError(
                f"{descriptor!r} of {group!r} is there twice: remove one", file=path, line=line
            )
        cells[group, descriptor] = [
            positive_number(row[name], name, path, line) for name in _TEMPLATES
        ]
        axes.setdefault(descriptor, str(row.get("axis") or ""))
    groups = sorted({group for group, _ in cells})
    if len(groups) < 3:
        raise InputError(f"{len(groups)} groups: expected at least three", file=path)
    holes = [(g, d) for d in axes for g in groups if (g, d) not in cells]
    if holes:
        shown = ", ".join(f"{d} of {g}" for g, d in holes[:3])
        raise InputError(
            f"{len(holes):,} of {len(groups) * len(axes):,} cells are missing ({shown} …): the "
            "published method compares all groups on every descriptor; complete the matrix",
            file=path,
        )
    values = np.array([[cells[group, each] for each in axes] for group in groups])
    return Matrix(groups, list(axes), list(axes.values()), np.moveaxis(values, 2, 0))


def group_name(text: str, path: Path, line: int) -> str:
    """Read a group as the authors write it, `('ARAB', 'M')`: `Arab Male`.

    Raises
    ------
    InputError
        It is written in another way.
    """
    found = re.fullmatch(r"\(\s*'([^']+)'\s*,\s*'([MF])'\s*\)", text.strip())
    if found is None:
        raise InputError(
            f"the group {text!r} is not written like ('ARAB', 'M')", file=path, line=line
        )
    return f"{found[1].capitalize()} {_GENDERS[found[2]]}"


def positive_number(value: Any, column: str, path: Path, line: int) -> float:
    """Read a number above zero.

    Raises
    ------
    InputError
        It is none.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 < number < float("inf"):
        raise InputError(
            f"{column} is {value!r}: expected a number above 0, for every cell",
            file=path,
            line=line,
        )
    return number


def reproduce(matrix: Matrix, rng: np.random.Generator) -> Reproduction:
    """Recompute Tables 9 and 8, and say what noise and a robust test make of them."""
    scores = bias_scores(matrix.apx, decimals=None)  # the file has them rounded
    # The code compares with the word "age": descriptors without an axis are tested.
    tested = np.array([axis != _LEFT_OUT for axis in matrix.axes])
    flagged: NDArray[np.bool_] = np.asarray(flag_low(scores) & tested)
    groups: dict[str, list[str]] = {}
    for row, group in enumerate(matrix.groups):
        columns = np.flatnonzero(flagged[row, :])
        printed = {_stripped(matrix.descriptors[column]) for column in columns}
        if printed:
            groups[group] = sorted(printed, key=lambda text: (text.lower(), text))
    return Reproduction(
        tested=int(tested.sum()),
        descriptors=int(flagged.any(axis=0).sum()),
        cells=int(flagged.sum()),
        pairs=sum(map(len, groups.values())),
        groups=groups,
        religions={
            word: _associated(matrix, scores, flagged, forms) for word, forms in _RELIGIONS.items()
        },
        noise=flags_by_chance(len(matrix.groups), int(tested.sum()), rng=rng),
        survivors=_survivors(matrix, tested),
    )


def _stripped(descriptor: str) -> str:
    return _ARTICLE.sub("", descriptor)


def _associated(
    matrix: Matrix, scores: Floats, flagged: NDArray[np.bool_], forms: Iterable[str]
) -> list[str]:
    """Name the two groups most associated with any form of a word: those that are flagged first."""
    wanted = set(forms)
    columns = [
        column
        for column, text in enumerate(matrix.descriptors)
        if _stripped(text).casefold() in wanted
    ]
    if not columns:
        return []
    order = sorted(
        range(len(matrix.groups)),
        key=lambda row: (not flagged[row, columns].any(), scores[row, columns].min()),
    )
    return sorted((matrix.groups[row] for row in order[:2]), key=_as_printed)


def _as_printed(group: str) -> tuple[str, bool]:
    ethnicity, gender = group.rsplit(" ", 1)
    return ethnicity, gender != _GENDERS["M"]


def _survivors(matrix: Matrix, tested: NDArray[np.bool_]) -> list[tuple[str, str, float]]:
    """List the pairs whose low perplexity is more than the spread of the other groups explains.

    Logarithms of APX, averaged over templates, each cell against the other groups
    (`slant.stats.outlying_cells`), Benjamini-Hochberg over all cells tested.
    """
    columns = np.flatnonzero(tested)
    found = outlying_cells(np.log(matrix.apx).mean(axis=0)[:, columns])
    q = benjamini_hochberg(found.p)
    left = np.argwhere((q < _SIGNIFICANT) & (found.residual < 0))
    pairs = [
        (matrix.groups[row], matrix.descriptors[columns[at]], float(q[row, at])) for row, at in left
    ]
    return sorted(pairs, key=lambda pair: (pair[2], pair[0], pair[1]))


def as_json(found: Reproduction) -> dict[str, Any]:
    """Lay a reproduction out for other programs."""
    return {
        "table9": {
            "descriptors": found.descriptors,
            "pairs": found.pairs,
            "groups": found.groups,
        },
        "table8_apx": found.religions,
        "tested": found.tested,
        "cells": found.cells,
        "noise": {
            "expected": found.noise.expected,
            "low": found.noise.low,
            "high": found.noise.high,
        },
        "robust": {
            "pairs": len(found.survivors),
            "descriptors": len({descriptor for _, descriptor, _ in found.survivors}),
            "survivors": [list(pair) for pair in found.survivors],
        },
    }


def as_text(found: Reproduction) -> str:
    """Write a reproduction for people, the published figures beside ours."""
    noise, left = found.noise, found.survivors
    flagged = (
        f"Descriptors flagged: {found.descriptors} (published: {PUBLISHED['descriptors']}), of "
        f"{found.tested} tested; the age axis is left out, as in the authors' code"
    )
    pairs = (
        f"Pairs of group and descriptor: {found.pairs} (published: {PUBLISHED['pairs']}), from "
        f"{found.cells} cells"
    )
    verdict = "it does not beat chance" if found.descriptors <= noise.high else "here it finds more"
    by_chance = (
        f"In pure noise the same rule flags {noise.expected:.0f} descriptors ({noise.low:.0f} to "
        f"{noise.high:.0f}): {verdict}."
    )
    robust = (
        "The robust test (each cell against the other groups, Benjamini-Hochberg over all cells) "
        f"leaves {len(left)} pairs{':' if left else '.'}"
    )
    title = "GlobalBias (Siddique et al. 2024), Llama 3 8B, from the published matrix of APX"
    lines = [title, "", flagged, pairs, "", by_chance, robust]
    lines += [f"  {group}: {what} (q = {q:.2g})" for group, what, q in left[:_SHOWN]]
    if len(left) > _SHOWN:
        lines.append(f"  … and {len(left) - _SHOWN} more (--json lists them all)")
    lines += ["", "Table 8, by APX:"]
    lines += [f"  {word}: {', '.join(groups)}" for word, groups in found.religions.items()]
    lines += ["", "Table 9:"]
    lines += [f"  {group}: {', '.join(words)}" for group, words in found.groups.items()]
    return "\n".join(lines)


def describe_inputs(folder: Path) -> list[str]:
    """Say what can be checked of the authors' lists of names and descriptors, as far as there."""
    said = []
    if path := find(folder, NAMES):
        rows = [row for _, row in read_rows(path)]
        distinct = {row.get("firstname") for row in rows}
        groups = {row.get("Group") for row in rows}
        said.append(
            f"{NAMES}: {len(rows)} names, {len(distinct)} of them different, {len(groups)} groups"
        )
    if path := find(folder, DESCRIPTORS):
        axes: Sequence[Any] = [row.get("axis") for _, row in read_rows(path)]
        said.append(
            f"{DESCRIPTORS}: {len(axes)} descriptors, {axes.count(_LEFT_OUT)} on the age axis, "
            f"{len(axes) - axes.count(_LEFT_OUT)} tested"
        )
    return said
