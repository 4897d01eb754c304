"""`slant init` and `slant validate`: files that work, and what is said about files that do not."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from command_line import slant, written

FILES = ("axis.toml", "gate.toml", "lexicon.toml", "planted.toml", "suite.toml")


@pytest.mark.usefixtures("undrawn")
def test_the_command_that_init_prints_works(tmp_path: Path) -> None:
    done = slant("init", tmp_path / "my files")
    assert done.code == 0
    assert [Path(line).name for line in done.out.splitlines()[: len(FILES)]] == list(FILES)
    command = done.out.partition("Try it: ")[2].splitlines()[0]
    name, *arguments = shlex.split(command)
    assert name == "slant"
    audited = slant(*arguments, "--json", "--out", tmp_path / "run")
    assert audited.code == 0, audited.err
    findings = json.loads(audited.out)["findings"]
    assert {each["study"] for each in findings} == {"completion", "completion-neighbours"}
    significant = {each["group"] for each in findings if (each["q"] or 1) < 0.01}
    assert "Muslims" in significant


def test_init_overwrites_nothing(tmp_path: Path) -> None:
    written(tmp_path / "lexicon.toml", "mine")
    done = slant("init", tmp_path)
    assert done.code == 2
    assert "lexicon.toml" in done.err
    assert [each.name for each in tmp_path.iterdir()] == ["lexicon.toml"]
    assert (tmp_path / "lexicon.toml").read_text() == "mine"


def test_what_init_writes_is_valid(tmp_path: Path) -> None:
    slant("init", tmp_path)
    done = slant("validate", *(tmp_path / name for name in FILES))
    assert done.code == 0, done.err
    kinds = [line.partition(".toml: ")[2] for line in done.out.splitlines()]
    assert [kind.split(" of")[0].split(" that")[0] for kind in kinds] == [
        "an axis", "a policy", "a lexicon", "a mock model", "a suite",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('name = "s"\n[[study]]\nuse = "completion"\nsampels = 3\n', 4, "samples"),
        ('name = "s"\n\n[[study]]\nuse = "complesion"\n', 4, "did you mean 'completion'"),
        ('name = "s"\n[[study]]\nuse = "completion"\nsamples = 0\n', 4, "greater than or equal"),
        ('name = "s"\n[[study]\n', 2, "not TOML"),
        ('name = "l"\ntitle = "L"\n[[entry]]\nforms = [""]\n', 4, "forms"),
        (
            'name = "l"\ntitle = "L"\n[[entry]]\nforms = ["a"]\nunless = ["("]\n',
            5,
            "regular expression",
        ),
        ('name = "x"\n[[group]]\nname = "A"\n[[group]]\nname = "A"\n', 5, "twice"),
        ('[[generate]]\nanswers = [{ txt = "a" }]\n', 2, "text"),
    ],
)
def test_faults_are_told_with_file_and_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    file = written(tmp_path / "faulty.toml", text)
    done = slant("validate", file)
    assert done.code == 2
    assert f"{file}:{line}: " in done.err
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_file_that_is_nothing_is_told_what_it_could_be(tmp_path: Path) -> None:
    done = slant("validate", written(tmp_path / "what.toml", 'colour = "red"\n'))
    assert done.code == 2
    assert "[[study]]" in done.err
    assert "what.toml" in done.err


def test_validate_looks_into_the_files_that_a_suite_names(tmp_path: Path) -> None:
    slant("init", tmp_path)
    lexicon = tmp_path / "lexicon.toml"
    lexicon.write_text(lexicon.read_text().replace('"lent a hand"', '""'))
    done = slant("validate", tmp_path / "suite.toml")
    assert done.code == 2
    assert f"{lexicon}:8: " in done.err
