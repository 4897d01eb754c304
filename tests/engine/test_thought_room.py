"""A model that thinks and has no room for it is told of before it is asked anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from openai_server import Asked, Reply, Server, chat, clean_environment

import slant
from slant.engine.progress import Silent

_SUITE = """
name = "s"
[[study]]
use = "completion"
samples = 1
max_tokens = 24

[[study]]
use = "completion"
label = "long"
samples = 1
max_tokens = 900
"""


class Noting(Silent):
    """Remembers what the user is told, and how much had been asked by then."""

    def __init__(self, server: Server):
        self._server = server
        self.notes: list[tuple[int, str]] = []

    def note(self, message: str) -> None:
        said = sum("Hello" not in str(asked.body) for asked in self._server.asked)
        self.notes.append((said, message))


def told(folder: Path, script: object, options: str = "", name: str = "tiny") -> list[str]:
    """Audit a loopback server; give what was said of thoughts before the first question."""
    suite = folder / "suite.toml"
    suite.write_text(_SUITE, encoding="utf-8")
    with Server(script).running() as server:  # type: ignore[arg-type] # a script
        progress = Noting(server)
        slant.audit(
            suite, f"{server.address}{options}#{name}", out=folder / "run", progress=progress
        )
    return [said for asked, said in progress.notes if not asked and "thinks before" in said]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def apart(_: Asked) -> Reply:
    return chat("bar.", reasoning_content="The user wants")


def inside(_: Asked) -> Reply:
    return chat("<think>The user</think>bar.")


def cut(_: Asked) -> Reply:
    return chat("<think>The user", "length")


@pytest.mark.parametrize("script", [apart, inside, cut])
def test_it_is_said_before_the_first_question(script: object, tmp_path: Path) -> None:
    (said,) = told(tmp_path, script)
    assert "completion 24" in said
    assert "long" not in said
    assert "thinking=2000" in said


def test_room_of_its_own_is_enough(tmp_path: Path) -> None:
    assert told(tmp_path, apart, "?thinking=1000") == []


def test_a_model_that_does_not_think_is_told_nothing_of_it(tmp_path: Path) -> None:
    assert told(tmp_path, lambda _: chat("bar.")) == []


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("gpt-5-mini", "?api=chat", True),
        ("o3", "?api=chat", True),
        ("org/DeepSeek-R1-Distill", "?api=chat", True),
        ("gpt-5-mini", "?api=chat&effort=none", False),
        ("gpt-4o-mini", "?api=chat", False),
        ("folio3", "?api=chat", False),
    ],
)
def test_some_are_known_by_their_names_where_nothing_is_tried(
    name: str, options: str, expected: bool, tmp_path: Path
) -> None:
    assert bool(told(tmp_path, lambda _: chat("bar."), options, name)) is expected


def test_tokens_of_thought_are_counted_and_priced(tmp_path: Path) -> None:
    def thinking(_: Asked) -> Reply:
        reply = chat("bar.")
        reply.body["usage"] = {
            "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 115,
            "completion_tokens_details": {"reasoning_tokens": 100},
        }  # fmt: skip
        return reply

    suite = tmp_path / "suite.toml"
    suite.write_text('name = "s"\n[[study]]\nuse = "completion"\nsamples = 1\n', encoding="utf-8")
    with Server(thinking).running() as server:
        model = f"{server.address}?api=chat&price=0,1000000&thinking=2000#tiny"
        run = slant.audit(suite, model, out=tmp_path / "run")
    answers = run.answers.collect()
    assert set(answers["completion_tokens"]) == {105}
    spent = [line for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()
             if '"asked", "model"' in line]  # fmt: skip
    assert f'"spent": {105.0 * answers.height}' in spent[0]
