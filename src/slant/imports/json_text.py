"""JSON of other tools: read whole within a limit, and looked into without trusting its shape."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from slant import limits
from slant.errors import InputError
from slant.regular_file import read_regular

if TYPE_CHECKING:
    from pathlib import Path

    from slant.table_file import Row


_ID = re.compile("[0-9a-f]{32}")


def read_json(path: Path) -> Any:
    """Read a file of JSON.

    Raises
    ------
    InputError
        It cannot be read, is larger than `slant.limits.LOG_BYTES`, or is not JSON.
    """
    return parsed(read_regular(path, limits.LOG_BYTES), path)


def parsed(raw: bytes, path: Path, part: str = "") -> Any:
    """Read JSON from bytes.

    Parameters
    ----------
    raw
        The text, in UTF-8.
    path, part
        Where it was found, for messages: the file, and which part of it.

    Raises
    ------
    InputError
        It is not JSON.
    """
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        where = f"{part}: " if part else ""
        raise InputError(f"{where}this is not JSON ({error})", file=path) from error


def table(value: Any) -> dict[str, Any]:
    """Take an object; whatever else stands there is none."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """Take a list; whatever else stands there is none."""
    return value if isinstance(value, list) else []


def cells(kept: Any) -> Row:
    """Turn what a tool keeps beside a sample into columns; what has parts becomes JSON.

    A column `item` is one of ours only if it holds an id of slant's.
    """
    found = {
        name: json.dumps(value) if isinstance(value, dict | list) else value
        for name, value in table(kept).items()
    }
    if not _ID.fullmatch(str(found.get("item"))):
        found.pop("item", None)
    return found


def last_turn(asked: Any) -> str | None:
    """Give a prompt, or of a conversation what was said last."""
    if isinstance(asked, list):
        asked = table(asked[-1]).get("content") if asked else None
    return spoken(asked)


def spoken(content: Any) -> str | None:
    """Give the text of a message, whose content may come in parts; thoughts are none of it."""
    if isinstance(content, list):
        parts = [table(part).get("text") for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None
