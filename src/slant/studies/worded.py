"""Values of groups that were asked about in several wordings and prompts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Worded:
    """What was measured on one axis.

    Attributes
    ----------
    axis, groups, kinds, prompts
        Names, in the order of the values.
    values
        Shape (groups, kinds, prompts); NaN where there is none.
    n
        How many answers each group's values rest on, by group.
    outcomes
        What became of the questions, by group.
    least
        Shape (groups,): the least standard error of each group's mean, from counting.
    texts
        What a wording says, by group and kind.
    """

    axis: str
    groups: Sequence[str]
    kinds: Sequence[str]
    prompts: Sequence[str]
    values: NDArray[np.float64]
    n: Mapping[str, int]
    outcomes: Mapping[str, Mapping[str, int]]
    least: NDArray[np.float64] | float = 0.0
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def table(self) -> pl.DataFrame:
        """Lay the values out: one row a wording and prompt."""
        rows = [
            (self.axis, group, kind, self.texts.get((group, kind), ""), prompt, float(value))
            for g, group in enumerate(self.groups)
            for k, kind in enumerate(self.kinds)
            for prompt, value in zip(self.prompts, self.values[g, k], strict=True)
            if np.isfinite(value)
        ]
        names = ("axis", "group", "kind", "wording", "condition")
        schema: dict[str, pl.DataType] = {name: pl.String() for name in names}
        return pl.DataFrame(rows, schema={**schema, "value": pl.Float64()}, orient="row")
