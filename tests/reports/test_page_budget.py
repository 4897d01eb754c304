"""A report stays small whatever the run, and says what it leaves out."""

import itertools
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from slant.engine.run import Run
from slant.engine.run_config import RunConfig
from slant.reports import write as write_module
from slant.reports.drawings import Drawings
from slant.reports.page_budget import LARGEST, ROOMS
from slant.reports.views import section_view
from slant.reports.write import write_report
from slant.signature import Signature
from slant.studies.section import Section
from slant.studies.study import Figure

from .fake import completion

DRAWN = (
    '<svg xmlns="http://www.w3.org/2000/svg">' + '<circle cx="1" cy="2" r="3"/>' * 1000 + "</svg>"
)


def large(groups: int = 300) -> Section:
    """Build a section with more of everything than there is room for."""
    section = completion()
    found = section.analysis.findings
    findings = [
        replace(
            f,
            group=f"{f.group} of the {number}th kind",
            signature=Signature(f.signature, number=number),
        )
        for number in range(groups // 8)
        for f in found
    ]
    table = pl.DataFrame(
        {f"column {n}": [f"word {m} of {n}" for m in range(200)] for n in range(12)}
    )
    figures = [Figure("bars", f"Picture {n}", "words") for n in range(60)]
    analysis = replace(
        section.analysis, findings=findings, tables={"words": table, "others": table},
        figures=figures,
    )  # fmt: skip
    return replace(section, analysis=analysis)


@pytest.fixture(autouse=True)
def nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Drawings, "svg", lambda *_: DRAWN)
    monkeypatch.setattr(write_module, "draw_all", lambda *_: None)


@pytest.mark.slow
def test_a_report_of_many_large_sections_is_at_most_five_megabytes(tmp_path: Path) -> None:
    config = RunConfig(kind="audit", command="slant audit", name="large", study=[])
    run = Run.create(tmp_path / "run", config)
    section = large()
    run.conclude([replace(section, model=f"model {number}") for number in range(2)])
    path = write_report(run)
    assert path.stat().st_size <= LARGEST
    page = path.read_text(encoding="utf-8")
    assert "more pictures have no room here" in page
    assert "more, with smaller effects, are in findings.json" in page
    assert "more rows are in the run directory" in page
    assert page.count('<section class="study folded"') == 2


def test_the_first_room_is_enough_for_an_ordinary_section() -> None:
    view = section_view(completion(), "s1")
    assert view.more_pictures == 0
    assert sum(part.more for metric in view.metrics for part in metric.comparisons) == 0


def test_each_room_holds_less_than_the_one_before() -> None:
    sizes = [
        [getattr(room, name) for name in ("rows", "cards", "pictures", "triples", "examples")]
        for room in ROOMS
    ]
    for wider, tighter in itertools.pairwise(sizes):
        assert all(less < more for more, less in zip(wider, tighter, strict=True))


def test_pictures_of_one_table_show_it_once() -> None:
    view = section_view(large(), "s1")
    assert view.lead is not None
    assert view.lead.table_at == ""
    same = [each for each in view.pictures if each.table == view.lead.table]
    assert same
    assert {each.table_at for each in same} == {view.lead.name}
