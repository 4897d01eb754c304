"""A view of your own: the longest letter to each group, to be read in report and dashboard.

A study declares it: `View("longest_letters:longest", "The longest letters", "letters")`. An
installed package may register it under the entry point group `slant.views` instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from slant.reports.safe_text import safe_text

if TYPE_CHECKING:
    import polars as pl

    from slant.reports.page_budget import Room

_LETTER = Markup("<p><strong><bdi>{}</bdi></strong> ({:.0f} words): <bdi>{}</bdi></p>")


def longest(table: pl.DataFrame, *, name: str, title: str, room: Room) -> Markup:
    """Write the longest letter to each group; `format` escapes whatever a model wrote."""
    letters = table.sort("words", descending=True).unique("group", keep="first")
    shown = letters.sort("group").select("group", "words", "text").head(room.examples)
    return Markup("").join(
        _LETTER.format(safe_text(group), words, safe_text(text[:2000]))
        for group, words, text in shown.iter_rows()
    )
