"""Drawings of a section's figures, each made once and kept beside the section.

Drawing is what takes long in a report: a tenth of a second a picture. So `sections/<number>/`
keeps each drawing as `drawings/<figure>-<width>.svg`, and whoever shows the section takes it from
there. New conclusions replace the whole folder, its drawings with it.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from slant.reports.figures import FIGURES, draw
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.svg import cleaned, drawing

if TYPE_CHECKING:
    from slant.studies.section import Section
    from slant.studies.study import Figure


class Drawings:
    """Drawings of one section.

    Parameters
    ----------
    section
        What is drawn.
    folder
        The section's folder in the run directory; `None` keeps nothing.
    """

    def __init__(self, section: Section, folder: Path | None = None):
        self.section = section
        self._folder = None if folder is None else folder / "drawings"

    def svg(self, figure: Figure, place: int, width: int) -> str:
        """Give a drawing: the stored one, or one made now, which is stored if that is possible.

        Parameters
        ----------
        figure, place
            One of the section's figures, and its place among them, from 1, for those who show an
            address in its stead.
        width
            Of the whole picture, in pixels.

        Raises
        ------
        InputError
            The figure's kind or table is unknown, or there is nothing to draw; a kind of
            somebody else's may raise anything.
        """
        if stored := self.stored(figure, width):
            return stored
        drawn = _drawn(figure, self.section, width)
        path = self._path(figure, width)
        if path is not None:
            with suppress(OSError):  # a run that may only be read is shown all the same
                _store(path, drawn)
        return drawn

    def stored(self, figure: Figure, width: int) -> str:
        """Give a stored drawing; empty if there is none."""
        path = self._path(figure, width)
        if path is not None:
            with suppress(OSError, UnicodeDecodeError):
                # Cleaned once more, since anybody may have had the file in hand.
                return cleaned(path.read_text(encoding="utf-8"))
        return ""

    def holds(self, figure: Figure) -> bool:
        """Tell whether both drawings of a figure, wide and narrow, are stored."""
        paths = (self._path(figure, width) for width in (WIDE, NARROW))
        return all(path is not None and path.is_file() for path in paths)

    def _path(self, figure: Figure, width: int) -> Path | None:
        """Name a file by all that the figure asks for: its place may be another's tomorrow."""
        if self._folder is None:
            return None
        asked = [figure.kind, figure.title, figure.table, dict(figure.options)]
        digest = hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()
        return self._folder / f"{digest[:16]}-{width}.svg"


def _drawn(figure: Figure, section: Section, width: int) -> str:
    from altair.utils.schemapi import debug_mode

    # Altair checks each mark against its schema, which is a quarter of the time: packaged figures
    # are checked where they are tested.
    with debug_mode(figure.kind not in FIGURES.builtin):
        return drawing(draw(figure, section, width=width))


def _store(path: Path, text: str) -> None:
    """Write a file that is never seen half-written, whoever else writes it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".new")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(draft).replace(path)
