"""Runs of an older slant, whose sections declared no views, show what they showed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from slant.studies.section import Section, read_section, write_section
from slant.studies.study import Analysis, Figure, View


def stored(section: Section, folder: Path, *, old: bool) -> Section:
    write_section(section, folder)
    if old:
        path = folder / "section.json"
        plain = json.loads(path.read_text(encoding="utf-8"))
        del plain["views"]
        path.write_text(json.dumps(plain), encoding="utf-8")
    return read_section(folder)


SECTION = Section("knowledge", "mine", "m", "T", "M", Analysis([]))


@pytest.mark.parametrize(
    ("study", "table", "kind"),
    [
        ("templates", "counterfactuals", "pairs"),
        ("news", "article_pairs", "articles"),
        ("story", "stories", "stories"),
    ],
)
def test_tables_known_by_name_become_views(
    study: str, table: str, kind: str, tmp_path: Path
) -> None:
    analysis = Analysis([], {table: pl.DataFrame({"a": [1]})})
    found = stored(replace(SECTION, study=study, analysis=analysis), tmp_path, old=True)
    assert [(view.kind, view.table) for view in found.analysis.views] == [(kind, table)]
    other = stored(replace(SECTION, study="own", analysis=analysis), tmp_path, old=True)
    assert other.analysis.views == []


def test_a_graph_was_a_figure_and_is_a_view(tmp_path: Path) -> None:
    figures = [Figure("forest", "F"), Figure("graph", "Of whom", "triples")]
    found = stored(replace(SECTION, analysis=Analysis([], figures=figures)), tmp_path, old=True)
    assert found.analysis.figures == figures[:1]
    assert found.analysis.views == [View("graph", "Of whom", "triples")]


def test_what_a_section_declares_is_kept(tmp_path: Path) -> None:
    views = [View("mine:own", "Own", "stories", {"deep": True})]
    analysis = Analysis([], {"stories": pl.DataFrame({"a": [1]})}, views=views)
    found = stored(replace(SECTION, study="story", analysis=analysis), tmp_path, old=False)
    assert found.analysis.views == views
