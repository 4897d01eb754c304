"""Which name or sentence a difference hangs on, and what to add more of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.stats.left_out import error_shares
from slant.studies.likelihood.affinity import by_template
from slant.studies.likelihood.views import AXES
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.stats.arrays import Floats
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.views import View

TABLE = "left_out"
_SHOWN = 12
_SCHEMA = pl.Schema(
    {
        "axis": pl.String(), "group": pl.String(), "left_out": pl.String(), "which": pl.String(),
        "value": pl.Float64(), "all": pl.Float64(),
    }
)  # fmt: skip
_MORE = {
    "wordings": ("names", "from names of one group that differ"),
    "prompts": ("templates", "from groups being treated differently in one sentence than the next"),
    "combinations": ("names or more templates", "from single names in single sentences"),
}


def left_out_table(
    views: Sequence[View], grid: Grid, values: Floats, chosen: pl.DataFrame
) -> pl.DataFrame:
    """List the strongest differences of each view with one name or one sentence left out.

    Parameters
    ----------
    views, grid
        Who is compared, and what was asked.
    values
        What `log_probability` gives: shape (names, descriptors, templates).
    chosen
        Cells in the order of their strength: `view`, `group`, `descriptor`.

    Returns
    -------
    polars.DataFrame
        `axis`, `group` (with the descriptor), `left_out` (`wording` for a name of the group,
        `prompt` for a template), `which`, `value` without it, and `all`, with everything.
    """
    rows = [row for view in views for row in _rows(view, grid, values, chosen)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _rows(
    view: View, grid: Grid, values: Floats, chosen: pl.DataFrame
) -> Iterator[tuple[str, str, str, str, float, float]]:
    cells = chosen.filter(view=view.name).select("group", "descriptor").head(_SHOWN).rows()
    columns = [grid.descriptors.index(descriptor) for _, descriptor in cells]
    own = values[:, columns]
    every = _differences(view, own.mean(axis=2))
    groups = [each.group for each in view.groups]
    people = grid.people["name"].to_list()
    several = len(grid.templates) > 1
    without = [
        _differences(view, np.delete(own, place, axis=2).mean(axis=2))
        for place in range(len(grid.templates) if several else 0)
    ]
    for column, (group, descriptor) in enumerate(cells):
        row = groups.index(group)
        about = AXES[view.name], f"{group}: {descriptor}"
        whole = float(every[row, column])
        for template, less in zip(grid.templates, without, strict=False):
            yield *about, "prompt", template, float(less[row, column]), whole
        for number, reduced in _without_each_name(view, group):
            less = _differences(reduced, own[:, [column]].mean(axis=2))
            yield *about, "wording", people[number], float(less[row, 0]), whole


def _without_each_name(view: View, group: str) -> Iterator[tuple[int, View]]:
    """Leave out the names of a group one by one; nothing where it has but one."""
    for place, family in enumerate(view.families):
        labels = [each.group for each in family.groups]
        if group not in labels:
            continue
        members = np.flatnonzero(family.labels == labels.index(group))
        for at in members if len(members) > 1 else ():
            reduced = replace(
                family,
                rows=np.delete(family.rows, at),
                labels=np.delete(family.labels, at),
                strata=None if family.strata is None else np.delete(family.strata, at),
            )
            families = [*view.families[:place], reduced, *view.families[place + 1 :]]
            yield int(family.rows[at]), replace(view, families=families)


def _differences(view: View, values: Floats) -> Floats:
    """Give each group's difference from the median of the others: (groups, descriptors)."""
    return by_template(view, values[..., np.newaxis])[..., 0]


def advice(view: View, grid: Grid, values: Floats, chosen: pl.DataFrame) -> str:
    """Say in one sentence what would make the differences surer; empty where that is not known."""
    cells = chosen.filter(view=view.name)["descriptor"].unique(maintain_order=True).head(_SHOWN)
    found = []
    for family in view.families:
        fewest = int(np.bincount(family.labels).min())
        members = [family.rows[family.labels == label][:fewest]
                   for label in range(len(family.groups))]  # fmt: skip
        for descriptor in cells:
            own = values[np.stack(members), grid.descriptors.index(descriptor)]
            found.append(error_shares(own))
    known = [each for each in found if each]
    if not known:
        return ""
    shares = {name: float(np.mean([each[name] for each in known])) for name in _MORE}
    worst = max(shares, key=lambda name: shares[name])
    more, where = _MORE[worst]
    share = f"{shares[worst]:.0%}"
    return f"Add more {more}: {share} of what makes these differences unsure comes {where}."


def left_out_figures(
    views: Sequence[View], grid: Grid, values: Floats, chosen: pl.DataFrame
) -> list[Figure]:
    """Draw the strongest differences with one name or sentence left out, one picture a view."""
    return [
        Figure(
            "left_out",
            "What it hangs on: the strongest differences with one name of the group, or one "
            f"sentence, left out. {advice(view, grid, values, chosen)}".strip(),
            TABLE,
            {"axis": AXES[view.name], "wording": "names", "prompt": "sentences"},
        )
        for view in views
        if not chosen.filter(view=view.name).is_empty()
    ]
