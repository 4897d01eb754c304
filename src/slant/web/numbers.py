"""Numbers in addresses: anybody may write one, of any length."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor

_DIGITS = 9
"""More than any page counts; Python refuses to read thousands."""


class _Number(Convertor[int]):
    regex = rf"[0-9]{{1,{_DIGITS}}}"

    def convert(self, value: str) -> int:
        """Read the number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Write the number."""
        return str(value)


register_url_convertor("number", _Number())

NUMBER = "{number:number}"
"""Part of a route: a section's number."""


def whole_number(text: str) -> int | None:
    """Read a whole number of at least 0; `None` if it is none, or longer than anything counted."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def page_number(text: str) -> int:
    """Read which page is asked for, from 1; the first if the text is no number."""
    return max(whole_number(text) or 1, 1)
