"""Which pictures show profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.records import SURE
from slant.studies.profiles.metrics import ACCURACY, RECOGNITION
from slant.studies.profiles.telling_apart import view_of
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.studies.profiles.people import Cast

_FIELDS = 3
_TAKEN = (
    "Rows: whose profile; columns: whom it is taken for. Orange: more often than by chance; blue: "
    "less; grey: could be chance. Larger: further from chance."
)
_OFTEN = (
    "Orange: this group's names get the word more often than all others; blue: less; grey: could "
    "be chance. Larger: further apart."
)


def importance_tables(table: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Cut the table of importances into one a cast, which is what a picture shows."""
    return {
        f"importance_{number}": part
        for number, (_, part) in enumerate(
            table.group_by("axis", "condition", maintain_order=True), start=1
        )
    }


def figures_of(
    casts: Sequence[Cast], tables: Mapping[str, pl.DataFrame], condition: str, *, tested: bool
) -> list[Figure]:
    """Ask for pictures, in the order in which they are to be read.

    Accuracies are shown of all conditions, the rest of one: the tables hold everything.
    """
    figures = []
    if casts:
        title = "How well groups are told apart by profiles of names never seen"
        figures.append(Figure("forest", title, options={"metric": ACCURACY, "contrast": "rate"}))
    shown = [each for each in casts if each.condition == condition]
    for each in shown if tested else ():
        figures.append(
            Figure(
                "forest",
                f"Whose profiles are recognised: {view_of(each)}",
                options={
                    "metric": RECOGNITION, "contrast": "rate", "axis": each.axis,
                    "condition": each.condition,
                },
            )
        )  # fmt: skip
        title = f"Taken for whom, by profile: {view_of(each)}"
        figures.append(
            Figure(
                "heatmap",
                title,
                "confusion",
                {"view": view_of(each), "key": _TAKEN, "what": "recognised group"},
            )
        )
    for name, table in tables.items():
        if name.startswith("importance_") and table["condition"].first() == condition:
            axis = table["axis"][0]
            title = f"What is lost without each field: {axis} · {condition}"
            options = {"group": "field", "label": "accuracy lost, %"}
            figures.append(Figure("bars", title, name, options))
    figures += [
        Figure("heatmap", f"Words that groups get more or less often: {view}", "words",
               {"view": view, "key": _OFTEN, "what": "word"})
        for view in _telling_views(tables["words"].filter(condition=condition))
    ]  # fmt: skip
    return figures


def _telling_views(words: pl.DataFrame) -> list[str]:
    """Name the fields of each axis and condition with most words beyond chance."""
    if words.is_empty():
        return []
    order = words.group_by("view", "axis", "condition", maintain_order=True).agg(
        (pl.col("q") < SURE).sum().alias("sure"), pl.col("effect").abs().max().alias("size")
    )
    ranked = order.sort("sure", "size", descending=[True, True], maintain_order=True)
    best = ranked.group_by("axis", "condition", maintain_order=True).head(_FIELDS)
    return [view for view in order["view"].to_list() if view in set(best["view"])]
