"""The library of pictures: each kind is a function from a table to a chart.

A drawing takes a table (or findings) and keyword arguments, among them `title` and `width`, the
width of the whole picture in pixels, and returns an Altair chart, which
`slant.report.save.save_chart` writes to a file. Further kinds come from the entry point group
`slant.figures`, or are named as `module:function` where the user allows it (`slant --plugin`).

Examples
--------
>>> from slant.report.figures import forest
>>> chart = forest(run.findings, metric="violence_rate", contrast="vs_rest")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.findings_frame import findings_frame
from slant.registry import Registry
from slant.report.figures.agreement import agreement
from slant.report.figures.bars import bars
from slant.report.figures.boxes import boxes
from slant.report.figures.bubbles import bubbles
from slant.report.figures.dumbbell import dumbbell
from slant.report.figures.forest import forest
from slant.report.figures.heatmap import heatmap
from slant.report.figures.null_histogram import null
from slant.report.figures.options import checked
from slant.report.figures.outcomes import outcome_table, outcomes
from slant.report.figures.pareto import pareto
from slant.report.figures.ranked import ranked
from slant.report.figures.ranking import ranking
from slant.report.figures.robustness import robustness
from slant.report.figures.saturation import saturation
from slant.report.figures.scatter import scatter
from slant.report.figures.select import FILTERS, drawable, select
from slant.report.figures.shares import shares
from slant.report.figures.slope import slope
from slant.report.figures.strip_plot import strip
from slant.report.figures.theme import WIDE
from slant.report.figures.top_words import top_words
from slant.report.figures.topic_map import topics
from slant.report.visible import one_line

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
        "agreement": "slant.report.figures.agreement:agreement",
        "bars": "slant.report.figures.bars:bars",
        "boxes": "slant.report.figures.boxes:boxes",
        "bubbles": "slant.report.figures.bubbles:bubbles",
        "dumbbell": "slant.report.figures.dumbbell:dumbbell",
        "forest": "slant.report.figures.forest:forest",
        "heatmap": "slant.report.figures.heatmap:heatmap",
        "null": "slant.report.figures.null_histogram:null",
        "outcomes": "slant.report.figures.outcomes:outcomes",
        "pareto": "slant.report.figures.pareto:pareto",
        "ranked": "slant.report.figures.ranked:ranked",
        "ranking": "slant.report.figures.ranking:ranking",
        "robustness": "slant.report.figures.robustness:robustness",
        "saturation": "slant.report.figures.saturation:saturation",
        "scatter": "slant.report.figures.scatter:scatter",
        "shares": "slant.report.figures.shares:shares",
        "slope": "slant.report.figures.slope:slope",
        "strip": "slant.report.figures.strip_plot:strip",
        "topics": "slant.report.figures.topic_map:topics",
        "words": "slant.report.figures.top_words:top_words",
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
