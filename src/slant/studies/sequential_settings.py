"""What a suite may set of when a study stops asking."""

from __future__ import annotations

from pydantic import field_validator

from slant.studies.study import Settings
from slant.studies.until import parse_until


class SequentialSettings(Settings):
    """What a suite may set of studies that count texts and can stop early."""

    until: str = ""
    """Stop asking when this is known: `width<0.1` or `decided harm>5 points`. `samples` are then
    the most that are asked for. Empty asks for all."""

    @field_validator("until")
    @classmethod
    def _is_rule(cls, text: str) -> str:
        if text:
            parse_until(text)
        return text
