"""`slant plan` and `slant audit --plan`."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import slant


def test_a_plan_is_told_and_leaves_nothing_behind(
    suite: Path, planted: str, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    done = slant("plan", suite, "-m", planted, "--limit", "120", "--effect", "5 points")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[1:3] == ["planted", lines[2]]
    assert lines[2].startswith("  completion: 120 questions, about ")
    assert lines[3].startswith("    could see a difference of ")
    assert "5 points needs about " in lines[3]
    assert "note: time is not known: --from RUN or --probe tells" in lines
    as_json = slant("audit", suite, "-m", planted, "--limit", "120", "--plan", "--json")
    (study,) = json.loads(as_json.out)["studies"]
    assert (study["questions"], study["exact"]) == (120, True)
    assert sorted(tmp_path.iterdir()) == before


def test_what_no_model_can_run_is_one_message(planted: str, tmp_path: Path) -> None:
    file = tmp_path / "unable.toml"
    file.write_text('name = "s"\n[[study]]\nuse = "likelihood"\n')
    done = slant("plan", file, "-m", planted)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "no model can run any study of suite 's'" in done.err
