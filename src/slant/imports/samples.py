"""Recorded answers, row by row, whoever recorded them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.imports import inspect_log, lm_eval, promptfoo
from slant.imports.json_text import read_json
from slant.table_file import ENDINGS, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from slant.table_file import Row


def read_samples(path: Path) -> Iterator[tuple[int, Row]]:
    """Read the rows of a table, or the samples of a log of another tool as such rows.

    Logs are those of Inspect (`.eval`, `.json`), promptfoo (`.json`, `.jsonl`) and
    lm-evaluation-harness (`samples_*.jsonl`). Whatever they keep beside a sample (metadata, vars,
    doc) becomes columns by the same names.

    Raises
    ------
    InputError
        The file is missing, of an unknown kind, malformed, or larger than `slant.limits` allows.
    """
    ending = path.suffix.lower()
    if ending == ".eval":
        return inspect_log.packed_rows(path)
    if ending == ".json":
        return _of_document(path)
    if ending in ENDINGS:
        return _of_table(path)
    raise InputError(
        f"expected a file ending in {', '.join(ENDINGS)}, or a log of Inspect (.eval, .json) or "
        "promptfoo (.json)",
        file=path,
    )


def _of_document(path: Path) -> Iterator[tuple[int, Row]]:
    document = read_json(path)
    for tool in (inspect_log, promptfoo):
        if tool.is_log(document):
            yield from tool.rows(document, path)
            return
    raise InputError(
        "this is neither a log of Inspect (eval and samples) nor results of promptfoo (results): "
        f"for records of your own write a table ({', '.join(ENDINGS)})",
        file=path,
    )


def _of_table(path: Path) -> Iterator[tuple[int, Row]]:
    rows = read_rows(path)
    first = next(rows, None)
    if first is None:
        return
    every = chain([first], rows)
    if lm_eval.is_sample(first[1]):
        yield from lm_eval.rows(every, path)
    elif promptfoo.is_result(first[1]):
        yield from ((line, promptfoo.row(each)) for line, each in every)
    else:
        yield from every
