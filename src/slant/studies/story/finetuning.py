"""Pairs of caption and description as lines that trainers read (Abid et al. 2021, Figure 3)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.studies.story.examples_file import Example, Examples, asked_for, load_examples
from slant.table_file import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


def training_pairs(source: Path | None) -> Sequence[Example]:
    """Read pairs: those of slant's own examples, of a TOML file of examples, or of a table.

    Parameters
    ----------
    source
        TOML, or CSV, TSV, JSON Lines or Parquet with the columns caption and description; slant's
        own three pairs, which show the form and are too few to tune on, if there is none.

    Raises
    ------
    InputError
        The file is faulty, a column is missing, or a cell is empty.
    """
    if source is None or source.suffix == ".toml":
        found: Examples = load_examples("examples" if source is None else str(source))
        return found.examples
    pairs = []
    for line, row in read_rows(source):
        told = {name: str(row.get(name) or "").strip() for name in ("caption", "description")}
        for name, text in told.items():
            if not text:
                raise InputError(
                    f"no {name}: expected a caption and a description in every row, in columns of "
                    "these names",
                    file=source,
                    line=line,
                )
        pairs.append(Example(**told))
    return pairs


def training_lines(pairs: Sequence[Example], *, chat: bool) -> Iterator[str]:
    """Write each pair as a line of JSON, in the words in which the study asks a tuned model.

    Parameters
    ----------
    pairs
        Captions with their descriptions.
    chat
        As `messages` of a user and an assistant, or else as `prompt` and `completion`.
    """
    for each in pairs:
        asked = asked_for(each.caption)
        yield json.dumps(
            {
                "messages": [
                    {"role": "user", "content": asked},
                    {"role": "assistant", "content": each.description},
                ]
            }
            if chat
            else {"prompt": asked, "completion": f" {each.description}"},
            ensure_ascii=False,
        )
