"""The answers of two sides to the same questions, counted by group, prompt and outcome.

Nothing of the answers is kept but a few bytes each, and in the end counts. Questions are known by
their item; where two sides asked in different words (a chat, a raw text), by group, condition and
sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import polars as pl

from slant.errors import InputError
from slant.measures.measure import REFUSAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from slant.comparison.side import Side

_NO, _YES, _MISSING = 0, 1, 2
_KINDS = 3
_CELL = ("group", "condition")
_NO_TEXT = 0
_AT_ONCE = 100_000

_Cell: TypeAlias = tuple[str, str]
_Codes: TypeAlias = "NDArray[np.uint8]"


@dataclass(frozen=True)
class CountedPairs:
    """One thing counted in the answers of both sides.

    Attributes
    ----------
    groups, prompts
        The rows and columns.
    counts
        Shape (groups, prompts, 3, 3): see `stats.paired_rates`.
    """

    groups: list[str]
    prompts: list[str]
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class AnswerPairs:
    """What two sides answered to the same questions of one study, on one axis.

    Attributes
    ----------
    counted
        By the measure: texts that it scores 1; for the measure of refusals, refusals beside texts
        that another measure has a score for.
    shared
        To how many questions both sides have a text.
    same
        How many of these are the same text.
    """

    counted: dict[str, CountedPairs]
    shared: int
    same: int


@dataclass(frozen=True)
class _Asked:
    """One side's questions; arrays have one entry a question.

    Attributes
    ----------
    key, text
        Hashes of what a question is known by and of its answer; the latter 0 where there is none.
    cells, cell
        Groups with conditions, and which of them each question is of.
    codes
        What became of it, by what is counted.
    """

    key: NDArray[np.uint64]
    text: NDArray[np.uint64]
    cells: list[_Cell]
    cell: NDArray[np.int32]
    codes: Mapping[str, _Codes]


def answer_pairs(
    first: Side, second: Side, study: str, axis: str, part: str = ""
) -> AnswerPairs | None:
    """Count what two sides answered to the same questions.

    Parameters
    ----------
    first, second
        Whose answers.
    study, axis, part
        Which of them.

    Returns
    -------
    AnswerPairs or None
        `None` where a side has no table of answers or scores, or they share no question.

    Raises
    ------
    InputError
        A table cannot be read.
    """
    keys: tuple[Literal["item", "sample"], ...] = ("item", "sample")
    for key in keys:
        one, two = (_asked(side, study, axis, part, key) for side in (first, second))
        if one is None or two is None:
            return None
        found = _paired(one, two)
        if found is not None:
            return found
    return None


def _paired(one: _Asked, two: _Asked) -> AnswerPairs | None:
    """Find the partner of every question; `None` if there is none, or more than one."""
    order = np.argsort(one.key)
    ascending = one.key[order]
    again = np.sort(two.key)
    if (ascending[1:] == ascending[:-1]).any() or (again[1:] == again[:-1]).any():
        return None
    places = np.minimum(np.searchsorted(ascending, two.key), len(ascending) - 1)
    met = ascending[places] == two.key
    if not met.any():
        return None
    partner = order[places[met]]
    alone = np.ones(len(one.key), dtype=bool)
    alone[partner] = False
    cells = sorted({*one.cells, *two.cells})
    number = {cell: place for place, cell in enumerate(cells)}
    here, there = (
        np.array([number[cell] for cell in side.cells])[side.cell] for side in (one, two)
    )
    counted = {}
    for name, before in one.codes.items():
        if name not in two.codes:
            continue
        after = two.codes[name]
        counts = np.zeros(len(cells) * _KINDS * _KINDS, dtype=np.int64)
        for where, first, second in (  # asked on both sides, on the first only, the second only
            (there[met], before[partner], after[met]),
            (here[alone], before[alone], _MISSING),
            (there[~met], _MISSING, after[~met]),
        ):
            code = where * (_KINDS * _KINDS) + first * np.int64(_KINDS) + second
            counts += np.bincount(code, minlength=len(counts))
        counted[name] = _laid_out(cells, counts.reshape(-1, _KINDS, _KINDS))
    texts = one.text[partner], two.text[met]
    told = (texts[0] != _NO_TEXT) & (texts[1] != _NO_TEXT)
    return AnswerPairs(counted, int(told.sum()), int((told & (texts[0] == texts[1])).sum()))


def _laid_out(cells: list[_Cell], counts: NDArray[np.int64]) -> CountedPairs:
    groups, prompts = (sorted({cell[place] for cell in cells}) for place in (0, 1))
    grid = np.zeros((len(groups), len(prompts), _KINDS, _KINDS), dtype=np.int64)
    for (group, prompt), count in zip(cells, counts, strict=True):
        grid[groups.index(group), prompts.index(prompt)] = count
    return CountedPairs(groups, prompts, grid)


def _asked(
    side: Side, study: str, axis: str, part: str, key: Literal["item", "sample"]
) -> _Asked | None:
    """Read one side's questions that ask for text, with what became of them."""
    if not all(side.run.path(name).exists() for name in ("answers.parquet", "scores.parquet")):
        return None
    mine = (pl.col("model") == side.model) & (pl.col("study") == study)
    about = (pl.col("axis") == axis) & (pl.col("part") == part)
    texts = mine & about & pl.col("logprobs").is_null()
    columns = (
        pl.col("position"),
        pl.struct(*_CELL, key).hash().alias("key"),
        *(pl.col(name) for name in _CELL),
        (pl.col("outcome") == "answered").alias("answered"),
        (pl.col("outcome") == "refused").alias("refused"),
        pl.when(pl.col("text").is_not_null())
        .then(pl.col("text").hash())
        .otherwise(_NO_TEXT)
        .alias("text"),
    )
    number: dict[_Cell, int] = {}
    parts: dict[str, list[NDArray[Any]]] = {}
    try:
        for rows in _parts(side.run.answers):
            batch = rows.filter(texts).select(columns).collect()
            parts.setdefault("cell", []).append(_numbered(batch, number))
            for name in ("position", "key", "answered", "refused", "text"):
                parts.setdefault(name, []).append(batch[name].to_numpy())
        if not number:
            return None
        whole = {name: np.concatenate(arrays) for name, arrays in parts.items()}
        parts.clear()
        positions = whole.pop("position")
        if (positions[1:] <= positions[:-1]).any():
            return None  # no table of slant's: its questions stand in order
        values = _values(side, mine, positions)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            f"{side.run.directory}: its tables of answers and scores cannot be read ({error}): "
            f"run `slant rescore {side.run.directory}`"
        ) from error
    codes = _codes(whole["answered"], whole["refused"], values)
    return _Asked(whole["key"], whole["text"], list(number), whole["cell"], codes)


