"""Views of sections that an older slant stored: none declared, tables known by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.studies.study import View

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from slant.studies.study import Figure

_BY_NAME = {
    "templates": View("pairs", "Sentences that differ in the group only", "counterfactuals"),
    "news": View("articles", "Texts beside their references", "article_pairs"),
    "story": View("stories", "Captions and the stories told about them", "stories"),
}
_GRAPH = "graph"


def declared_before(
    study: str, figures: Sequence[Figure], tables: Collection[str]
) -> tuple[list[Figure], list[View]]:
    """Tell views from figures where the section declares none.

    Parameters
    ----------
    figures
        As they were stored; a graph to explore was one of them.
    tables
        Names of the section's tables.

    Returns
    -------
    tuple of list
        The figures that are drawn, and the views.
    """
    views = [View(each.kind, each.title, each.table) for each in figures if each.kind == _GRAPH]
    known = _BY_NAME.get(study)
    if known is not None and known.table in tables:
        views.append(known)
    return [each for each in figures if each.kind != _GRAPH], views
