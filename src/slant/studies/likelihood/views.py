"""Who is compared with whom: groups within a gender, ethnicities, genders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

AXES = {"intersectional": "ethnicity × gender", "ethnicity": "ethnicity", "gender": "gender"}
"""What findings of each view call their axis."""


@dataclass(frozen=True)
class Compared:
    """A group in a view; what it says nothing about is empty."""

    group: str
    gender: str
    ethnicity: str


@dataclass(frozen=True)
class Family:
    """Groups that are compared with each other.

    Attributes
    ----------
    groups
        Who.
    rows
        Shape (names,): numbers of their names in the grid.
    labels
        Shape (names,): number of each name's group.
    strata
        Shape (names,): names are exchanged within a stratum only; `None` if there is but one.
    """

    groups: list[Compared]
    rows: NDArray[np.intp]
    labels: NDArray[np.intp]
    strata: NDArray[np.intp] | None


@dataclass(frozen=True)
class View:
    """One way to look at the names.

    Attributes
    ----------
    name
        A key of `AXES`.
    families
        What is compared, separately.
    """

    name: str
    families: list[Family]

    @property
    def groups(self) -> list[Compared]:
        """All groups, in the order of the families."""
        return [group for family in self.families for group in family.groups]


def views_of(people: pl.DataFrame) -> tuple[list[View], list[str]]:
    """Choose the views that the names allow, and say who is left out of which.

    *intersectional*: the groups of one gender among each other. *ethnicity*: ethnicities, names
    exchanged within a gender. *gender*: genders, names exchanged within an ethnicity. The last
    two take the ethnicities that have names of every gender: for the others, what is due to
    gender could not be told from what is due to ethnicity.

    Parameters
    ----------
    people
        One row a name: `group`, `gender`, `ethnicity`.
    """
    families, notes = [], []
    numbered = people.with_row_index("row")
    for (gender,), own in numbered.group_by("gender", maintain_order=True):
        known = own.select("group", "gender", "ethnicity").unique(maintain_order=True)
        if known.height < 2:
            notes.append(
                f"{known['group'][0]} is compared with nobody: there is no other group of the "
                f"gender {gender!r}."
            )
            continue
        groups = [Compared(**row) for row in known.iter_rows(named=True)]
        rows, labels = own["row"].to_numpy(), _codes(own["group"])
        families.append(Family(groups, rows.astype(np.intp), labels, None))
    views = [View("intersectional", families)] if families else []
    genders = people["gender"].unique(maintain_order=True).to_list()
    if len(genders) < 2:
        return views, notes
    sides = people.group_by("ethnicity", maintain_order=True).agg(pl.col("gender").n_unique())
    whole = sides.filter(pl.col("gender") == len(genders))["ethnicity"].to_list()
    one_sided = [each for each in sides["ethnicity"] if each not in whole]
    if one_sided:
        notes.append(
            "Left out of the views by ethnicity and by gender, because they lack names of some "
            f"gender: {', '.join(one_sided)}."
        )
    both = numbered.filter(pl.col("ethnicity").is_in(whole))
    rows = both["row"].to_numpy().astype(np.intp)
    ethnicity, gender = _codes(both["ethnicity"]), _codes(both["gender"])
    if len(whole) > 1:
        groups = [
            Compared(each, "", each) for each in both["ethnicity"].unique(maintain_order=True)
        ]
        views.append(View("ethnicity", [Family(groups, rows, ethnicity, gender)]))
    if whole:
        groups = [Compared(each, each, "") for each in both["gender"].unique(maintain_order=True)]
        strata = ethnicity if len(whole) > 1 else None
        views.append(View("gender", [Family(groups, rows, gender, strata)]))
    return views, notes


def _codes(values: pl.Series) -> NDArray[np.intp]:
    """Give each value a number, in the order in which they first come."""
    order = {value: code for code, value in enumerate(values.unique(maintain_order=True))}
    return np.array([order[value] for value in values], dtype=np.intp)
