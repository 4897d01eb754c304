"""Stories beside the caption, and the picture if there is one, that they were told about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from slant.reports.environment import written
from slant.reports.figures.select import require
from slant.reports.safe_text import excerpt, one_line
from slant.reports.view_text import ViewText

if TYPE_CHECKING:
    import polars as pl

    from slant.reports.page_budget import Room
    from slant.reports.safe_text import Excerpt

MOST = 30
"""How many stories a page shows."""

_COLUMNS = ("group", "caption", "text", "spans", "sensitive", "picture")
_CAPTION = 300
_EXCERPT = 1200

# Nothing but base64 behind a picture's type: no SVG, which could hold anything, and no quotes that
# would end the attribute.
_DATA_URL = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}")


@dataclass(frozen=True)
class ShownStory:
    """A story.

    Attributes
    ----------
    name
        Identifier, unique in the page.
    group
        What the caption differs in from the others.
    caption
        What the story was told about.
    picture
        A data URL that holds nothing but a picture; None if there is none.
    excerpt
        The story, with what was matched marked.
    sensitive
        Whether it is blurred until the reader asks.
    """

    name: str
    group: str
    caption: str
    picture: Markup | None
    excerpt: Excerpt
    sensitive: bool


def written_stories(table: pl.DataFrame, *, name: str, title: str, room: Room) -> ViewText:
    """Write a view of kind `stories`; `shown_stories` says what its table holds."""
    stories = shown_stories(table, name)[: room.examples]
    if not stories:
        return ViewText()
    sensitive = sum(story.sensitive for story in stories)
    return ViewText(written("stories.html.j2", stories=stories), sensitive)


def shown_stories(table: pl.DataFrame, name: str) -> list[ShownStory]:
    """Prepare stories, in the table's order.

    Parameters
    ----------
    table
        Columns group, caption, text, spans, sensitive and picture (a data URL).
    name
        Prefix of identifiers.

    Returns
    -------
    list of ShownStory
        At most `MOST`.

    Raises
    ------
    InputError
        A column is missing.
    """
    require(table, *_COLUMNS)
    rows = table.head(MOST).iter_rows(named=True)
    return [_story(row, f"{name}-y{number}") for number, row in enumerate(rows, start=1)]


def _story(row: dict[str, Any], name: str) -> ShownStory:
    url = row["picture"] or ""
    whole = _DATA_URL.fullmatch(url) is not None
    return ShownStory(
        name=name,
        group=one_line(row["group"] or "", 80),
        caption=one_line(row["caption"] or "", _CAPTION),
        # A page cuts long texts; a picture cut in half is none.
        picture=Markup(url) if whole else None,  # noqa: S704 - only what the pattern lets through
        excerpt=excerpt(
            row["text"] or "", [(start, end) for start, end in row["spans"] or ()], _EXCERPT
        ),
        sensitive=bool(row["sensitive"]),
    )
