"""Figures as a page shows them: drawn for laptop and phone, with the table behind them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slant.records import OUTCOMES, SURE
from slant.reports.figures import shown
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.numbers import is_narrow, quantity, span
from slant.reports.safe_text import file_name, one_line
from slant.reports.svg import labelled
from slant.reports.wording import is_difference, wording
from slant.reports.written_table import Table, cell, written_table
from slant.signature import one_line as signature_line
from slant.studies.study import Figure

if TYPE_CHECKING:
    import polars as pl

    from slant.records import Scale
    from slant.reports.drawings import Drawings
    from slant.studies.section import Section

_TOLD_ROWS = 12


@dataclass(frozen=True)
class Picture:
    """A figure, drawn.

    Attributes
    ----------
    name, file
        Identifier in the page, and what a saved picture is called.
    title
        What the reader sees, in one sentence.
    wide, narrow
        The SVG for laptop and phone; empty when it could not be drawn.
    failure
        Why it could not.
    facts
        n and the chance line, in words.
    signatures
        What the picture depends on.
    table
        What it shows.
    table_at
        Name of an earlier picture that has the very same table; else empty.
    """

    name: str
    file: str
    title: str
    wide: str
    narrow: str
    failure: str
    facts: list[str]
    signatures: list[str]
    table: Table | None
    table_at: str = ""


def default_figures(section: Section) -> list[Figure]:
    """List a section's figures: its own, one forest a metric if it has none, and the outcomes."""
    analysis = section.analysis
    figures = list(analysis.figures)
    measured = [f for f in analysis.findings if f.value is not None]
    if not figures:
        for metric in dict.fromkeys(f.metric for f in measured):
            contrast = next(f.contrast for f in measured if f.metric == metric)
            options = {"metric": metric, "contrast": contrast}
            figures.append(Figure("forest", wording(metric).name, options=options))
    asked = any(finding.outcomes for finding in analysis.findings)
    if asked and not any(figure.kind == "outcomes" for figure in figures):
        figures.append(Figure("outcomes", "What became of the questions"))
    return figures


def shows_nothing(figure: Figure, section: Section) -> bool:
    """Tell a figure in which there is nothing to see: only zeros, or a grid with no sure cell."""
    try:
        frame = shown(figure, section)
    except Exception:  # a plug-in's figure may raise anything; what it raises is told in its place
        return False
    if figure.kind == "heatmap" and "q" in frame.columns:
        return not (frame["q"] < SURE).any()
    if "value" not in frame.columns or not frame["value"].dtype.is_numeric():
        return False
    return frame.height > 0 and not (frame["value"] != 0).any()


def picture(figure: Figure, place: int, drawings: Drawings, name: str, *, most: int) -> Picture:
    """Prepare a figure for a page, with its drawings.

    A figure that cannot be drawn says so in its place and in a warning: the rest of the report,
    and the run behind it, must not be lost with it.

    Parameters
    ----------
    figure, place
        What to show, and its place among the section's figures, from 1.
    drawings
        Gives its drawings.
    name
        Identifier, unique in the page.
    most
        Rows of its table that are shown.
    """
    section = drawings.section
    title = one_line(figure.title, 240)
    wide = narrow = failure = ""
    frame: pl.DataFrame | None = None
    try:
        frame = shown(figure, section)
        described = _description(frame)
        wide, narrow = (
            labelled(
                drawings.svg(figure, place, width),
                name=f"{name}-{width}",
                title=title,
                description=described,
            )
            for width in (WIDE, NARROW)
        )
    except Exception as error:  # a plug-in's drawing may raise anything
        failure = f"{type(error).__name__}: {error}"
        warnings.warn(f"figure {figure.title!r} cannot be drawn: {failure}", stacklevel=2)
    return Picture(
        name=name,
        file=file_name(f"slant-{figure.title}"),
        title=title,
        wide=wide,
        narrow=narrow,
        failure=failure,
        facts=[] if frame is None else _facts(frame),
        signatures=_signatures(frame, section),
        table=None if frame is None else written_table(frame, most),
    )


def _signatures(frame: pl.DataFrame | None, section: Section) -> list[str]:
    if frame is not None and "signature" in frame.columns:
        return [str(s) for s in frame["signature"].unique(maintain_order=True)]
    return list(dict.fromkeys(signature_line(f.signature) for f in section.analysis.findings))


def _facts(frame: pl.DataFrame) -> list[str]:
    facts = []
    if "n" in frame.columns:
        counts = [int(n) for n in frame["n"].drop_nulls().to_list()]
        low, high = min(counts, default=0), max(counts, default=0)
        facts.append(f"n = {low:,} a row" if low == high else f"n = {low:,} to {high:,} a row")
    elif set(OUTCOMES) <= set(frame.columns):
        total = frame.select(OUTCOMES).sum().sum_horizontal().item()
        facts.append(f"n = {total:,} questions")
    if "q" in frame.columns and "chance_expected" not in frame.columns:
        return [*facts, "Coloured: more than chance, q < .05."]
    if "chance_expected" not in frame.columns or not len(frame.drop_nulls("chance_expected")):
        return [*facts, "No chance line: this picture tests nothing."]
    for part in frame.drop_nulls("chance_expected").partition_by(
        ["metric", "contrast"], maintain_order=True
    ):
        metric, contrast = part["metric"][0], part["contrast"][0]
        facts.append(f"Chance alone, {_label(metric, contrast)}: {_chance(part)}")
    return facts


def _label(metric: str, contrast: str) -> str:
    return f"{wording(metric).name.lower()} ({contrast.replace('_', ' ')})"


def _chance(part: pl.DataFrame) -> str:
    unit: Scale = part["scale"][0] if "scale" in part.columns else "number"
    expected: Any = part["chance_expected"].mean()
    low: Any = part["chance_low"].min()
    high: Any = part["chance_high"].max()
    fine = is_narrow(low, high)
    same = part.select("chance_expected", "chance_low", "chance_high").n_unique() == 1
    text = quantity(expected, unit, signed=is_difference(part["contrast"][0], unit), fine=fine)
    return f"{'' if same else 'about '}{text} ({span(low, high, unit, fine=fine)})"


def _description(frame: pl.DataFrame) -> str:
    """Tell the first rows to those who cannot see the picture."""
    if not {"group", "value"} <= set(frame.columns):
        return f"The table below the picture holds its {len(frame)} rows."
    told = [
        f"{row['group']} {cell(row['value'])}"
        for row in frame.head(_TOLD_ROWS).iter_rows(named=True)
    ]
    rest = "" if len(frame) <= _TOLD_ROWS else " The table below the picture holds all rows."
    return "; ".join(told) + "." + rest
