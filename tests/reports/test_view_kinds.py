"""Views of a section: written by kind, and harmless whatever a run directory asks for."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from slant.registry import allow
from slant.reports.view_kinds import written_views
from slant.studies.section import Section
from slant.studies.study import View

from .fake import about, completion, render

pytestmark = pytest.mark.usefixtures("undrawn")

TRIPLES = pl.DataFrame({"subject": ["Poles"], "predicate": ["are"], "object": ["kind"]})


def section(*views: View) -> Section:
    given = completion()
    tables = {**given.analysis.tables, "triples": TRIPLES}
    return replace(given, analysis=replace(given.analysis, tables=tables, views=list(views)))


def plain(table: pl.DataFrame, **options: object) -> str:
    return f"<script>{table.height} {sorted(options)}</script>"


@pytest.mark.parametrize(
    ("view", "told"),
    [
        (View("grahp", "T", "triples"), "grahp"),
        (View("graph", "T", "tripels"), "shows table 'tripels'; there is"),
        (View("graph", "T", "triples", {"answers": "object"}), "unexpected keyword argument"),
        (View("graph", "T", "triples", {"name": "x"}), "multiple values"),
        (View("pairs", "T", "triples"), "no column 'axis'"),
        (View("os:getcwd", "T", "triples"), "code that nobody named"),
    ],
)
def test_a_view_that_cannot_be_shown_says_why_and_the_rest_stands(view: View, told: str) -> None:
    given = section(view, View("graph", "Of whom", "triples"))
    with pytest.warns(UserWarning, match="cannot be shown"):
        wrong, right = written_views(given, "s1")
    assert told in wrong.failure
    assert not right.failure
    assert right.text.leads


def test_text_that_is_no_mark_up_is_escaped() -> None:
    place = f"{__name__}:plain"
    allow([place])
    page = render([section(View(place, "Mine", "triples", {"deep": 1}))], about())
    assert (
        "&lt;script&gt;1 [&#39;deep&#39;, &#39;name&#39;, &#39;room&#39;, &#39;title&#39;]" in page
    )
    assert '<section class="view" id="s1-v1"' in page


def test_a_page_loads_what_its_views_need_and_nothing_else() -> None:
    assert "explorer" not in render([section()], about())
    assert "explorer" in render([section(View("graph", "Of whom", "triples"))], about())
