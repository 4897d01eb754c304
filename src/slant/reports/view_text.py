"""What a kind of view gives a page."""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup


@dataclass(frozen=True)
class ViewText:
    """A view in writing.

    Attributes
    ----------
    markup
        What stands under its heading; empty where there is nothing to show.
    sensitive
        How many texts in it are blurred until the reader asks.
    leads
        Whether it stands before the findings, and not after the pictures.
    assets
        Name of a style sheet and a script beside slant's own templates that it needs; may be
        empty. A page loads no others.
    """

    markup: Markup = field(default_factory=Markup)
    sensitive: int = 0
    leads: bool = False
    assets: str = ""
