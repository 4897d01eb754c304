"""Tables of a section, narrowed to what they say about one group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.views import TableView
from slant.reports.written_table import written_table

if TYPE_CHECKING:
    from slant.studies.section import Section

_WHOM = ("group", "subject")
_MOST = 40


def tables_about(section: Section, group: str, condition: str = "") -> list[TableView]:
    """Narrow every table that has groups to one of them, and to a condition where it has that.

    Parameters
    ----------
    section
        Its tables have the group in a column `group` or `subject`, the condition in `condition`,
        `descriptor` or `word`.
    group, condition
        What to look for; an empty condition is any.
    """
    import polars as pl

    views = []
    for place, (name, frame) in enumerate(section.analysis.tables.items(), start=1):
        whom = next((column for column in _WHOM if column in frame.columns), None)
        if whom is None:
            continue
        part = frame.filter(pl.col(whom).cast(pl.String) == group)
        for column in ("condition", "descriptor", "word"):
            if condition and column in frame.columns and condition in frame[column].to_list():
                part = part.filter(pl.col(column) == condition)
        if not part.is_empty():
            views.append(
                TableView(
                    name=f"about-{place}",
                    title=name.replace("_", " ").capitalize(),
                    size=part.height,
                    table=written_table(part, _MOST),
                    sensitive=bool({"text", "raw", "statement", "object"} & set(part.columns)),
                )
            )
    return views
