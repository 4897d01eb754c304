"""What files of slant's own formats are read into: tables of known keys, checked by pydantic."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, StringConstraints

Text: TypeAlias = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]
"""A line without white space at its ends."""


class Strict(BaseModel):
    """A table that stays as it was read; a key that means nothing is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
