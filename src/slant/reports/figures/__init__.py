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

from slant.errors import InputError
from slant.findings_frame import findings_frame
from slant.registry import Registry
from slant.reports.figures.agreement import agreement
from slant.reports.figures.bars import bars
from slant.reports.figures.boxes import boxes
from slant.reports.figures.bubbles import bubbles
from slant.reports.figures.dumbbell import dumbbell
from slant.reports.figures.forest import forest
from slant.reports.figures.heatmap import heatmap
from slant.reports.figures.null_histogram import null
from slant.reports.figures.options import checked
from slant.reports.figures.outcomes import outcome_table, outcomes
from slant.reports.figures.pareto import pareto
from slant.reports.figures.ranked import ranked
from slant.reports.figures.ranking import ranking
from slant.reports.figures.robustness import robustness
from slant.reports.figures.saturation import saturation
from slant.reports.figures.scatter import scatter
from slant.reports.figures.select import FILTERS, drawable, select
from slant.reports.figures.shares import shares
from slant.reports.figures.slope import slope
from slant.reports.figures.strip_plot import strip
from slant.reports.figures.theme import WIDE
from slant.reports.figures.top_words import top_words
from slant.reports.figures.topic_map import topics
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

    from slant.studies.section import Section
    from slant.studies.study import Figure

__all__ = [
    "FIGURES",
    "agreement",
    "bars",
    "boxes",
    "bubbles",
    "draw",
    "dumbbell",
    "forest",
    "heatmap",
    "null",
    "outcomes",
    "pareto",
    "ranked",
    "ranking",
    "robustness",
    "saturation",
    "scatter",
    "shares",
    "shown",
    "slope",
    "strip",
    "table_of",
    "top_words",
    "topics",
]

FIGURES = Registry(
    "figure",
    {
        "agreement": "slant.reports.figures.agreement:agreement",
        "bars": "slant.reports.figures.bars:bars",
        "boxes": "slant.reports.figures.boxes:boxes",
        "bubbles": "slant.reports.figures.bubbles:bubbles",
        "dumbbell": "slant.reports.figures.dumbbell:dumbbell",
        "forest": "slant.reports.figures.forest:forest",
        "heatmap": "slant.reports.figures.heatmap:heatmap",
        "null": "slant.reports.figures.null_histogram:null",
        "outcomes": "slant.reports.figures.outcomes:outcomes",
        "pareto": "slant.reports.figures.pareto:pareto",
        "ranked": "slant.reports.figures.ranked:ranked",
        "ranking": "slant.reports.figures.ranking:ranking",
        "robustness": "slant.reports.figures.robustness:robustness",
        "saturation": "slant.reports.figures.saturation:saturation",
        "scatter": "slant.reports.figures.scatter:scatter",
        "shares": "slant.reports.figures.shares:shares",
        "slope": "slant.reports.figures.slope:slope",
        "strip": "slant.reports.figures.strip_plot:strip",
        "topics": "slant.reports.figures.topic_map:topics",
        "words": "slant.reports.figures.top_words:top_words",
    },
    "slant.figures",
)


def table_of(figure: Figure, section: Section) -> pl.DataFrame:
    """Find the table that a figure shows, with its texts made fit to be seen.

    Raises
    ------
    InputError
        The section has no such table.
    """
    tables = section.analysis.tables
    if figure.table in tables:
        return drawable(tables[figure.table])
    if figure.table == "findings":
        return drawable(findings_frame(section.analysis.findings))
    known = ", ".join(sorted({"findings", *tables}))
    raise InputError(f"figure {figure.title!r} shows table {figure.table!r}; there is {known}")


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
    drawing = FIGURES.get(figure.kind)
    table = table_of(figure, section)
    title = one_line(figure.title, 240)
    return drawing(table, title=title, width=width, **_options(figure))  # type: ignore[no-any-return]


def _options(figure: Figure) -> dict[str, Any]:
    """Check a figure's options; what another's drawing takes is for that to say."""
    if figure.kind not in FIGURES.builtin:
        return dict(figure.options)
    return checked(FIGURES.get(figure.kind), figure.kind, figure.options)
