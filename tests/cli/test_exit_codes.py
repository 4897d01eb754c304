"""How commands fail: one clear message, the right exit code, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import (
    FAILING,
    FINE,
    SMALL,
    Done,
    process,
    slant,
    small_audit,
    written,
)
from slant.errors import SlantError

pytestmark = pytest.mark.usefixtures("undrawn")


def refused(done: Done, *said: str) -> None:
    assert done.code == 2, done
    assert done.out == ""
    assert "Traceback" not in done.err
    assert "defect" not in done.err
    for part in said:
        assert part in done.err


def test_an_unknown_model_is_told_the_nearest_name(tmp_path: Path) -> None:
    done = slant("audit", "--model", "embeded", "--out", tmp_path / "run")
    refused(done, "unknown model 'embeded'", "did you mean 'embedded'?")
    assert not (tmp_path / "run").exists()


def test_an_unknown_suite_is_told_the_nearest_name() -> None:
    refused(slant("audit", "quik"), "did you mean 'quick'?")


def test_an_unknown_study_is_told_the_nearest_name(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "group,text\na,b\n")
    refused(slant("measure", "complesion", table), "did you mean 'completion'?")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('reference = "Martians"', "Martians"),
        ('groups = ["Muslims", "Jews"]\nreference = "Sikhs"', "'Sikhs'"),
        ('groups = ["Muslim"]', "did you mean 'Muslims'?"),
        ('set = "abid"', "abid2021"),
        ('axis = "religoin"', "did you mean 'religion'?"),
        ('axis = "nowhere.toml"', "nowhere.toml"),
        ('lexicon = "violense"', "did you mean 'violence'?"),
        ('prompts = ["Two people walked into a"]', "names no group"),
        ('prompts = ["A {group.surname} walked into a"]', "surname"),
        ('prompts = ["{group}", "{group}"]', "listed twice"),
    ],
)
def test_settings_that_mean_nothing_are_refused_before_anything_is_asked(
    tmp_path: Path, settings: str, said: str
) -> None:
    arguments = small_audit(tmp_path)
    written(tmp_path / "small.toml", SMALL + settings + "\n")
    refused(slant(*arguments, "--out", tmp_path / "run"), said)
    assert not (tmp_path / "run").exists()


def test_malformed_toml_is_told_with_its_line(tmp_path: Path) -> None:
    suite = written(tmp_path / "suite.toml", 'name = "x"\n[[study]\nuse = "completion"\n')
    refused(slant("audit", suite), f"{suite}:2: ")


def test_a_lexicon_with_an_empty_word_is_told_with_its_line(tmp_path: Path) -> None:
    arguments = small_audit(tmp_path)
    written(tmp_path / "small.toml", SMALL + 'lexicon = "mine.toml"\n')
    lexicon = written(tmp_path / "mine.toml", 'name = "x"\ntitle = "X"\n[[entry]]\nforms = [""]\n')
    refused(slant(*arguments), f"{lexicon}:4: ")


def test_a_group_without_the_form_that_a_prompt_needs(tmp_path: Path) -> None:
    arguments = small_audit(tmp_path)
    prompts = 'axis = "axis.toml"\nprompts = ["The {group.adjective} man"]\n'
    written(tmp_path / "small.toml", SMALL + prompts)
    groups = "".join(f'[[group]]\nname = "{name}"\nforms.plural = "{name}"\n' for name in "AB")
    written(tmp_path / "axis.toml", f'name = "letters"\ntitle = "Letters"\n{groups}')
    refused(slant(*arguments), "adjective", "'A'")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "expected records with group, text"),
        ("empty.jsonl", b"", "expected records with group, text"),
        ("columns.csv", b"who,what\na,b\n", "found who, what"),
        ("latin.csv", b"group,text\na,caf\xe9\n", "latin.csv:2: byte 0xe9 is not UTF-8"),
        ("latin.jsonl", b'\n{"group": "a", "text": "\xff"}\n', "latin.jsonl:2: byte 0xff"),
        ("broken.jsonl", b'{"group": "a", "text": "b"}\n{"group\n', "broken.jsonl:2: "),
        ("list.jsonl", b"[1]\n", "list.jsonl:1: "),
        ("blank.csv", b'group,text\n" ",b\n', "'group'"),
        ("odd.csv", b"group,text,outcome\na,b,fine\n", "'outcome' ('fine')"),
        ("word.csv", b"group,text,sample\na,b,first\n", "'sample' ('first')"),
        ("what.docx", b"PK", ".jsonl"),
        ("fake.parquet", b"PAR0", "Parquet"),
    ],
)
def test_files_that_cannot_be_measured(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    refused(slant("measure", "completion", file, "--out", tmp_path / "run"), name, said)
    assert not (tmp_path / "run").exists()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    refused(slant("measure", "completion", tmp_path / "no.csv"), "there is no such file")


@pytest.mark.parametrize("setting", ["lexicon", "=x", "sampels=3", "samples=none"])
def test_settings_that_cannot_be_read(tmp_path: Path, setting: str) -> None:
    table = written(tmp_path / "t.csv", "group,text\na,b\n")
    refused(slant("measure", "completion", table, "--set", setting), setting.partition("=")[0])


def test_a_reference_that_the_file_does_not_hold(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "group,text\nreds,b\nblues,c\n")
    arguments = ("measure", "completion", table, "--set", "reference=red", "--out", tmp_path / "r")
    refused(slant(*arguments), "unknown reference group 'red'", "did you mean 'reds'?")


@pytest.mark.parametrize("shard", ["5/3", "0/2", "x", "1", "1/0"])
def test_shards_that_cannot_be(tmp_path: Path, shard: str) -> None:
    refused(slant(*small_audit(tmp_path), "--shard", shard), "i/n")


def test_a_model_without_the_ability_that_is_needed(tmp_path: Path) -> None:
    arguments = small_audit(tmp_path)
    written(tmp_path / "small.toml", SMALL + 'prompting = "raw"\n')
    written(tmp_path / "leaning.toml", 'name = "m"\nabilities = ["chat"]\n' + FINE)
    refused(slant(*arguments), "model 'm' cannot continue raw text", "it can answer a chat")


@pytest.mark.parametrize(
    "arguments",
    [["audit", "--colour"], ["adit"], ["audit", "--seed", "-1"], ["audit", "--method", "quick"]],
)
def test_usage_errors(arguments: list[str]) -> None:
    refused(slant(*arguments), arguments[-1].removeprefix("-1") or "--seed")


def test_directories_that_are_no_runs(tmp_path: Path) -> None:
    for verb in ("resume", "rescore", "report"):
        refused(slant(verb, tmp_path), "run.toml")
    refused(slant("merge", tmp_path, "--out", tmp_path / "out"), "run.toml")


def test_a_directory_that_holds_something_is_not_written_into(tmp_path: Path) -> None:
    written(tmp_path / "precious", "1")
    refused(slant(*small_audit(tmp_path), "--out", tmp_path), "not empty")


def test_too_few_answers_are_incomplete(tmp_path: Path) -> None:
    arguments = small_audit(tmp_path)
    written(tmp_path / "leaning.toml", FAILING + FINE)
    out = ("--out", tmp_path / "run")
    done = slant(*arguments, *out, "--min-coverage", "0.9")
    assert done.code == 3
    assert "under the floor of 90% (--min-coverage): completion of" in done.err
    assert "150 of 180" in done.err
    assert f"slant resume {tmp_path / 'run'}" in done.err
    assert "Report:" in done.out
    assert "Traceback" not in done.err
    assert slant("report", tmp_path / "run").code == 3
    lower = slant(*arguments, "--out", tmp_path / "lower", "--min-coverage", "0.8")
    assert lower.code == 0


def test_a_failure_that_is_not_the_users_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise SlantError("the server is down")

    monkeypatch.setattr("slant.cli.ls._names", fail)
    done = slant("ls", "studies")
    assert (done.code, done.err) == (1, "slant: the server is down\n")


def test_an_unforeseen_error_is_owned_up_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ZeroDivisionError("oh dear")

    monkeypatch.setattr("slant.cli.ls._names", fail)
    monkeypatch.delenv("SLANT_TRACEBACK", raising=False)
    done = slant("ls", "studies")
    assert done.code == 1
    assert "a defect of slant: ZeroDivisionError: oh dear" in done.err
    assert "SLANT_TRACEBACK=1" in done.err
    assert "Traceback" not in done.err
    monkeypatch.setenv("SLANT_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        slant("ls", "studies")


def test_an_interruption_has_its_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("slant.cli.ls._names", interrupt)
    assert slant("ls", "studies").code == 130


def test_a_full_disk_is_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("slant.cli.ls._names", fail)
    done = slant("ls", "studies")
    assert (done.code, done.err) == (1, "slant: No space left on device\n")


def test_a_password_in_an_address_is_refused_and_kept_nowhere(tmp_path: Path) -> None:
    arguments = small_audit(tmp_path)
    model = "http://me:hunter2@localhost:1/v1#x"
    done = process(*arguments, "-m", model, "--out", tmp_path / "run")
    refused(done, "password")
    assert "hunter2" not in done.err
    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    assert files
    assert not any(b"hunter2" in each.read_bytes() for each in files)


def test_a_mistyped_setting_gets_the_nearest_name(tmp_path: Path) -> None:
    table = tmp_path / "texts.jsonl"
    table.write_text('{"group": "red", "text": "bar"}\n')
    done = slant("measure", "completion", table, "--set", "lexicn=x")
    refused(done, "did you mean 'lexicon'?")
