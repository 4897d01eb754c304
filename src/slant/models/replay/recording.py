"""Recorded answers, read from JSON Lines, CSV or Parquet, with the line of every mistake."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from slant.enclosed import check_enclosed
from slant.errors import InputError
from slant.imports import read_samples
from slant.records import MOST_TOKENS, Answer, Outcome
from slant.regular_file import sha256
from slant.table_file import whole_characters

_RUN_FILE = "answers.parquet"


def _list(value: Any) -> Any:
    """Take a list also as JSON, which is how CSV holds it."""
    return json.loads(value) if isinstance(value, str) else value


def _whole(value: Any) -> Any:
    return whole_characters(value) if isinstance(value, str) else value


_Text = Annotated[str, BeforeValidator(_whole)]
_Count = Annotated[int, Field(ge=0)]
_Tokens = Annotated[int, Field(ge=0, le=MOST_TOKENS)]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded answer, what it answers, and the line (in Parquet, the row) it stands in."""

    line: int
    item: str | None
    prompt: str | None
    sample: int | None
    group: str
    model: str | None
    answer: Answer


class Row(BaseModel):
    """What a line of a recording may hold."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    item: str | None = None
    prompt: str | None = None
    sample: _Count | None = None
    group: str | None = None
    model: str | None = None
    outcome: Outcome | None = None
    text: _Text | None = None
    logprobs: Annotated[tuple[float, ...], BeforeValidator(_list)] | None = None
    prompt_tokens: _Tokens | None = None
    completion_tokens: _Tokens | None = None
    finish_reason: str | None = None
    reason: _Text | None = None

    def recorded(self, line: int) -> Recorded:
        """Part the answer from the question; without text it is one that cannot be read."""
        outcome, reason = self.outcome, self.reason
        if outcome in (None, "answered") and self.text is None and self.logprobs is None:
            outcome, reason = "unparseable", reason or "recorded without a text"
        answer = Answer(
            outcome or "answered",
            self.text,
            self.logprobs,
            self.prompt_tokens,
            self.completion_tokens,
            self.finish_reason,
            reason,
        )
        return Recorded(
            line, self.item, self.prompt, self.sample, self.group or "", self.model, answer
        )


@dataclass(frozen=True)
class Recording:
    """A file of recorded answers.

    Attributes
    ----------
    path
        The file; of a run directory, the one inside.
    sha256
        Hash of its content.
    columns
        What it tells about each answer.
    rows
        The answers, in order.
    """

    path: Path
    sha256: str
    columns: frozenset[str]
    rows: list[Recorded]


def read_recording(name: str) -> Recording:
    """Read a file of recorded answers, or those of a run directory.

    Raises
    ------
    InputError
        The file cannot be read, holds nothing, or lacks a column that is needed.
    """
    path = Path(name)
    if path.is_dir():
        check_enclosed(path)
        path = path / _RUN_FILE
    if path.name == _RUN_FILE and not path.exists():
        raise InputError("the run has no answers yet: finish it first", file=path)
    columns: set[str] = set()
    rows: list[Recorded] = []
    for line, cells in read_samples(path):
        columns.update(cells)
        # Most mistakes are of the kind that every row has: they are told for the first.
        if not rows:
            _check_columns(path, columns)
        rows.append(_row(path, line, cells).recorded(line))
    if not rows:
        raise InputError("the file holds no recorded answers", file=path)
    return Recording(path, sha256(path), frozenset(columns), rows)


def _check_columns(path: Path, columns: set[str]) -> None:
    found = f"found the columns {', '.join(sorted(columns)) or '(none)'}"
    if columns.isdisjoint({"item", "prompt"}):
        raise InputError(
            f"{found}; expected item (the question's id) or prompt (what was asked)", file=path
        )
    if columns.isdisjoint({"text", "logprobs", "outcome"}):
        raise InputError(f"{found}; expected text (what the model said)", file=path)


def _row(path: Path, line: int, cells: dict[str, Any]) -> Row:
    try:
        return Row.model_validate(cells)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        column = problem["loc"][0] if problem["loc"] else "?"
        raise InputError(
            f"column {column!r} holds {cells.get(str(column))!r:.80}: {problem['msg']}",
            file=path,
            line=line,
        ) from error
