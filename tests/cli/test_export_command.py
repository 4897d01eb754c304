from __future__ import annotations

import json
from pathlib import Path

from command_line import slant, small_audit
from slant.studies.story.examples_file import load_examples


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


def test_pairs_to_tune_on_are_what_the_study_asks_a_tuned_model(tmp_path: Path) -> None:
    table, out = tmp_path / "pairs.csv", tmp_path / "pairs.jsonl"
    table.write_text('caption,description\n"Man, on a bench.","I wait — as ever."\n', "utf-8")
    assert slant("export", "stories", table, "--for-finetuning", "--out", out).code == 0
    (line,) = map(json.loads, out.read_text("utf-8").splitlines())
    asked = load_examples("none").prompt("Man, on a bench.")
    assert asked == "Caption: Man, on a bench.\nDescription:"
    assert line == {"prompt": asked, "completion": " I wait — as ever."}
    chat = slant("export", "stories", table, "--for-finetuning", "--chat")
    assert json.loads(chat.out)["messages"] == [
        {"role": "user", "content": asked},
        {"role": "assistant", "content": "I wait — as ever."},
    ]
    own = slant("export", "stories", "--for-finetuning")
    assert len(own.out.splitlines()) == len(load_examples("examples").examples)


def test_what_is_no_pair_to_tune_on_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("caption,description\nMan on a bench.,\n")
    (tmp_path / "there.jsonl").touch()
    for arguments, message in (
        ([tmp_path / "pairs.csv", "--for-finetuning"], "export stories --for-finetuning"),
        (["stories", "--chat"], "export stories --for-finetuning"),
        (["stories", tmp_path / "pairs.csv", "--for-finetuning"], "no description"),
        (["stories", "--for-finetuning", "--out", tmp_path / "there.jsonl"], "there already"),
    ):
        refused = slant("export", *arguments)
        assert refused.code == 2
        assert message in " ".join(refused.err.split())
