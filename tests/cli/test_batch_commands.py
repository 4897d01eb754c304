"""`slant audit --batch-out` and `slant resume --answers`: what they say, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from batch_service import carry_out, refused, requests_in, said, written_lines
from openai_server import clean_environment

import slant as package
from command_line import SMALL, Done, slant, small_audit, written

pytestmark = pytest.mark.usefixtures("undrawn")
MODEL = "openai:tiny"


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def begun(folder: Path, *more: str | Path) -> tuple[Done, Path, Path]:
    """Write the questions of a small audit; give the run and the file."""
    suite, run, file = written(folder / "small.toml", SMALL), folder / "run", folder / "b.jsonl"
    done = slant("audit", suite, "-m", MODEL, "--out", run, "--batch-out", file, *more)
    return done, run, file


def answered(file: Path, text: str = "bar.") -> Path:
    return carry_out(file, lambda *_: said(text), file.with_name("results.jsonl"))


def test_the_round_trip_and_what_is_said_on_the_way(tmp_path: Path) -> None:
    done, run, file = begun(tmp_path)
    count = len(requests_in(file))
    assert (done.code, count > 100) == (0, True)
    assert f"{count:,} questions are written to {file}" in done.err
    assert f"slant resume {run} --answers RESULTS.jsonl --batch-out NEXT.jsonl" in done.out
    assert "findings" not in done.out
    following = tmp_path / "next.jsonl"
    done = slant("resume", run, "--answers", answered(file), "--batch-out", following)
    assert done.code == 0
    assert f"{count:,} results were taken into the run" in done.err
    assert "Report:" in done.out
    assert not following.exists()  # nothing is left to ask


def test_results_of_another_run_change_nothing(tmp_path: Path) -> None:
    _, run, file = begun(tmp_path)
    lines = [{"custom_id": f"{n:032x}", "text": "bar."} for n in range(5)]
    other = written_lines(tmp_path / "other.jsonl", lines)
    before = (run / "run.toml").read_bytes()
    done = slant("resume", run, "--answers", other)
    assert (done.code, done.err.count("slant:")) == (2, 1)
    assert "belong to another one" in done.err
    assert (run / "run.toml").read_bytes() == before
    assert slant("resume", run, "--answers", answered(file)).code == 0


def test_unknown_doubled_missing_and_failed_entries_are_told(tmp_path: Path) -> None:
    _, run, file = begun(tmp_path)
    ids = [request["custom_id"] for request in requests_in(file)]
    lines: list[dict[str, Any]] = [{"custom_id": id_, "text": f"bar {id_}"} for id_ in ids[4:]]
    lines.append({"custom_id": ids[-1], "text": "doubled"})
    lines.append({"custom_id": "f" * 32, "text": "of nobody"})
    expired = {"code": "batch_expired", "message": "ran out of time"}
    lines.append({"custom_id": ids[0], "response": None, "error": expired})
    status, body = refused("too long")
    failed = {"status_code": status, "body": body}
    lines.append({"custom_id": ids[1], "response": failed, "error": None})
    results = written_lines(tmp_path / "results.jsonl", lines)
    following = tmp_path / "next.jsonl"
    done = slant("resume", run, "--answers", results, "--batch-out", following)
    assert done.code == 0
    for told in (
        f"{len(ids) - 3:,} results were taken into the run",
        (
            "1 result was left out: no question of this run has such a custom_id (the first is "
            f"{results}:"
        ),
        "1 result was there more than once",
        "1 result was no answer: ran out of time",
        "1 result was no answer: HTTP 400: too long",
        "3 questions are written to",
    ):
        assert told in done.err
    # What a server refuses for good is an error; what it had no time for, or never got, is open.
    assert {request["custom_id"] for request in requests_in(following)} == {ids[0], ids[2], ids[3]}


def test_without_a_file_for_the_rest_open_questions_end_with_exit_3(tmp_path: Path) -> None:
    _, run, file = begun(tmp_path)
    lines = answered(file).read_text(encoding="utf-8").splitlines()[3:]
    some = written(tmp_path / "some.jsonl", "\n".join(lines) + "\n")
    done = slant("resume", run, "--answers", some)
    assert done.code == 3
    assert f"slant resume {run} --batch-out FILE" in done.err
    again = tmp_path / "again.jsonl"
    assert slant("resume", run, "--batch-out", again).code == 0
    assert len(requests_in(again)) == 3
    done = slant("resume", run, "--answers", answered(file))  # the first ones once more
    assert done.code == 0
    assert f"{len(lines):,} results were not needed" in done.err


def test_several_models_have_a_file_each_and_their_results_are_told_apart(tmp_path: Path) -> None:
    done, run, file = begun(tmp_path, "-m", "anthropic:other")
    files = [file.with_name("b.1.jsonl"), file.with_name("b.2.jsonl")]
    ids = [[request["custom_id"] for request in requests_in(each)] for each in files]
    assert not file.exists()
    assert f"{len(ids[1]):,} questions for other are written to {files[1]}" in done.err
    assert {id_[:32] for id_ in ids[0]} == {id_[:32] for id_ in ids[1]}
    assert not set(ids[0]) & set(ids[1])
    # The results in one file and in any order, one of nobody's among them, one missing.
    texts = zip(ids, ("bar.", "pub."), strict=True)
    lines = [{"custom_id": id_, "text": text} for own, text in texts for id_ in own]
    mixed = written_lines(tmp_path / "mixed.jsonl", [*lines[:0:-1], {"custom_id": "x", "text": ""}])
    rest = tmp_path / "rest.jsonl"
    done = slant("resume", run, "--answers", mixed, "--batch-out", rest)
    assert done.code == 0
    assert f"{len(ids[1]):,} results were taken into the run for other" in done.err
    assert (
        "1 result was left out: no question of this run has such a custom_id (the first is "
        f"{mixed}:" in done.err
    )
    assert [each["custom_id"] for each in requests_in(rest.with_name("rest.1.jsonl"))] == ids[0][:1]
    assert not rest.with_name("rest.2.jsonl").exists()
    last = written_lines(tmp_path / "last.jsonl", lines[:1])
    assert slant("resume", run, "--answers", last, "--answers", mixed).code == 0
    answers = package.Run(run).answers.select("model", "text").unique().collect()
    assert set(answers.rows()) == {("tiny", "bar."), ("other", "pub.")}


def test_results_of_no_model_of_the_run_are_refused(tmp_path: Path) -> None:
    _, run, file = begun(tmp_path, "-m", "anthropic:other")
    id_ = requests_in(file.with_name("b.1.jsonl"))[0]["custom_id"][:32]
    bare = written_lines(tmp_path / "bare.jsonl", [{"custom_id": id_, "text": "bar."}])
    done = slant("resume", run, "--answers", bare)
    assert (done.code, done.err.count("slant:")) == (2, 1)
    assert "none of these results is of a model of this run" in done.err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "holds no results at all"),
        ("\n\n", "holds no results at all"),
        ('{"custom_id": "a", "te', "1: the line is not JSON, or was cut off"),
        ("[1]\n", "1: the line is not a JSON object"),
        ('{"id": 3}\n', "1: the line has no custom_id"),
        ('{"custom_id": "a"}\n', "1: the line has no answer"),
        ('{"custom_id": "a", "text": 3}\n', "1: the line has no answer"),
        ('{"custom_id": "a", "text": "x"}\nfoo\n', "2: the line is not JSON"),
        (b"\xff\xfe\n", "1: the line is not the text that it says it is"),
    ],
)
def test_a_file_that_holds_no_results_is_refused(
    content: str | bytes, says: str, tmp_path: Path
) -> None:
    _, run, _ = begun(tmp_path)
    file = tmp_path / "results.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = slant("resume", run, "--answers", file)
    assert done.code == 2
    assert done.err.startswith(f"slant: {file}")
    assert says in done.err


def test_the_questions_are_not_their_answers(tmp_path: Path) -> None:
    _, run, file = begun(tmp_path)
    done = slant("resume", run, "--answers", file)
    assert done.code == 2
    assert f"{file}:1: these are the questions, not their answers" in done.err
    done = slant("resume", run, "--answers", tmp_path / "nowhere.jsonl")
    assert done.code == 2
    assert "there is no such file" in done.err
    assert slant("resume", run, "--answers", tmp_path).code == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--cache",), "--cache keeps answers that slant asked for itself"),
        (("--executor", "pool"), "--executor says where models run"),
        (("--max-cost", "1"), "--max-cost cannot stop a batch"),
        (("--shard", "1/2"), "--shard parts a run"),
    ],
)
def test_what_only_asking_at_once_can_give_is_refused(
    options: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    done, run, file = begun(tmp_path, *options)
    assert done.code == 2
    assert says in done.err
    assert not run.exists()
    assert not file.exists()


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    written(tmp_path / "b.jsonl", "precious")
    done, run, file = begun(tmp_path)
    assert done.code == 2
    assert f"{file}: is there already" in done.err
    assert not run.exists()
    assert file.read_text(encoding="utf-8") == "precious"
    suite = tmp_path / "small.toml"
    nowhere = tmp_path / "no" / "b.jsonl"
    done = slant("audit", suite, "-m", MODEL, "--out", run, "--batch-out", nowhere)
    assert done.code == 2
    assert "there is no such folder" in done.err


def test_a_model_that_runs_here_is_asked_at_once(tmp_path: Path) -> None:
    arguments = small_audit(tmp_path)
    done = slant(*arguments, "--out", tmp_path / "run", "--batch-out", tmp_path / "b.jsonl")
    assert done.code == 2
    assert "cannot be asked in batches" in done.err


def test_a_batch_cannot_measure_likelihoods(tmp_path: Path) -> None:
    suite = written(tmp_path / "l.toml", 'name = "l"\n[[study]]\nuse = "likelihood"\n')
    out, file = tmp_path / "run", tmp_path / "b.jsonl"
    done = slant("audit", suite, "-m", MODEL, "--out", out, "--batch-out", file)
    assert done.code == 2
    assert "cannot give likelihoods" in done.err


def test_a_wrong_model_in_every_result_is_one_message(tmp_path: Path) -> None:
    _, run, file = begun(tmp_path)
    missing = {"error": {"message": "The model `tiny` does not exist", "code": "model_not_found"}}
    results = carry_out(file, lambda *_: (404, missing), tmp_path / "results.jsonl")
    done = slant("resume", run, "--answers", results)
    assert (done.code, done.err.count("slant:")) == (2, 1)
    assert "check that the server has a model named 'tiny'" in done.err
    assert slant("resume", run, "--answers", answered(file)).code == 0


def test_a_batch_that_one_file_does_not_hold_is_parted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slant.models.openai_compatible.model.MOST_REQUESTS", 50)
    done, run, _file = begun(tmp_path)
    parts = sorted(tmp_path.glob("b*.jsonl"))
    assert len(parts) > 2
    assert all(str(part) in done.err for part in parts)
    ids = [request["custom_id"] for part in parts for request in requests_in(part)]
    assert len(ids) == len(set(ids))
    assert max(len(requests_in(part)) for part in parts) == 50
    results = [
        carry_out(part, lambda *_: said("bar."), tmp_path / f"r{number}.jsonl")
        for number, part in enumerate(parts)
    ]
    given = [each for result in results for each in ("--answers", str(result))]
    assert slant("resume", run, *given).code == 0
    assert not list(tmp_path.glob("*.new"))


def test_json_of_the_findings_stands_alone_on_standard_output(tmp_path: Path) -> None:
    _, run, file = begun(tmp_path)
    done = slant("resume", run, "--answers", answered(file), "--json")
    assert json.loads(done.out)["findings"]
