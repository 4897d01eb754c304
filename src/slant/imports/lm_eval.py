"""Samples of lm-evaluation-harness: a line for each document and each filter of its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.imports.json_text import cells, items, table
from slant.records import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from slant.table_file import Row


def is_sample(record: Row) -> bool:
    """Tell whether a record is such a sample."""
    return {"doc_id", "resps"} <= record.keys()


def rows(records: Iterable[tuple[int, Row]], path: Path) -> Iterator[tuple[int, Row]]:
    """Give every answer as a row, with its document's fields as columns.

    A document has a line for each filter: the answers as the model gave them are the same in all,
    so those of the first filter are read.

    Raises
    ------
    InputError
        The samples hold likelihoods and no texts, or are not of this form.
    """
    chosen: Any = None
    for line, record in records:
        if not is_sample(record):
            raise InputError("expected doc_id and resps, as lm-eval writes", file=path, line=line)
        chosen = record.get("filter") if chosen is None else chosen
        if record.get("filter") != chosen:
            continue
        kept = cells(record.get("doc"))
        asked = _prompts(record.get("arguments"))
        for place, answers in enumerate(items(record["resps"])):
            prompt = asked[place] if place < len(asked) else None
            for sample, text in enumerate(answers if isinstance(answers, list) else [answers]):
                if not isinstance(text, str):
                    raise InputError(
                        "the answers of this task are log-probabilities, not texts: slant reads "
                        "tasks that generate (output_type generate_until)",
                        file=path,
                        line=line,
                    )
                yield line, _row(kept, prompt, sample, text)


def _row(kept: Row, prompt: str | None, sample: int, text: str) -> Row:
    own = kept.get("outcome") if kept.get("outcome") in OUTCOMES else None
    bare = not text and (own not in (None, "answered") or kept.get("logprobs") is not None)
    return {
        "sample": sample,
        **kept,
        "prompt": kept.get("prompt") if prompt is None else prompt,
        "text": None if bare else text,
        "outcome": own or "answered",
        "reason": kept.get("reason") if own else None,
    }


def _prompts(arguments: Any) -> list[str | None]:
    """Give what was asked, of `gen_args_0.arg_0` or, as older versions wrote, of lists."""
    if isinstance(arguments, dict):
        each = [table(given).get("arg_0") for given in arguments.values()]
    else:
        each = [next(iter(items(given)), None) for given in items(arguments)]
    return [asked if isinstance(asked, str) else None for asked in each]
