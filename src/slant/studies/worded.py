"""Values of groups that were asked about in several wordings and prompts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.stats.filled_cells import comparable_groups
from slant.studies.filing import outcomes_by_group

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Worded:
    """What was measured on one axis.

    Attributes
    ----------
    axis, groups, kinds, prompts
        Names, in the order of the values; of groups those with values in enough cells
        (`comparable_groups`).
    values
        Shape (groups, kinds, prompts); NaN where there is none.
    n
        How many answers each group's values rest on, by group: all that were asked about.
    outcomes
        What became of the questions, by group.
    least
        Shape (groups,): the least standard error of each group's mean, from counting.
    texts
        What a wording says, by group and kind.
    asked
        How many cells kind × prompt were asked with: not all where wordings take turns.
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
    asked: int = 0

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


@dataclass(frozen=True, eq=False)
class Held:
    """Groups, and the placebo groups that their differences are held against.

    Attributes
    ----------
    real
        The groups.
    controls
        Placebo axes that were asked about in the same way.
    condition, slots
        What the values are of, where the groups are compared in several things: a noun.
    """

    real: Worded
    controls: Sequence[Worded]
    condition: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)


def lay_out(asked: pl.DataFrame, values: pl.DataFrame, *, shares: bool = False) -> Worded:
    """Lay the values of one axis out by group, kind of wording and prompt.

    Parameters
    ----------
    asked
        One row a question: `axis`, `group`, `kind`, `wording`, `condition` (the prompt), `outcome`.
    values
        What was measured: `group`, `kind`, `condition`, `value`, averaged over a cell; and `n`, if
        a value rests on several answers.
    shares
        Whether values are of the kind yes or no: even where all are alike, the next may differ.
    """
    by = ("group", "kind", "condition")
    names = {column: asked[column].unique(maintain_order=True).to_list() for column in by}
    answers = pl.col("n").sum() if "n" in values.columns else pl.len()
    cells = values.drop_nulls("value").group_by(by).agg(pl.col("value").mean(), answers.alias("n"))
    laid, n = np.full((2, *(len(each) for each in names.values())), np.nan)
    for row in cells.iter_rows(named=True):
        place = tuple(each.index(row[column]) for column, each in names.items())
        laid[place], n[place] = row["value"], row["n"]
    total = np.nansum(n, axis=(1, 2))
    known = comparable_groups(laid)
    texts = asked.select("group", "kind", "wording").unique()
    return Worded(
        axis=asked["axis"][0],
        groups=[group for group, some in zip(names["group"], known, strict=True) if some],
        kinds=names["kind"],
        prompts=names["condition"],
        values=laid[known],
        n=dict(zip(names["group"], total.astype(int).tolist(), strict=True)),
        outcomes=outcomes_by_group(asked),
        least=_counted(np.nansum(laid * n, axis=(1, 2)), total)[known] if shares else 0.0,
        texts={(group, kind): wording for group, kind, wording in texts.iter_rows()},
        asked=asked.select("kind", "condition").n_unique(),
    )


def _counted(hits: NDArray[np.float64], total: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the standard error of a share that comes from counting alone, even of none or all."""
    share = (hits + 0.5) / (total + 1)
    return np.asarray(np.sqrt(share * (1 - share) / np.maximum(total, 1)))