def _parts(table: pl.LazyFrame) -> Iterator[pl.LazyFrame]:
    """Part a table, so that one part is in memory at a time: a scan reads far ahead."""
    height: int = table.select(pl.len()).collect().item()
    for start in range(0, height, _AT_ONCE):
        yield table.slice(start, _AT_ONCE)


def _numbered(batch: pl.DataFrame, number: dict[_Cell, int]) -> NDArray[np.int32]:
    """Give cells of a batch their numbers, going on from those that are known."""
    cells = batch.select(_CELL).unique()
    for group, condition in cells.iter_rows():
        number.setdefault((str(group), str(condition)), len(number))
    numbers = [number[str(group), str(condition)] for group, condition in cells.iter_rows()]
    numbered = cells.with_columns(pl.Series("cell", numbers, pl.Int32))
    return (
        batch.select(_CELL)
        .join(numbered, on=_CELL, how="left", maintain_order="left", nulls_equal=True)["cell"]
        .to_numpy()
    )


def _values(side: Side, mine: pl.Expr, positions: NDArray[np.int64]) -> dict[str, _Codes]:
    """Read which answers at these positions, in order, each measure gives 0 or 1.

    Returns
    -------
    dict of numpy.ndarray
        0, 1 or, where a measure gave nothing, 2; measures that give other values are left out.
    """
    values: dict[str, _Codes] = {}
    others: set[str] = set()
    for part in _parts(side.run.scores):
        given = part.filter(mine & pl.col("value").is_not_null())
        batch = given.select("position", "measure", "value").collect()
        for (name,), own in batch.partition_by("measure", as_dict=True).items():
            if name not in values:
                values[name] = np.full(len(positions), _MISSING, dtype=np.uint8)
            scored, value = own["position"].to_numpy(), own["value"].to_numpy()
            if not ((value == 0) | (value == 1)).all():
                others.add(name)
                continue
            places = np.minimum(np.searchsorted(positions, scored), len(positions) - 1)
            known = positions[places] == scored
            values[name][places[known]] = value[known]
    return {name: value for name, value in sorted(values.items()) if name not in others}


def _codes(
    answered: NDArray[np.bool_], refused: NDArray[np.bool_], values: Mapping[str, _Codes]
) -> dict[str, _Codes]:
    """Say of every question what came of it, as `rate_tables.judged` does."""
    if REFUSAL in values:
        refused = refused | (answered & (values[REFUSAL] == _YES))
    kept = answered & ~refused
    counted = {name: value for name, value in values.items() if name != REFUSAL}
    if not counted:
        return {}
    codes = {name: np.where(kept, value, np.uint8(_MISSING)) for name, value in counted.items()}
    measured = np.any([code != _MISSING for code in codes.values()], axis=0)
    told = np.where(measured, np.uint8(_NO), np.uint8(_MISSING))
    return {**codes, REFUSAL: np.where(refused, np.uint8(_YES), told)}
