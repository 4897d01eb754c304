"""Run directories: what is refused, and how."""

from __future__ import annotations

from pathlib import Path

import pytest

import slant
from slant.errors import InputError


@pytest.fixture
def run(suite: Path, planted: str, tmp_path: Path) -> slant.Run:
    return slant.audit(suite, planted, out=tmp_path / "run", limit=12)


def test_a_directory_that_holds_a_run_is_refused(run: slant.Run, suite: Path, planted: str) -> None:
    before = run.path("findings.json").read_bytes()
    with pytest.raises(InputError, match=f"holds a run already.*slant resume {run.directory}"):
        slant.audit(suite, planted, out=run.directory, limit=6)
    assert run.path("findings.json").read_bytes() == before


def test_a_directory_that_is_not_empty_is_refused(
    suite: Path, planted: str, tmp_path: Path
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "letter.txt").write_text("keep me")
    with pytest.raises(InputError, match="is not empty: choose another directory"):
        slant.audit(suite, planted, out=full)
    assert [path.name for path in full.iterdir()] == ["letter.txt"]


def test_a_file_in_the_place_of_the_directory_is_refused(
    suite: Path, planted: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("keep me")
    with pytest.raises(InputError, match="choose another directory"):
        slant.audit(suite, planted, out=tmp_path / "file")


def test_an_empty_directory_is_taken(suite: Path, planted: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert slant.audit(suite, planted, out=tmp_path / "empty", limit=12).findings.height > 0


@pytest.mark.parametrize("function", [slant.resume, slant.rescore, slant.Run, slant.report])
def test_what_is_no_run_is_refused(function: object, tmp_path: Path) -> None:
    assert callable(function)
    with pytest.raises(InputError, match=r"is not a run directory: it holds no run\.toml"):
        function(slant.Run(tmp_path) if function is slant.report else tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("seed = 0", "seed = = 0", "seed", "not TOML"),
        ("seed = 0", 'seed = "many"', "seed", "valid integer"),
        ("seed = 0", "sede = 0", "sede", "did you mean 'seed'"),
    ],
)
def test_a_malformed_run_file_is_named_with_its_line(
    run: slant.Run, old: str, new: str, line: str, message: str
) -> None:
    file = run.path("run.toml")
    text = file.read_text().replace(old, new)
    file.write_text(text)
    number = next(i for i, each in enumerate(text.splitlines(), 1) if each.startswith(line))
    with pytest.raises(InputError, match=message) as fault:
        slant.resume(run.directory)
    assert str(fault.value).startswith(f"{file}:{number}: ")


def test_measured_files_are_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "texts.csv"
    file.write_text("group,text\na,shot\nb,sat\n")
    run = slant.measure("completion", file, out=tmp_path / "run")
    with pytest.raises(InputError, match="measures a file and asks no model"):
        slant.resume(run.directory)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"limit": 0}, "--limit 0"), ({"seed": -1}, "--seed -1"), ({"shard": "3/2"}, "shard '3/2'")],
)
def test_senseless_options_are_refused_before_anything_is_made(
    suite: Path, planted: str, tmp_path: Path, options: dict[str, int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        slant.audit(suite, planted, out=tmp_path / "run", **options)  # type: ignore[arg-type]
    assert not (tmp_path / "run").exists()


def test_runs_without_a_name_get_directories_of_their_own(
    suite: Path, planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = slant.audit(suite, planted, limit=6)
    second = slant.audit(suite, planted, limit=6)
    assert first.directory != second.directory
    assert first.directory.parent == second.directory.parent == Path("runs")
    assert first.directory.name.endswith("-tiny")
