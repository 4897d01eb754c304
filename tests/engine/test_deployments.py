"""Audits of assistants: system prompts compared, kept in the run, and functions as models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import slant
from slant import registry
from slant.comparison.side import paired_sides, sides_of
from slant.engine.progress import Silent
from slant.engine.run import Run
from slant.errors import InputError

APP = """
def answer(messages):
    told, asked = messages[0], messages[-1]["content"]
    if told["role"] == "system" and "calm" in told["content"]:
        return "They sat down and talked."
    return "They opened fire." if "Muslim" in asked else "They sat down."

def moody(messages):
    if "Jew" in messages[-1]["content"]:
        raise ConnectionError("the database is gone")
    return "They sat down."
"""

SUITE = 'name = "small"\n{more}\n[[study]]\nuse = "completion"\nsamples = 2\n'


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"an_app_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(APP)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "calm.txt").write_text("Stay calm.\n")
    (tmp_path / "plain.txt").write_text("You are an assistant.\n")
    (tmp_path / "suite.toml").write_text(SUITE.format(more=""))
    return name


def rate(run: Run, model: str) -> float:
    found = run.findings.filter(contrast="rate", metric="violence_rate", group="Muslims")
    (value,) = [row["value"] for row in found.iter_rows(named=True) if model in row["model"]]
    return float(value)


def test_two_system_prompts_are_two_models_of_one_run_that_compare_tells_apart(
    app: str, tmp_path: Path
) -> None:
    run = slant.audit(
        tmp_path / "suite.toml",
        f"python:{app}:answer",
        system=[tmp_path / "plain.txt", tmp_path / "calm.txt"],
        out=tmp_path / "run",
    )
    assert (rate(run, "+plain@"), rate(run, "+calm@")) == (1.0, 0.0)
    ((base, other),) = paired_sides([sides_of(str(tmp_path / "run"))])
    assert ("+plain@" in base.model, "+calm@" in other.model) == (True, True)
    answers = run.answers.collect()
    assert answers.filter(group="Muslims")["prompt"].str.contains("calm").sum() == 0
    per_model = answers.group_by("model").agg("item")
    assert set(per_model["item"][0]) == set(per_model["item"][1])
    assert run.config.texts[str(tmp_path / "calm.txt")] == "Stay calm.\n"
    fingerprints = [each["fingerprint"] for each in run.environment["models"].values()]
    assert len({each["system"] for each in fingerprints}) == 2


def test_a_run_goes_on_from_its_directory_alone_and_says_that_a_file_changed(
    app: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spelling = f"python:{app}:moody"
    run = slant.audit(
        tmp_path / "suite.toml", spelling, system=tmp_path / "calm.txt", out=tmp_path / "run"
    )
    assert run.outcomes["error"]
    notes: list[str] = []

    class Noted(Silent):
        def note(self, message: str) -> None:
            notes.append(message)

    (tmp_path / "calm.txt").unlink()
    before = list(run.environment["models"])
    again = slant.resume(tmp_path / "run", progress=Noted())
    assert list(again.environment["models"]) == before
    assert not [note for note in notes if "is not what it was" in note]
    (tmp_path / "calm.txt").write_text("Rage.")
    slant.resume(tmp_path / "run", progress=Noted())
    assert [note for note in notes if "calm.txt is not what it was when this run began" in note]
    assert '"event": "changed"' in (tmp_path / "run" / "log.jsonl").read_text()


def test_a_function_that_a_run_names_is_not_called_unless_the_user_names_it(
    app: str, tmp_path: Path
) -> None:
    slant.audit(tmp_path / "suite.toml", f"python:{app}:answer", out=tmp_path / "run", limit=6)
    registry._allowed.discard(f"python:{app}:answer")  # as in another call
    with pytest.raises(InputError, match=f"slant --plugin python:{app}:answer"):
        slant.resume(tmp_path / "run")


def test_a_suite_may_say_what_stands_around_its_questions(app: str, tmp_path: Path) -> None:
    suite = tmp_path / "deployed.toml"
    suite.write_text(SUITE.format(more='system = "calm.txt"\nframe = "frame.toml"'))
    (tmp_path / "frame.toml").write_text(
        '[[turn]]\nrole = "user"\ncontent = "Our customer asks: {question}"\n'
    )
    run = slant.audit(suite, f"python:{app}:answer", out=tmp_path / "run", limit=6)
    (name,) = run.environment["models"]
    assert "+calm@" in name
    assert "+frame@" in name
    assert {"system", "frame"} <= run.environment["models"][name]["fingerprint"].keys()
    other = slant.audit(
        suite, f"python:{app}:answer", system=tmp_path / "plain.txt", out=tmp_path / "o", limit=6
    )
    assert "+plain@" in next(iter(other.environment["models"]))


def test_what_a_chat_cannot_do_is_said_with_the_reason(
    planted: str, app: str, tmp_path: Path
) -> None:
    suite = tmp_path / "raw.toml"
    suite.write_text('name = "raw"\n[[study]]\nuse = "completion"\nprompting = "raw"\n')
    with pytest.raises(InputError, match=r"continue raw text.*asked as a chat only"):
        slant.audit(suite, planted, system=tmp_path / "calm.txt", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("name", "says"), [("none.txt", "no such file"), ("e.txt", "is empty")])
def test_a_faulty_file_stops_before_anything_is_asked(
    app: str, tmp_path: Path, name: str, says: str
) -> None:
    (tmp_path / "e.txt").write_text("\n")
    with pytest.raises(InputError, match=says):
        slant.audit(
            tmp_path / "suite.toml", f"python:{app}:answer",
            system=tmp_path / name, out=tmp_path / "run",
        )  # fmt: skip
    assert not (tmp_path / "run").exists()


def test_a_run_directory_has_slant_read_no_file(planted: str, app: str, tmp_path: Path) -> None:
    run = slant.audit(tmp_path / "suite.toml", planted, out=tmp_path / "run", limit=6)
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2")
    file = run.path("run.toml")
    forged = file.read_text().replace(planted, f"{planted}?system={secret}")
    file.write_text(forged)
    with pytest.raises(InputError, match="does not hold the text"):
        slant.resume(tmp_path / "run")


def test_the_reason_of_a_function_that_raises_is_told(app: str, tmp_path: Path) -> None:
    run = slant.audit(
        tmp_path / "suite.toml", f"python:{app}:moody", out=tmp_path / "run", min_coverage=0.99
    )
    assert run.incomplete is not None
    assert "ConnectionError: the database is gone" in run.incomplete
    assert json.loads(run.path("findings.json").read_text())["findings"]
