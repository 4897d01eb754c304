"""A changed byte in any file of a run is found; what was said of the audit is kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from slant.cli.app import app
from slant.engine.audit import audit, resume
from slant.engine.run import Run
from slant.engine.verify import verify
from slant.errors import InputError
from slant.reports.write import about, write_report

_MODEL = """
name = "m"
[[generate]]
answers = [{ text = " bar and {sat down|opened fire}." }]
"""
_SUITE = """
name = "tiny"
[audit]
organisation = "Office"
purpose = "whether it may answer letters"
[[audit.left_out]]
what = "age"
why = "not known"
[[study]]
use = "completion"
samples = 2
"""


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a run with its report; no test may write to it."""
    folder = tmp_path_factory.mktemp("verify")
    (folder / "suite.toml").write_text(_SUITE)
    (folder / "model.toml").write_text(_MODEL)
    run = audit(folder / "suite.toml", f"mock:{folder / 'model.toml'}", out=folder / "run")
    write_report(run)
    return run.directory


@pytest.fixture
def copy(signed: Path, tmp_path: Path) -> Callable[[], Path]:
    """Copy the run, for a test to change; each copy is a fresh one."""

    def fresh() -> Path:
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        return Path(shutil.copytree(signed, tmp_path / "run"))

    return fresh


def asked(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(map(str, words)))
    return result.exit_code, result.output


def test_a_run_that_nobody_touched_is_whole(signed: Path) -> None:
    found = verify(Run(signed))
    assert found.whole
    assert set(found.besides) <= {"run.lock"}
    code, said = asked("verify", signed)
    assert (code, found.manifest in said) == (0, True)


def test_a_changed_byte_in_any_file_is_found(copy: Callable[[], Path]) -> None:
    run = copy()
    files = [path for path in run.rglob("*") if path.is_file() and path.stat().st_size]
    names = [path.relative_to(run).as_posix() for path in files]
    assert {"run.toml", "report.html", "journal.sqlite", "environment.json", "log.jsonl"} <= set(
        names
    )
    for path, name in zip(files, names, strict=True):
        if name == "checksums.json":
            continue
        was = path.read_bytes()
        path.write_bytes(was[:-1] + bytes([was[-1] ^ 1]))
        # A file that cannot be read any more is no run: any other is found by its name.
        if name != "run.toml":
            assert verify(Run(run)).changed == (name,)
        path.write_bytes(was)


def test_what_is_missing_is_named_and_what_was_put_there_too(copy: Callable[[], Path]) -> None:
    run = copy()
    (run / "status.json").unlink()
    (run / "note.txt").write_text("mine")
    code, said = asked("verify", run)
    assert code == 1
    assert "missing: status.json" in said
    assert "not covered: note.txt" in said


def test_an_edited_finding_is_not_told_as_true(copy: Callable[[], Path]) -> None:
    run = copy()
    path = run / "findings.json"
    path.write_text(path.read_text().replace('"Muslims"', '"Martians"'))
    with pytest.raises(InputError, match="not as slant wrote it"):
        Run(run).finding_list()
    assert asked("verify", run)[0] == 1


@pytest.mark.usefixtures("sketched")
def test_a_report_says_loudly_that_the_run_was_changed(copy: Callable[[], Path]) -> None:
    run = copy()
    path = run / "run.toml"
    path.write_text(path.read_text().replace('"Office"', '"Another office"'))
    page = write_report(run).read_text(encoding="utf-8")
    assert "Files of this run were changed since slant wrote them:" in page
    assert "Do not rely on this." in page
    assert "changed: run.toml" in asked("verify", run)[1]


@pytest.mark.usefixtures("sketched")
def test_a_run_that_goes_on_is_whole_again(copy: Callable[[], Path]) -> None:
    run = copy()
    write_report(resume(run))
    assert verify(Run(run)).whole


def test_a_signature_beside_the_manifest_says_how_to_verify_it(copy: Callable[[], Path]) -> None:
    run = copy()
    (run / "checksums.json.asc").write_text("-----BEGIN PGP SIGNATURE-----")
    code, said = asked("verify", run)
    assert code == 0
    assert "gpg --verify" in said


def test_a_manifest_that_names_files_outside_is_refused(copy: Callable[[], Path]) -> None:
    run = copy()
    (run / "checksums.json").write_text('{"../suite.toml": "00"}')
    with pytest.raises(InputError, match="outside the run"):
        verify(Run(run))


def test_who_asked_and_what_was_left_out_stand_in_the_report(signed: Path) -> None:
    told = about(Run(signed))
    assert told.audit.organisation == "Office"
    page = (signed / "report.html").read_text(encoding="utf-8")
    for words in ("Who asked, and what for", "whether it may answer letters", "age: not known"):
        assert words in page
    assert "**Organisation:** Office" in asked("report", signed, "--card")[1]


def test_a_mistyped_field_of_an_audit_is_refused(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(_SUITE.replace("organisation", "organization"))
    with pytest.raises(InputError, match="organization"):
        audit(suite, "embedded")
