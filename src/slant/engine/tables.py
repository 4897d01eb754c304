"""Tables of a run: items, answers and scores as Parquet, streamed from the journal.

Whatever the number of answers, only a few thousand are in memory at a time.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl

from slant.errors import SlantError
from slant.studies.checksums import remember_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from slant.engine.journal import Journal

_ASKED = {
    "model": pl.String(),
    "study": pl.String(),
    "position": pl.Int64(),
    "item": pl.String(),
    "sample": pl.Int64(),
    "axis": pl.String(),
    "group": pl.String(),
    "condition": pl.String(),
    "slots": pl.String(),
    "part": pl.String(),
}
"""What both tables say of a question."""

ITEMS = pl.Schema({**_ASKED, "request": pl.String()})
ANSWERS = pl.Schema(
    {
        **_ASKED,
        "prompt": pl.String(),
        "outcome": pl.String(),
        "text": pl.String(),
        "logprobs": pl.List(pl.Float64),
        "prompt_tokens": pl.Int64(),
        "completion_tokens": pl.Int64(),
        "finish_reason": pl.String(),
        "reason": pl.String(),
        "aside": pl.String(),
    }
)
SCORES = pl.Schema(
    {
        "model": pl.String(),
        "study": pl.String(),
        "position": pl.Int64(),
        "measure": pl.String(),
        "value": pl.Float64(),
        "reason": pl.String(),
        "spans": pl.List(pl.List(pl.UInt32)),
    }
)

LATER = {"part": "", "aside": None}
"""Columns of answers that tables of an older slant lack: `with_later_columns` adds them."""

_ROW_GROUP = 20_000
"""What Parquet holds back before it writes; its own default is six times as much memory."""


def sink(frames: Iterable[pl.DataFrame], schema: pl.Schema, path: Path) -> None:
    """Write frames to one Parquet file as they come; the file appears when it is whole.

    Raises
    ------
    SlantError
        The file cannot be written, for example because the disk is full.
    """
    put(drafted(frames, schema, path), path)


def put(draft: Path, path: Path) -> None:
    """Let a table that is drafted take its place."""
    draft.replace(path)
    remember_files(path.parent, [path.name])


def drafted(frames: Iterable[pl.DataFrame], schema: pl.Schema, path: Path) -> Path:
    """Write what is to become a table beside it, and say where that is.

    Raises
    ------
    SlantError
        The file cannot be written, for example because the disk is full.
    """
    from polars.io.plugins import register_io_source

    def source(
        with_columns: list[str] | None,
        predicate: pl.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[pl.DataFrame]:
        yield from frames

    draft = path.with_name(path.name + ".new")
    try:
        register_io_source(source, schema=schema).sink_parquet(draft, row_group_size=_ROW_GROUP)
    except (OSError, pl.exceptions.PolarsError) as error:
        draft.unlink(missing_ok=True)
        raise SlantError(f"{path} cannot be written: {error}") from error
    return draft


def with_later_columns(answers: pl.LazyFrame) -> pl.LazyFrame:
    """Complete a table of an older slant: every answer is of the main part, nothing set aside."""
    known = answers.collect_schema()
    return answers.with_columns(
        pl.lit(value, dtype=ANSWERS[name]).alias(name)
        for name, value in LATER.items()
        if name not in known
    )


def export(journal: Journal, items: Path, answers: Path) -> None:
    """Write the journal's items and answers as Parquet."""
    sink((_items(rows) for rows in journal.rows()), ITEMS, items)
    sink((answers_frame(rows) for rows in journal.rows()), ANSWERS, answers)


def _items(rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    picked = [
        (
            model, study, position, item, sample, _valid(axis), _valid(group), _valid(condition),
            slots, part, request,
        )
        for (
            item, study, sample, axis, group, condition, slots, request, *_, model, position, part,
            _,
        ) in rows
    ]  # fmt: skip
    return pl.DataFrame(picked, schema=ITEMS, orient="row")


def answers_frame(rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    """Give rows of a journal the form of `answers.parquet`."""
    picked = [
        (
            model, study, position, item, sample, _valid(axis), _valid(group), _valid(condition),
            slots, part, shown_prompt(request), outcome, _valid(text),
            None if logprobs is None else json.loads(logprobs), prompt_tokens, completion_tokens,
            finish_reason, _valid(reason), _valid(aside),
        )
        for (
            item, study, sample, axis, group, condition, slots, request, outcome, text, logprobs,
            prompt_tokens, completion_tokens, finish_reason, reason, model, position, part,
            aside,
        ) in rows
    ]  # fmt: skip
    return pl.DataFrame(picked, schema=ANSWERS, orient="row")


def shown_prompt(request: str) -> str:
    """Give the part of a request that a reader wants to see: the prompt, or a chat's last turn."""
    fields = json.loads(request)
    if fields["kind"] == "likelihood":
        shown = " → ".join(part for part in (fields["source"], fields["text"]) if part)
    else:
        prompt = fields["prompt"]
        shown = prompt if isinstance(prompt, str) else prompt[-1]["content"]
    return _valid(shown) or ""


def _valid(text: str | None) -> str | None:
    """Replace what UTF-8 cannot hold; the journal keeps the original."""
    return None if text is None else text.encode("utf-8", "replace").decode()
