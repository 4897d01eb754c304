"""What of a section is read or explored besides its figures, by kind: pairs, stories, a graph.

A study declares `View`s. What writes one takes its table and the keyword arguments `name` (prefix
of identifiers, unique in the page), `title` and `room`, besides the view's options, and returns
mark-up, or a `ViewText` that says more of it. Text that is no mark-up is escaped. Further kinds
come from the entry point group `slant.views`, or are named as `module:function` where the user
allows it (`slant --plugin`).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import escape

from slant.errors import InputError
from slant.registry import Registry
from slant.reports.page_budget import ROOMS
from slant.reports.safe_text import one_line
from slant.reports.view_text import ViewText

if TYPE_CHECKING:
    from slant.reports.page_budget import Room
    from slant.studies.section import Section
    from slant.studies.study import View

VIEWS = Registry(
    "view",
    {
        "articles": "slant.reports.articles:written_articles",
        "graph": "slant.reports.graph:written_graph",
        "pairs": "slant.reports.pairs:written_pairs",
        "stories": "slant.reports.stories:written_stories",
    },
    "slant.views",
)


@dataclass(frozen=True)
class WrittenView:
    """A view, ready for a page.

    Attributes
    ----------
    name
        Identifier, unique in the page.
    look
        Class of its section: the kind, where it is one of slant's own.
    title
        Its heading.
    table
        Which of the section's tables it shows.
    text
        Its mark-up, and what the page must know of it.
    failure
        Why it could not be written; empty when it was.
    """

    name: str
    look: str
    title: str
    table: str
    text: ViewText
    failure: str = ""


def written_views(section: Section, name: str, room: Room = ROOMS[0]) -> list[WrittenView]:
    """Write a section's views, in the order declared; those with nothing to show are left out.

    Parameters
    ----------
    section
        What a study concluded.
    name
        Prefix of the identifiers, unique in the page.
    room
        How much is shown.
    """
    written = (
        _written(view, section, f"{name}-v{place}", room)
        for place, view in enumerate(section.analysis.views, start=1)
    )
    return [each for each in written if each.text.markup or each.failure]


def _written(view: View, section: Section, name: str, room: Room) -> WrittenView:
    """Write a view; one that fails says so in its place, and the rest of the page stands."""
    title = one_line(view.title, 240)
    look = view.kind if view.kind in VIEWS.builtin else "view"
    try:
        tables = section.analysis.tables
        if view.table not in tables:
            known = ", ".join(sorted(tables)) or "none"
            raise InputError(f"it shows table {view.table!r}; there is {known}")  # noqa: TRY301
        write = VIEWS.get(view.kind)
        made = write(tables[view.table], name=name, title=title, room=room, **view.options)
        text = made if isinstance(made, ViewText) else ViewText(escape(made))
    except Exception as error:  # a plug-in's view may raise anything, and the table be anybody's
        failure = f"{type(error).__name__}: {error}"
        warnings.warn(f"view {view.title!r} cannot be shown: {failure}", stacklevel=2)
        return WrittenView(name, look, title, view.table, ViewText(), failure)
    return WrittenView(name, look, title, view.table, text)
