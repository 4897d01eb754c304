"""From the bytes of a reply to the JSON object in it, or words that say why there is none.

What the object holds is read with suspicion, since every server has its own idea of the format:
whatever is missing or of the wrong type counts as not said.
"""

from __future__ import annotations

import json
from typing import Any

from slant.records import MOST_TOKENS

_CHARSETS = {
    "utf-8": "utf-8-sig", "utf8": "utf-8-sig", "us-ascii": "ascii",
    "iso-8859-1": "latin-1", "latin-1": "latin-1", "windows-1252": "cp1252",
}  # fmt: skip
"""What a server may say that its reply is written in; anything else must be UTF-8, as JSON is."""

_DIGITS = 18
"""Longer whole numbers count as not said: nothing that is counted here is as large."""


def json_object(content: bytes, charset: str | None = None) -> dict[str, Any]:
    """Decode a reply.

    Parameters
    ----------
    content
        The bytes.
    charset
        As the reply's content type names it.

    Raises
    ------
    ValueError
        It holds no JSON object; the message says what is the matter.
    """
    if not content.strip():
        raise ValueError("the reply is empty")
    try:
        text = content.decode(_CHARSETS.get((charset or "utf-8").lower(), "utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("the reply is not the text that it says it is (UTF-8)") from None
    try:
        decoded = json.loads(text, parse_int=_whole_number)
    except (ValueError, RecursionError):
        raise ValueError("the reply is not JSON, or was cut off") from None
    if not isinstance(decoded, dict):
        raise ValueError("the reply is not a JSON object")  # noqa: TRY004 - a fault of its content
    return decoded


def _whole_number(digits: str) -> int | None:
    return int(digits) if len(digits) <= _DIGITS else None


def text_of(value: object) -> str | None:
    """Take a string, with half characters (lone surrogates, which no file can hold) replaced."""
    if not isinstance(value, str):
        return None
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def count_of(value: object) -> int | None:
    """Take a number of tokens that a question can have cost; any other counts as not said."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MOST_TOKENS else None


def mapping_of(value: object) -> dict[str, Any]:
    """Take an object; anything else counts as an empty one."""
    return value if isinstance(value, dict) else {}


def mappings_of(value: object) -> list[dict[str, Any]]:
    """Take the objects of a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
