from __future__ import annotations

from pathlib import Path

from command_line import slant, small_audit


def test_a_run_is_written_for_other_tools_once(tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "out"
    assert slant(*small_audit(tmp_path), "--out", run).code == 0
    done = slant("export", run, "--format", "inspect", "--out", out)
    assert (done.code, done.out.split()) == (0, [str(out / "leaning-completion.eval")])
    refusals: list[tuple[list[str | Path], str]] = [
        ([run], "say as what to write it"),
        ([run, "--format", "inspect", "--out", out], "is not empty"),
        ([run, run, "--format", "inspect"], "name one run directory"),
        ([tmp_path / "none", "--format", "lm-eval"], "is not a run directory"),
    ]
    for arguments, message in refusals:
        refused = slant("export", *arguments)
        assert refused.code == 2
        assert message in " ".join(refused.err.split())
