"""How long a server wants to be left alone, as the headers of its replies say it."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"(\d{1,12}(?:\.\d{1,12})?)(ms|s|m|h|d)")
_COUNTED = ("requests", "tokens")


def wait_asked_for(headers: Mapping[str, str]) -> float | None:
    """Read the seconds to wait from a reply that turns a question away; `None` if it names none.

    `retry-after-ms` and `Retry-After` (seconds, or a date) come first, then the moment at which
    what is used up comes back.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    after = headers.get("retry-after", "")
    waits = (_number(after), _until(after), wait_until_refilled(headers))
    return next((wait for wait in waits if wait is not None), None)


def wait_until_refilled(headers: Mapping[str, str]) -> float | None:
    """Read the seconds until the server takes questions again, where it says that it is used up.

    Read are `x-ratelimit-remaining-requests` with `x-ratelimit-reset-requests`, the same for
    tokens, and `ratelimit-remaining` with `ratelimit-reset`; `None` where something is left.
    """
    pairs = [("ratelimit-remaining", "ratelimit-reset")]
    pairs += [(f"x-ratelimit-remaining-{each}", f"x-ratelimit-reset-{each}") for each in _COUNTED]
    waits = [
        _duration(headers.get(reset, ""))
        for remaining, reset in pairs
        if _number(headers.get(remaining, "")) == 0
    ]
    return max((wait for wait in waits if wait is not None), default=None)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _duration(text: str) -> float | None:
    """Read `6m0s`, `20ms`, or plain seconds."""
    parts = _PART.findall(text)
    if parts and "".join(map("".join, parts)) == text:
        return sum(float(number) * _UNITS[unit] for number, unit in parts)
    return _number(text)


def _until(date: str) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except (ValueError, IndexError, OverflowError):
        return None
    then = then if then.tzinfo is not None else then.replace(tzinfo=UTC)
    return max((then - datetime.now(UTC)).total_seconds(), 0.0)
