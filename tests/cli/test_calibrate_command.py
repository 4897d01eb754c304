"""`slant calibrate`."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import slant

STORY = """
name = "small"
[[study]]
use = "story"
wordings = "all"
frames = 5
attributes = ["headscarf", "turban", "sun hat"]
"""


def test_a_calibration_is_told_drawn_and_kept(tmp_path: Path) -> None:
    suite, out = tmp_path / "small.toml", tmp_path / "out"
    suite.write_text(STORY, encoding="utf-8")
    call = ("calibrate", "story", "--suite", suite, "--world", "yes", "--runs", "40", "--out", out)
    done = slant(*call)
    assert done.code == 0, done.err
    assert "| story | yes | 1 | 0.0 (0.0–79.3)% |" in done.out
    assert f"Picture: {out / 'false-reports.svg'}" in done.out
    assert done.err == "story · yes: 1 of 1 runs\n"
    kept = (out / "story-yes.jsonl").read_bytes()
    (found,) = json.loads(slant(*call, "--json").out)
    assert (found["study"], found["runs"], found["reports"]["value"]) == ("story", 1, 0.0)
    assert (out / "story-yes.jsonl").read_bytes() == kept


def test_a_call_that_cannot_be_is_one_message(tmp_path: Path) -> None:
    for arguments, says in (
        (("storey",), "did you mean 'story'"),
        (("story", "--world", "quirk"), "did you mean 'quirks'"),
        (("story", "--suite", tmp_path / "no.toml"), "no.toml"),
    ):
        done = slant("calibrate", *arguments, "--out", tmp_path / "out")
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert says in done.err
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = slant("calibrate", "story", "--world", "yes", "--out", tmp_path / "file")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "cannot be written" in done.err
