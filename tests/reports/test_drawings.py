"""Drawings are made once, kept beside their section, and trusted with nothing."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from slant.engine.progress import Silent
from slant.engine.run import Run
from slant.engine.run_config import RunConfig
from slant.errors import InputError
from slant.reports import draw_all as draw_all_module
from slant.reports import drawings as drawings_module
from slant.reports.drawings import Drawings
from slant.reports.views import placed_figures, stored_view
from slant.reports.write import write_report
from slant.studies.study import Figure

from .fake import completion


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Run:
    config = RunConfig(kind="audit", command="slant audit", name="quick", study=[])
    run = Run.create(tmp_path_factory.mktemp("drawings") / "run", config)
    section = completion()
    figures = section.analysis.figures[:1]
    run.conclude([replace(section, analysis=replace(section.analysis, figures=figures))])
    write_report(run)
    return run


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("drawn again")

    monkeypatch.setattr(drawings_module, "draw", refuse)


def folder(run: Run) -> Path:
    return run.section_folder(0) / "drawings"


def lead_file(run: Run) -> Path:
    """Find where the first figure is kept."""
    section = run.section(0)
    figure = placed_figures(section)[0][1]
    path = Drawings(section, run.section_folder(0))._path(figure, 640)
    assert path is not None
    return path


def test_a_report_leaves_its_drawings_beside_the_section(written: Run) -> None:
    names = sorted(path.name for path in folder(written).iterdir())
    assert [name.partition("-")[2] for name in names] == ["350.svg", "640.svg"] * 2
    assert len({name.partition("-")[0] for name in names}) == 2


def test_a_drawing_is_its_figures_wherever_that_stands(written: Run) -> None:
    section = written.section(0)
    first, second = placed_figures(section)
    drawings = Drawings(section, written.section_folder(0))
    assert drawings.svg(first[1], 2, 640) == drawings.svg(first[1], 1, 640)
    assert drawings.svg(first[1], 1, 640) != drawings.svg(second[1], 1, 640)
    renamed = replace(first[1], title="Another question")
    assert not drawings.holds(renamed)


@pytest.mark.usefixtures("no_drawing")
def test_what_is_stored_is_not_drawn_again(written: Run) -> None:
    view = stored_view(written, 0)
    assert view.lead is not None
    assert view.lead.failure == ""
    assert view.lead.wide.startswith("<svg ")
    assert 'aria-labelledby="s1-p1-640-t s1-p1-640-d"' in view.lead.wide
    assert "Muslims" in view.lead.narrow


def test_what_is_missing_is_drawn_and_stored(written: Run) -> None:
    path = lead_file(written)
    before = path.read_text()
    path.unlink()
    assert stored_view(written, 0).lead is not None
    assert path.read_text() == before


def test_a_run_that_may_only_be_read_is_shown(
    written: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lead_file(written)
    path.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(drawings_module, "_store", _refuse)
        lead = stored_view(written, 0).lead
    assert lead is not None
    assert lead.wide.startswith("<svg ")
    assert not path.exists()
    write_report(written)


def _refuse(*_: object, **__: object) -> None:
    raise PermissionError


@pytest.mark.parametrize(
    "planted",
    [
        '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script><g onload="x"/></svg>',
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"><g/></svg>',
        "<p onclick=x>no drawing</p>",
        "",
    ],
)
def test_a_drawing_that_somebody_changed_brings_nothing_in(written: Run, planted: str) -> None:
    path = lead_file(written)
    before = path.read_text()
    path.write_text(planted)
    lead = stored_view(written, 0).lead
    assert lead is not None
    for word in ("script", "onload", "ENTITY", "onclick"):
        assert word not in lead.wide
    path.write_text(before)


def test_there_is_no_section_beyond_the_last(written: Run) -> None:
    with pytest.raises(InputError, match="has 1 sections, from 0: no 1"):
        stored_view(written, 1)


def test_many_figures_are_shared_among_processes_and_nothing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = RunConfig(kind="audit", command="slant audit", name="quick", study=[])
    run = Run.create(tmp_path / "run", config)
    section = completion()
    broken = Figure("forest", "Broken", options={"metric": "x"})
    figures = [*section.analysis.figures[:2], broken]
    run.conclude([replace(section, analysis=replace(section.analysis, figures=figures))])
    monkeypatch.setattr(draw_all_module, "_FEW", 2)
    monkeypatch.setattr(draw_all_module, "_cores", lambda: 2)

    class Watched(Silent):
        def work(self, what: str, steps: int) -> None:
            self.steps = steps

        def worked(self, steps: int = 1) -> None:
            self.steps -= steps

    watched = Watched()
    draw_all_module.draw_all(run, watched)
    assert watched.steps == 0  # every picture was counted
    names = sorted(path.name for path in folder(run).iterdir())
    places = [name[:2] for name in names if name.endswith("-640.svg")]
    assert len(places) == 3  # two of the study's own, and the outcomes; not the broken one
    monkeypatch.setattr(subprocess, "Popen", _refuse)
    with pytest.warns(UserWarning, match="figure 'Broken' cannot be drawn"):
        write_report(run)
    assert sorted(path.name for path in folder(run).iterdir()) == names
