"""The page of a comparison: one HTML file that needs nothing else, as the report is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from slant.comparison.several import several_view
from slant.comparison.view import comparison_view
from slant.reports.environment import asset, environment, styles
from slant.reports.page import policy
from slant.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.comparison.compare import Comparison


def render(comparisons: Sequence[Comparison]) -> str:
    """Write comparisons as one self-contained HTML file.

    Parameters
    ----------
    comparisons
        What to show, one after the other.
    """
    views = [comparison_view(each, number) for number, each in enumerate(comparisons, start=1)]
    style, script = styles(), asset("report.js")
    return (
        environment()
        .get_template("compare_page.html.j2")
        .render(
            views=views,
            models=several_view(comparisons),
            several=len(views) > 1,
            sensitive=any(view.graphs and view.graphs.triples for view in views),
            version=__version__,
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            policy=policy(style, script),
        )
    )
