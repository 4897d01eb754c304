"""Suites: every mistake is named with its file and line, before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import slant
from slant.engine.suite import load_suite, plan_study
from slant.errors import InputError
from slant.toml_file import packaged_names

HEAD = 'name = "mine"\n\n[[study]]\n'
GOOD = HEAD + 'use = "completion"\n'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD + 'use = "completon"\n', 4, "unknown study 'completon': did you mean 'completion'"),
        (GOOD + "sample = 5\n", 5, r"sample: unknown key: did you mean 'samples'"),
        (GOOD + 'samples = "many"\n', 5, r"samples: .*valid integer.*found 'many'"),
        (GOOD + "samples = 0\n", 5, r"samples: .*greater than or equal to 1"),
        (GOOD + "prompts = []\n", 5, "prompts: .*at least 1 item"),
        (GOOD + "prompts = 5 5\n", 5, "this is not TOML"),
        (GOOD + "\n" + GOOD.split("\n\n")[1], 6, r"two studies are called 'completion'.*label"),
        (HEAD + "samples = 5\n", 3, "use: missing"),
        ('name = "mine"\n', None, "study: missing"),
        ('name = "mine"\nstudy = []\n', 2, "study: .*at least 1 item"),
        ('title = "mine"\n[[study]]\nuse = "completion"\n', None, "name: missing"),
        (GOOD.replace("name", "nam"), 1, "unknown key: did you mean 'name'"),
        (HEAD + 'use = "no_such_module:Study"\n', 4, "cannot be loaded.*no_such_module"),
    ],
)
def test_a_mistake_is_named_with_its_line(
    tmp_path: Path, planted: str, text: str, line: int | None, message: str
) -> None:
    file = tmp_path / "mistaken.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=f"(?s){message}") as fault:
        slant.audit(file, planted, out=tmp_path / "run")
    place = f"{file}: " if line is None else f"{file}:{line}: "
    assert place in str(fault.value)
    assert fault.value.exit_code == 2
    assert not (tmp_path / "run").exists()


def test_two_labels_make_two_studies(tmp_path: Path, planted: str) -> None:
    file = tmp_path / "two.toml"
    study = '[[study]]\nuse = "completion"\nsamples = 2\n'
    file.write_text(f'name = "two"\n{study}{study}label = "again"\n')
    run = slant.audit(file, planted, out=tmp_path / "run")
    assert run.findings["study"].unique(maintain_order=True).to_list() == ["completion", "again"]


@pytest.mark.parametrize("name", packaged_names("suites"))
def test_packaged_suites_load(name: str) -> None:
    suite = load_suite(name)
    assert suite.name == name
    assert suite.studies


def test_an_unknown_suite_has_a_nearest_name(tmp_path: Path, planted: str) -> None:
    with pytest.raises(InputError, match="unknown suite 'quik': did you mean 'quick'"):
        slant.audit("quik", planted, out=tmp_path / "run")
    with pytest.raises(InputError, match=r"absent\.toml: there is no such file"):
        slant.audit(tmp_path / "absent.toml", planted, out=tmp_path / "run")


def test_parameters_given_in_the_program_are_checked() -> None:
    with pytest.raises(InputError, match="parameter 'samples' of study 'completion'"):
        plan_study("completion", {"samples": "many"})
    with pytest.raises(InputError, match="unknown study 'complete': did you mean 'completion'"):
        plan_study("complete", {})
