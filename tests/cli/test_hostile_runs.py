"""Runs that came from an attacker: nothing they name is imported, no link of theirs is followed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import Done, slant, small_audit
from slant.studies.checksums import remember_conclusions
from slant.web.recompute_job import work
from web.serving import client_of

pytestmark = pytest.mark.filterwarnings("always:figure")  # as they are outside of tests

TRAP = "from pathlib import Path\nPath({mark!r}).touch()\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a run that tests copy."""
    folder = tmp_path_factory.mktemp("made")
    assert slant(*small_audit(folder), "--out", folder / "run").code == 0
    return folder / "run"


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """Copy the run for a test to attack."""
    return Path(shutil.copytree(made, tmp_path / "runs" / "run"))


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay a module, `trap`, where Python finds it; the file given appears when it is imported."""
    place = tmp_path / "sprung"
    (tmp_path / "modules").mkdir()
    text = TRAP.format(mark=str(place)) + "def spring(*_, **__): raise SystemExit('sprung')\n"
    (tmp_path / "modules" / "trap.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path / "modules")
    return place


def with_figures(run: Path, *figures: dict[str, Any]) -> None:
    """Put figures into the first section, as a forger would, checksums and all."""
    path = run / "sections" / "000" / "section.json"
    plain = json.loads(path.read_text())
    plain["figures"] = list(figures)
    path.write_text(json.dumps(plain))
    shutil.rmtree(path.parent / "drawings", ignore_errors=True)
    remember_conclusions(run)


def figure(kind: str, **options: Any) -> dict[str, Any]:
    return {"kind": kind, "title": "Forged", "table": "findings", "options": options}


@pytest.mark.parametrize("kind", ["trap:spring", "os:system", "transformers:pipeline"])
def test_a_kind_of_figure_that_a_run_names_is_not_imported(
    run: Path, mark: Path, kind: str
) -> None:
    with_figures(run, figure(kind, trust_remote_code=True))
    done = slant("report", run)
    assert done.code == 0
    assert "nothing was loaded" in done.err
    assert f"slant --plugin {kind}" in done.err
    client = client_of(run)
    assert "nothing was loaded" in client.get("/run/run/study/0/picture/1-640.svg").text
    assert client.get("/run/run/study/0").status_code == 200
    assert not mark.exists()


def test_a_figure_that_the_user_names_in_this_call_is_drawn(run: Path, mark: Path) -> None:
    with_figures(run, figure("trap:spring"))
    done = process_of("--plugin", "trap:spring", "report", run, cwd=mark.parent / "modules")
    assert done.code == 0 or "sprung" in done.err
    assert mark.exists()


@pytest.mark.parametrize("verb", ["rescore", "resume"])
@pytest.mark.parametrize("use", ["trap:spring", "builtins:dict"])
def test_a_study_that_a_run_names_is_not_imported(
    run: Path, mark: Path, verb: str, use: str
) -> None:
    config = run / "run.toml"
    config.write_text(config.read_text().replace('use = "completion"', f'use = "{use}"'))
    done = slant(verb, run)
    assert done.code == 2
    assert f"study '{use}' is code that nobody named in this call" in done.err
    assert work(str(run)) in (0, 2)
    assert not mark.exists()


def test_a_measure_that_a_run_names_is_not_imported(run: Path, mark: Path) -> None:
    config = run / "run.toml"
    text = config.read_text()
    config.write_text(
        text[: text.index("[[study]]")]
        + '[[study]]\nuse = "triggers"\n[study.settings]\nmeasure = "trap:spring"\n'
    )
    done = slant("rescore", run)
    assert done.code == 2
    assert "measure 'trap:spring' is code that nobody named in this call" in done.err
    assert not mark.exists()


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("forest", {"limit": 10**9}, "less than or equal to 1000"),
        ("forest", {"limit": "40"}, "valid integer"),
        ("forest", {"width": 10**6}, "unknown option"),
        ("forest", {"metric": {"a": 1}}, "valid string"),
        ("forest", {"metric": "x" * 10_000}, "at most 2000"),
        ("bars", {"unit": "miles"}, "'share', 'number' or 'ratio'"),
        ("words", {"group": ["x"] * 10_000}, "valid string"),
    ],
)
def test_arguments_of_a_figure_are_checked(
    run: Path, kind: str, options: dict[str, Any], words: str
) -> None:
    with_figures(run, figure(kind, **options))
    done = slant("report", run)
    assert done.code == 0
    assert words in done.err
    assert "figure 'Forged' cannot be drawn" in done.err


LINKS = [
    "answers.parquet",
    "sections/000",
    "report.html",
    "report.html.new",
    "run.lock",
    "log.jsonl",
]


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("verb", ["report", "rescore", "resume", "compare"])
def test_a_link_out_of_a_run_is_refused(run: Path, tmp_path: Path, verb: str, name: str) -> None:
    outside = tmp_path / "outside"
    path = run / name
    if path.is_dir():
        shutil.move(path, outside)
    else:
        outside.write_bytes(path.read_bytes() if path.exists() else b"precious")
        path.unlink(missing_ok=True)
    before = sorted(outside.iterdir()) if outside.is_dir() else outside.read_bytes()
    path.symlink_to(outside)
    done = slant(verb, run, *([run] if verb == "compare" else []))
    assert done.code == 2
    assert f"{path}: this is a link, to {outside}" in done.err
    assert before == (sorted(outside.iterdir()) if outside.is_dir() else outside.read_bytes())


@pytest.mark.parametrize("name", LINKS)
def test_the_dashboard_follows_no_link(run: Path, tmp_path: Path, name: str) -> None:
    client = client_of(run.parent)
    assert client.get("/run/run").status_code == 200  # and the link comes later
    path, outside = run / name, tmp_path / "outside"
    if path.exists():
        shutil.move(path, outside)
    else:
        outside.write_text("precious")
    path.symlink_to(outside)
    for page in ("", "/study/0", "/transcripts", "/report.html"):
        answer = client.get(f"/run/run{page}")
        assert answer.status_code == 400
        assert "this is a link" in answer.text
    assert client.get("/").status_code == 200


def test_a_pipe_in_a_run_is_refused(run: Path) -> None:
    (run / "status.json").unlink()
    os.mkfifo(run / "status.json")
    done = slant("report", run)
    assert done.code == 2
    assert "neither a file nor a folder" in done.err


@pytest.mark.parametrize("what", ["sections/000", "sections/000/section.json", "findings.json"])
@pytest.mark.usefixtures("undrawn")
def test_a_lost_part_of_the_conclusions_is_told(run: Path, what: str) -> None:
    path = run / what
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = (run / "report.html").read_bytes()
    done = slant("report", run)
    assert done.code == 2
    assert path.name in done.err
    assert f"slant rescore {run}" in done.err
    assert (run / "report.html").read_bytes() == before
    assert slant("rescore", run).code == 0
    assert slant("report", run).code == 0


def process_of(*arguments: str | Path, cwd: Path) -> Done:
    """Run a command as the script that pip installs does, from a folder."""
    start = "import sys; sys.argv[0] = 'slant'; from slant.cli import main; main()"
    if "--plugin" in arguments:
        start = f"import sys; sys.path.append({str(cwd)!r}); {start}"
    done = subprocess.run(
        [sys.executable, "-P", "-c", start, *map(str, arguments)],
        capture_output=True, encoding="utf-8", cwd=cwd,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)
