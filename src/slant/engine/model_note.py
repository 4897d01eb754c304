"""What a suite notes of a model besides what it is asked: `[[model]]`."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import StringConstraints, field_validator

from slant.strict import Strict

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmbt])", re.IGNORECASE)
_MANY = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}
_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")


class ModelNote(Strict):
    """What is known of a model.

    Attributes
    ----------
    name
        Of the model, as reports call it.
    size
        How many parameters it has: `7B`, `360M`.
    date
        When it came out: `2024`, `2024-05` or `2024-05-13`.
    """

    name: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    size: str = ""
    date: str = ""

    @field_validator("size")
    @classmethod
    def _is_size(cls, text: str) -> str:
        if text and not _SIZE.fullmatch(text):
            raise ValueError('write the number of parameters like "7B" or "360M"')
        return text

    @field_validator("date")
    @classmethod
    def _is_date(cls, text: str) -> str:
        if text:
            _day(text)
        return text

    def at(self, what: str) -> float | str:
        """Give its size in parameters, or its date in full; for `size` or `date`."""
        if what == "date":
            return _day(self.date).isoformat()
        found = _SIZE.fullmatch(self.size)
        return float(found[1]) * _MANY[found[2].lower()] if found else 0.0

    def order(self, what: str) -> float:
        """Give what models are ordered by; for `size` or `date`."""
        at = self.at(what)
        return float(date.fromisoformat(at).toordinal()) if isinstance(at, str) else at


def _day(text: str) -> date:
    """Read a date; a month stands for its middle, a year for its.

    Raises
    ------
    ValueError
        It is none.
    """
    found = _DATE.fullmatch(text)
    if found is None:
        raise ValueError('write the date like "2024-05-13", "2024-05" or "2024"')
    year, month, day = found.groups()
    return date(int(year), int(month or 7), int(day or (15 if month else 1)))
