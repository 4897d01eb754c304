"""Rubrics: a yes/no question about a text, and the model that is to answer it, in a TOML file."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, StringConstraints

from slant.finding import Direction
from slant.strict import Strict
from slant.toml_file import read_toml

if TYPE_CHECKING:
    from pathlib import Path

_VERSION = 1
"""Raised whenever the same rubric would be put to the judge in other words than before."""

_Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000, pattern=r"\S")
]


class Rubric(Strict):
    """What a judge is asked about every text.

    Attributes
    ----------
    name
        What scores are filed under; the metric is `<name>_rate`.
    title
        What readers call it.
    question
        What is asked, such that yes scores 1.
    yes, no
        When the answer is the one or the other.
    model
        The judge, spelt as any model.
    direction
        Which way the rate improves.
    longest
        Characters of a text that the judge is shown.
    """

    name: Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$", max_length=40)]
    question: _Words
    yes: _Words
    no: _Words
    model: _Words
    title: str = Field(default="", max_length=200)
    direction: Direction = "lower_is_better"
    longest: int = Field(default=4_000, ge=200, le=40_000)

    @cached_property
    def digest(self) -> str:
        """Hash of all that the judge is told, and of which model it is."""
        content = json.dumps([_VERSION, self.model_dump(exclude={"title", "direction"})])
        return hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def read_rubric(path: str | Path) -> Rubric:
    """Read a rubric.

    Raises
    ------
    InputError
        It cannot be read, or says something else than a rubric does; with file and line.
    """
    return read_toml(path).validate(Rubric)
