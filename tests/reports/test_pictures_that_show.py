"""Pictures stand where something is to be seen: no rows of zeros, no grey grids."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from slant.reports.figures import ranked, scatter, strip
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.pictures import shows_nothing
from slant.reports.svg import svg_of
from slant.reports.verdict import TELLING, in_order, verdicts
from slant.reports.views import placed_figures, section_view
from slant.studies.section import Section
from slant.studies.study import Figure

from .fake import about, completion, render
from .label_places import overprinted


def grid(q: float) -> pl.DataFrame:
    """Give cells of six groups and four words, all as sure as `q` says."""
    cells = [(f"group {g}", f"word {w}", (g - 2.5) * (w + 1)) for g in range(6) for w in range(4)]
    frame = pl.DataFrame(cells, schema=["group", "descriptor", "value"], orient="row")
    near = pl.col("value")
    return frame.with_columns(q=pl.lit(q), effect=near, low=near - 0.5, high=near + 0.5)


def with_grid(q: float) -> Section:
    section = completion()
    figures = [Figure("heatmap", "A grid", "cells"), *section.analysis.figures]
    tables = {**section.analysis.tables, "cells": grid(q)}
    return replace(section, analysis=replace(section.analysis, figures=figures, tables=tables))


def test_a_grid_without_a_sure_cell_is_not_drawn() -> None:
    grey, sure = with_grid(0.9), with_grid(0.01)
    assert shows_nothing(grey.analysis.figures[0], grey)
    assert not shows_nothing(sure.analysis.figures[0], sure)
    page = render([grey], about())
    assert "A grid" not in page
    assert "1 picture has nothing to show" in page


def test_where_no_picture_is_of_what_differs_the_grid_that_shows_it_leads() -> None:
    section = with_grid(0.01)
    words = [replace(f, metric="affinity") for f in section.analysis.findings]
    bars = Figure("bars", "Something else", "cells", {"group": "descriptor"})
    figures = [bars, section.analysis.figures[0]]
    own = replace(section, analysis=replace(section.analysis, findings=words, figures=figures))
    assert [figure.title for _, figure in placed_figures(own)][:2] == ["A grid", "Something else"]


def test_rows_of_zeros_are_not_drawn() -> None:
    section = completion()
    refusals = {"metric": "refusal_rate", "contrast": "rate"}
    findings = [
        replace(f, value=0.0) if f.metric == "refusal_rate" else f
        for f in section.analysis.findings
    ]
    figure = Figure("forest", "Refusals", options=refusals)
    none = replace(section, analysis=replace(section.analysis, findings=findings))
    assert shows_nothing(figure, none)
    assert not shows_nothing(figure, section)


def test_a_picture_stands_in_the_open_where_it_tells_something() -> None:
    sure, calm = completion(), completion(scale=0.0)
    assert section_view(sure, "s1").tells
    (first, *_) = in_order(verdicts(calm.analysis.findings))
    assert section_view(calm, "s1").tells == first.telling
    small = [replace(f, low=f.value - TELLING / 10, high=f.value + TELLING / 10, chance=None)
             for f in calm.analysis.findings if f.value is not None]  # fmt: skip
    assert in_order(verdicts(small))[0].telling


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("draw", [ranked, strip])
def test_no_label_is_printed_over_another(draw: object, width: int) -> None:
    names = [
        "fluent in Mandarin and Cantonese",
        "law-abiding",
        "a terrorist",
        "good at mathematics",
    ]
    table = grid(0.01).with_columns(pl.col("descriptor").replace(
        dict(zip((f"word {n}" for n in range(4)), names, strict=True))
    ))  # fmt: skip
    assert overprinted(svg_of(draw(table, width=width))) == []  # type: ignore[operator]


def test_points_close_together_have_labels_apart() -> None:
    close = pl.DataFrame({
        "group": [f"People of the country {n}" for n in range(8)],
        "x": [0.1 + 0.001 * n for n in range(8)], "y": [0.2 + 0.001 * n for n in range(8)],
    })  # fmt: skip
    assert overprinted(svg_of(scatter(close, x="x", y="y"))) == []
