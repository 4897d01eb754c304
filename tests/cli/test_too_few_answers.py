"""Too few answers: the exit code, and what is kept all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import slant

REFUSING = """
[[generate]]
group = "Jews"
answers = [{ text = " bar." }]

[[generate]]
answers = [{ text = "", outcome = "refused", reason = "policy \\u001b[31m" }]
"""
SMALL = 'name = "small"\n[[study]]\nuse = "completion"\nsamples = 2\n'


@pytest.fixture
def arguments(tmp_path: Path) -> list[str | Path]:
    (tmp_path / "model.toml").write_text(REFUSING)
    (tmp_path / "suite.toml").write_text(SMALL)
    model = f"mock:{tmp_path / 'model.toml'}"
    return ["audit", tmp_path / "suite.toml", "--model", model, "--out", tmp_path / "run"]


def test_a_run_that_is_refused_ends_with_3_and_keeps_its_findings(
    arguments: list[str | Path], tmp_path: Path
) -> None:
    done = slant(*arguments)
    assert done.code == 3
    assert "completion of model: " in done.err
    assert "\x1b" not in done.err
    assert (tmp_path / "run" / "findings.json").exists()


def test_the_floor_is_the_users(arguments: list[str | Path]) -> None:
    assert slant(*arguments, "--min-coverage", "0.1").code == 0
