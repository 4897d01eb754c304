"""What a suite may set of how groups are worded."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from slant.studies.study import Settings


class WordedSettings(Settings):
    """What a suite may set of studies that name every group in all its wordings."""

    wordings: Literal["one", "all"] = "one"
    """`all` names every group in all its wordings, in turn: a finding is then about the group, and
    not about a word. The method `paper` always has one."""
    placebo_share: float = Field(default=0.25, ge=0, le=0.5)
    """With `wordings = "all"`: the share of all questions that ask about groups that cannot matter
    (months, invented peoples), which findings are held against; 0 for none."""
