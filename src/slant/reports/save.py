"""Saves a chart as a picture file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError

if TYPE_CHECKING:
    from altair.typing import ChartType

_FORMATS = (".svg", ".pdf", ".png", ".json")


def save_chart(chart: ChartType, path: Path | str) -> Path:
    """Save a chart in the format that the file's name ends in.

    Parameters
    ----------
    chart
        What to save.
    path
        Ends in `.svg`, `.pdf`, `.png` (at twice the size) or `.json` (Vega-Lite).

    Returns
    -------
    pathlib.Path
        Where it was saved.

    Raises
    ------
    InputError
        The ending is none of these.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in _FORMATS:
        raise InputError(f"a chart is saved as {', '.join(_FORMATS)}, not {suffix!r}", file=path)
    from slant.reports.svg import pdf_of, png_of, svg_of

    if suffix == ".svg":
        path.write_text(svg_of(chart), encoding="utf-8")
    elif suffix == ".pdf":
        path.write_bytes(pdf_of(svg_of(chart)))
    elif suffix == ".png":
        path.write_bytes(png_of(svg_of(chart)))
    else:
        path.write_text(chart.to_json(), encoding="utf-8")
    return path
