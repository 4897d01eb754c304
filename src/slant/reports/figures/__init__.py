"""The library of pictures: each kind is a function from a table to a chart.

A drawing takes a table (or findings) and keyword arguments, among them `title` and `width`, the
width of the whole picture in pixels, and returns an Altair chart, which
`slant.reports.save.save_chart` writes to a file. Further kinds come from the entry point group
`slant.figures`, or are named as `module:function` where the user allows it (`slant --plugin`).

Examples
--------
>>> from slant.reports.figures import forest
>>> chart = forest(run.findings, metric="violence_rate", contrast="vs_rest")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from slant.errors import InputError
from slant.findings_frame import findings_frame
from slant.registry import Registry
from slant.reports.figures.agreement import agreement as agreement
from slant.reports.figures.bars import bars as bars
from slant.reports.figures.boxes import boxes as boxes
from slant.reports.figures.bubbles import bubbles as bubbles
from slant.reports.figures.dumbbell import dumbbell as dumbbell
from slant.reports.figures.forest import forest as forest
from slant.reports.figures.heatmap import heatmap as heatmap
from slant.reports.figures.left_out import left_out as left_out
from slant.reports.figures.models import against as against
from slant.reports.figures.models import models as models
from slant.reports.figures.models import ranks as ranks
from slant.reports.figures.null_histogram import null as null
from slant.reports.figures.options import checked
from slant.reports.figures.outcomes import outcome_table
from slant.reports.figures.outcomes import outcomes as outcomes
from slant.reports.figures.pareto import pareto as pareto
from slant.reports.figures.ranked import ranked as ranked
from slant.reports.figures.ranking import ranking as ranking
from slant.reports.figures.robustness import robustness as robustness
from slant.reports.figures.saturation import saturation as saturation
from slant.reports.figures.scatter import scatter as scatter
from slant.reports.figures.select import FILTERS, drawable, select
from slant.reports.figures.shares import shares as shares
from slant.reports.figures.signs import signs as signs
from slant.reports.figures.slope import slope as slope
from slant.reports.figures.strip_plot import strip as strip
from slant.reports.figures.theme import WIDE
from slant.reports.figures.top_words import words as words
from slant.reports.figures.topic_map import topics as topics
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

    from slant.studies.section import Section
    from slant.studies.study import Figure

_DRAWINGS = (
    against, agreement, bars, boxes, bubbles, dumbbell, forest, heatmap, left_out, models, null,
    outcomes, pareto, ranked, ranking, ranks, robustness, saturation, scatter, shares, signs, slope,
    strip, topics, words,
)  # fmt: skip

FIGURES = Registry(
    "figure",
    {each.__name__: f"{each.__module__}:{each.__name__}" for each in _DRAWINGS},
    "slant.figures",
)
"""Kinds of figures: each is called as its function is."""


_DRAWABLE: WeakKeyDictionary[Section, dict[str, pl.DataFrame]] = WeakKeyDictionary()
"""A section's tables as pictures show them: each is looked at several times a page."""


def table_of(figure: Figure, section: Section) -> pl.DataFrame:
    """Find the table that a figure shows, with its texts made fit to be seen.

    Raises
    ------
    InputError
        The section has no such table.
    """
    tables = section.analysis.tables
    known = sorted({"findings", *tables})
    if figure.table not in known:
        there = ", ".join(known)
        raise InputError(f"figure {figure.title!r} shows table {figure.table!r}; there is {there}")
    kept = _DRAWABLE.setdefault(section, {})
    if figure.table not in kept:
        table = tables.get(figure.table)
        if table is None:
            table = findings_frame(section.analysis.findings)
        kept[figure.table] = drawable(table)
    return kept[figure.table]


def shown(figure: Figure, section: Section) -> pl.DataFrame:
    """Narrow a figure's table down to the rows that it shows.

    Raises
    ------
    InputError
        The table or an option is unknown, or nothing is left of the table.
    """
    table = table_of(figure, section)
    choices = {name: value for name, value in _options(figure).items() if name in FILTERS}
    choices = {name: value for name, value in choices.items() if name in table.columns}
    rows = select(table, **choices)
    return outcome_table(rows) if figure.kind == "outcomes" else rows


def draw(figure: Figure, section: Section, *, width: int = WIDE) -> ChartType:
    """Draw a figure.

    Parameters
    ----------
    figure
        What a study asks for.
    section
        The section it belongs to, which holds its table.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        The kind, the table or an option is unknown, or there is nothing to draw.
    """
    from altair.utils.schemapi import debug_mode

    drawing = FIGURES.get(figure.kind)
    table = table_of(figure, section)
    title = one_line(figure.title, 240)
    with debug_mode(False):  # no part is checked on its own: whoever renders the whole says it
        return drawing(table, title=title, width=width, **_options(figure))  # type: ignore[no-any-return] # found by name


def _options(figure: Figure) -> dict[str, Any]:
    """Check a figure's options; what another's drawing takes is for that to say."""
    if figure.kind not in FIGURES.builtin:
        return dict(figure.options)
    return checked(FIGURES.get(figure.kind), figure.kind, figure.options)
