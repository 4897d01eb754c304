"""Which pictures show the cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.studies.likelihood.findings import STRENGTH
from slant.studies.likelihood.views import AXES
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.studies.likelihood.views import View

_WHOM = {
    "intersectional": "groups of the same gender",
    "ethnicity": "ethnicities",
    "gender": "genders",
}


def figures_of(views: Sequence[View]) -> list[Figure]:
    """Ask for the pictures of every view, in the order in which they are to be read."""
    figures = []
    for view in views:
        whom, axis = _WHOM[view.name], AXES[view.name]
        title = f"How far the model sets each group apart, among {whom}"
        figures.append(Figure("forest", title, options={"metric": STRENGTH, "axis": axis}))
        figures += cell_figures(view)
    return figures


def cell_figures(view: View) -> list[Figure]:
    """Ask for the pictures of a view's cells: one, or three for groups of both kinds."""
    whom, options = _WHOM[view.name], {"view": view.name}
    title = f"Which descriptors lean to whom, among {whom}"
    figures = [Figure("heatmap", title, "cells", options)]
    if view.name == "intersectional":
        figures += [
            Figure("ranked", "The strongest descriptors of each group", "cells", options),
            Figure("strip", "Where all groups stand on the strongest", "cells", options),
        ]
    return figures
