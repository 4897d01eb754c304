"""Where a value lies in JSON: `choices[0].message.content`, with `[-1]` for the last of a list."""

from __future__ import annotations

import re
from typing import Any

_STEP = re.compile(r"\[(-?\d{1,6})\]|(?:^|\.)([^.\[\]\s]+)")
_SHOWN = 8


def parse_path(text: str) -> tuple[str | int, ...]:
    """Take a path apart: keys, and places in lists counted from 0.

    Raises
    ------
    ValueError
        It is no path; the message says how one is written.
    """
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or (at == 0 and text[0] == "."):
            break
        steps.append(int(found[1]) if found[1] else found[2])
        at = found.end()
    if not steps or at < len(text):
        raise ValueError(
            f"{text!r} is no way into JSON: write keys with points between them and places in "
            'square brackets, for example "choices[0].message.content"'
        )
    return tuple(steps)


def find(value: Any, steps: tuple[str | int, ...]) -> Any:
    """Give what lies at a path.

    Raises
    ------
    LookupError
        Nothing does; the message says what there is instead.
    """
    for step in steps:
        known = _size(value) if isinstance(step, int) else value if isinstance(value, dict) else ()
        if step not in known:
            shown = f"[{step}]" if isinstance(step, int) else repr(step)
            raise LookupError(f"{shown} is looked for in {_what(value)}")
        value = value[step]
    return value


def _size(value: Any) -> range:
    """Give the places of a list, counted from either end."""
    return range(-len(value), len(value)) if isinstance(value, list) else range(0)


def _what(value: Any) -> str:
    if isinstance(value, dict):
        keys = [repr(key[:40]) for key in value][:_SHOWN]
        more = ", …" if len(value) > _SHOWN else ""
        return f"an object with {', '.join(keys)}{more}" if keys else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    names = {str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")
