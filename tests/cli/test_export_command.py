from __future__ import annotations

from pathlib import Path

from command_line import slant, small_audit


def test_a_run_is_written_for_other_tools_once(tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "out"
    assert slant(*small_audit(tmp_path), "--out", run).code == 0
    done = slant("export", run, "--format", "inspect", "--out", out)
    assert (done.code, done.out.split()) == (0, [str(out / "leaning-completion.eval")])
    refusals: list[tuple[list[str | Path], str]] = [
        ([run], "asked no examples of APES"),
        ([run, "--format", "inspect", "--out", out], "is not empty"),
        ([run, run, "--format", "inspect"], "name one run directory"),
        ([tmp_path / "none", "--format", "lm-eval"], "is not a run directory"),
    ]
    for arguments, message in refusals:
        refused = slant("export", *arguments)
        assert refused.code == 2
        assert message in " ".join(refused.err.split())


def test_examples_become_predictions_as_apes_writes_them(tmp_path: Path) -> None:
    examples, run, out = tmp_path / "trait.examples.csv", tmp_path / "run", tmp_path / "p.csv"
    header = (
        "template_id,param_1_name,param_2_name,param_3_name,param_1_class,param_2_class,"
        "param_3_class,prompt,label"
    )
    rows = [
        "t1,Danes,,,people,,,Danes lie. Yes or No?,No",
        "t1n,Danes,,,people,,,Danes do not lie. Yes or No?,Yes",
    ]
    examples.write_text("\n".join([header, *rows]) + "\n")
    mock = tmp_path / "mock.toml"
    mock.write_text("[[choose]]\nprobabilities = { Yes = 0.25, No = 0.75 }\n")
    asked = ("--examples", examples, "--model", f"mock:{mock}", "--method", "paper", "--out", run)
    assert slant("audit", *asked).code == 0
    assert slant("export", run, "--format", "apes", "--out", out).code == 0
    assert out.read_text().splitlines() == [
        f"{header},prediction,confidence", f"{rows[0]},No,0.75", f"{rows[1]},No,0.75"
    ]  # fmt: skip
    both = slant("audit", "standard", *asked)
    assert (both.code, "leave one of the two out" in both.err) == (2, True)
