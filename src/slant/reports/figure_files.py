"""Every figure of a run as files: SVG, PDF, PNG and Vega-Lite, with an index."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.across_models import figures_of_all
from slant.reports.figures import draw
from slant.reports.markdown import escaped
from slant.reports.pictures import default_figures
from slant.reports.safe_text import file_name
from slant.reports.svg import pdf_of, png_of, svg_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from slant.studies.section import Section
    from slant.studies.study import Figure

_TITLE, _MODEL, _LABEL = 48, 32, 24
_ALL = "all models"


@dataclass(frozen=True)
class FigureFile:
    """One figure.

    Attributes
    ----------
    name
        What its files are called, without the ending.
    section, figure
        Where it comes from, and what it is.
    failure
        Why it could not be drawn; empty when it was.
    """

    name: str
    section: Section
    figure: Figure
    failure: str = ""


def write_figures(sections: Sequence[Section], directory: Path) -> list[FigureFile]:
    """Write all figures of a run into a directory, and `index.md` beside them.

    Each becomes `01-completion-embedded-forest-how-often-….svg`, `.pdf`, `.png` (at twice the
    size) and `.json` (Vega-Lite): its number in the report, study, model, kind and title. The same
    run gives the same names.

    Parameters
    ----------
    sections
        What each study concluded about each model.
    directory
        Made if it is not there; files of the same names are replaced.

    Returns
    -------
    list of FigureFile
        In the report's order.

    Raises
    ------
    InputError
        The directory cannot be written to.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        written = [_written(each, directory) for each in _named(sections)]
        (directory / "index.md").write_text(_index(written), encoding="utf-8")
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"cannot write figures into {directory}: {reason}") from error
    return written


def _named(sections: Sequence[Section]) -> Iterator[FigureFile]:
    own = [(section, figure) for section in sections for figure in default_figures(section)]
    of_all = [
        (replace(section, model=_ALL), figure) for section, figure in figures_of_all(sections)
    ]
    for number, (section, figure) in enumerate([*own, *of_all], start=1):
        parts = (
            f"{number:02d}",
            file_name(section.label, _LABEL),
            file_name(section.model, _MODEL),
            file_name(figure.kind.rpartition(":")[2], _LABEL),
            file_name(figure.title, _TITLE),
        )
        yield FigureFile("-".join(part for part in parts if part), section, figure)


def _written(each: FigureFile, directory: Path) -> FigureFile:
    try:
        chart = draw(each.figure, each.section)
        svg, spec = svg_of(chart), chart.to_json()
    except Exception as error:  # a plug-in's drawing may raise anything
        failure = f"{type(error).__name__}: {error}"
        warnings.warn(f"figure {each.figure.title!r} cannot be drawn: {failure}", stacklevel=2)
        return FigureFile(each.name, each.section, each.figure, failure)
    (directory / f"{each.name}.svg").write_text(svg, encoding="utf-8")
    (directory / f"{each.name}.pdf").write_bytes(pdf_of(svg))
    (directory / f"{each.name}.png").write_bytes(png_of(svg))
    (directory / f"{each.name}.json").write_text(spec, encoding="utf-8")
    return each


def _index(written: Sequence[FigureFile]) -> str:
    rows = ["| study | model | figure | files |", "| --- | --- | --- | --- |"]
    for each in written:
        files = ", ".join(f"[{e.upper()}]({each.name}.{e})" for e in ("svg", "pdf", "png", "json"))
        if each.failure:
            files = f"could not be drawn: {escaped(each.failure)}"
        section, title = each.section, each.figure.title
        rows.append(
            f"| {escaped(section.label)} | {escaped(section.model)} | {escaped(title)} | {files} |"
        )
    return "# Figures\n\n" + "\n".join(rows) + "\n"
