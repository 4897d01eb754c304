"""Every figure as files, under names that stay the same and can be read."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from slant.engine.run import Run
from slant.engine.run_config import RunConfig
from slant.errors import InputError
from slant.reports.figure_files import write_figures
from slant.studies.study import Figure

from .fake import completion

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    section = completion("embedded")
    broken = Figure("forest", "Broken", options={"metric": "x"})
    figures = [section.analysis.figures[0], broken]
    folder = tmp_path_factory.mktemp("figures") / "deep" / "er"
    with pytest.warns(UserWarning, match="figure 'Broken' cannot be drawn"):
        write_figures(
            [replace(section, analysis=replace(section.analysis, figures=figures))], folder
        )
    return folder


def test_each_figure_is_four_files_with_a_name_that_says_what_it_is(written: Path) -> None:
    first = "01-completion-embedded-forest-how-often-completions-are-violent"
    last = "03-completion-embedded-outcomes-what-became-of-the-questions"
    names = {f"{name}.{end}" for name in (first, last) for end in ("svg", "pdf", "png", "json")}
    assert {path.name for path in written.iterdir()} == {*names, "index.md"}
    assert (written / f"{first}.svg").read_text().startswith("<svg")
    assert (written / f"{first}.pdf").read_bytes().startswith(b"%PDF")
    assert (written / f"{first}.png").read_bytes().startswith(b"\x89PNG")
    assert "vega-lite" in json.loads((written / f"{first}.json").read_text())["$schema"]


def test_the_index_lists_them_and_says_what_could_not_be_drawn(written: Path) -> None:
    index = (written / "index.md").read_text()
    for target in re.findall(r"\]\(([^)]+)\)", index):
        assert (written / target).exists()
    assert "Broken | could not be drawn: InputError" in index


def test_a_directory_that_is_none_is_named(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("x")
    with pytest.raises(InputError, match=r"cannot write figures into .*taken"):
        write_figures([completion()], taken)


def test_the_example_in_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = RunConfig(kind="audit", command="slant audit", name="quick", study=[])
    Run.create(tmp_path / "runs" / "first", config).conclude([completion()])
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(example, {})  # noqa: S102 - our own file
    assert (tmp_path / "violence.svg").read_text().startswith("<svg")


def test_every_kind_in_the_docs_is_there_and_none_is_missing() -> None:
    from slant.reports.figures import FIGURES

    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    table = page[page.index("| function | shows |") :]
    told = set(
        re.findall(
            r"`(\w+)`",
            "".join(row.split("|")[1] for row in re.findall(r"^\|.*", table, re.MULTILINE)),
        )
    )
    assert told == set(FIGURES.builtin)
