"""Recorded answers, read from JSON Lines, CSV or Parquet, with the line of every mistake."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from slant.errors import InputError
from slant.records import Answer, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_RUN_FILE = "answers.parquet"
_FORMATS = ".jsonl, .csv or .parquet"


def _list(value: Any) -> Any:
    """Take a list also as JSON, which is how CSV holds it."""
    return json.loads(value) if isinstance(value, str) else value


def _whole_characters(value: Any) -> Any:
    """Replace half characters (lone surrogates), which JSON can spell and no file can hold."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_Text = Annotated[str, BeforeValidator(_whole_characters)]
_Count = Annotated[int, Field(ge=0)]


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
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None
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
        path = path / _RUN_FILE
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise InputError(f"expected a run directory or a file ending in {_FORMATS}", file=path)
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        what = "run has no answers yet" if path.name == _RUN_FILE else "file does not exist"
        raise InputError(f"the {what}: check the path, or finish the run", file=path) from error
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=path) from error
    columns: set[str] = set()
    rows: list[Recorded] = []
    for line, cells in read(path, content):
        columns.update(cells)
        # Most mistakes are of the kind that every row has: they are told for the first.
        if not rows:
            _check_columns(path, columns)
        rows.append(_row(path, line, cells).recorded(line))
    if not rows:
        raise InputError("the file holds no recorded answers", file=path)
    return Recording(path, hashlib.sha256(content).hexdigest(), frozenset(columns), rows)


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


def _decoded(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte 0x{content[error.start]:02x} is not UTF-8: save the file with the encoding "
            "UTF-8",
            file=path,
            line=content[: error.start].count(b"\n") + 1,
        ) from error


def _read_json_lines(path: Path, content: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, text in enumerate(_decoded(path, content).split("\n"), start=1):
        if not text.strip():
            continue
        try:
            cells = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"this is not JSON ({error}): expected one JSON object a line",
                file=path,
                line=line,
            ) from error
        if not isinstance(cells, dict):
            raise InputError(
                f"expected a JSON object such as {{'prompt': …, 'text': …}}, found {text:.60}",
                file=path,
                line=line,
            )
        yield line, cells


def _read_csv(path: Path, content: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.reader(io.StringIO(_decoded(path, content), newline=""), strict=True)
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            if header is None:
                header = cells
            elif cells:
                if len(cells) != len(header):
                    raise InputError(
                        f"{len(cells)} cells, expected {len(header)} as in the header: put cells "
                        "that hold commas or quotes in quotes",
                        file=path,
                        line=line,
                    )
                yield line, {name: cell or None for name, cell in zip(header, cells, strict=True)}
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"this is not CSV: {error}", file=path, line=line) from error


def _read_parquet(path: Path, content: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    import polars as pl

    try:
        frame = pl.read_parquet(content)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"this is not a Parquet file: {error}", file=path) from error
    wanted = frame.select(name for name in frame.columns if name in Row.model_fields)
    if not wanted.width:
        _check_columns(path, set(frame.columns))
    yield from enumerate(wanted.iter_rows(named=True), start=1)


_READERS: dict[str, Callable[[Path, bytes], Iterator[tuple[int, dict[str, Any]]]]] = {
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".csv": _read_csv,
    ".parquet": _read_parquet,
}
