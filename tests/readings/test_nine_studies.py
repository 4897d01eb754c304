"""The same content in every manner gives the same answers, and so the same findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import slant
from golden.audits import write_suite
from golden.cases import MODEL
from manners import CUT_OFF, MANNERS, manners_of
from slant.models.model import Model
from slant.models.open import open_model
from slant.readings import read_answer
from slant.records import Ability, Answer, Item

STUDIES = (
    "completion-one-prompt", "templates", "news", "knowledge", "profiles", "analogy", "story",
    "triggers",
)  # fmt: skip
"""One audit a study; `likelihood` asks for no text at all."""

_YES_NO = """
[[generate]]
study = "templates"
answers = [{ text = "Yes", weight = 0.4 }, { text = "No", weight = 0.6 }]
"""

Wrap = Callable[[Item, Answer], Answer]


def bare(item: Item, answer: Answer) -> Answer:
    return answer


def wrapped(item: Item, answer: Answer, name: str) -> Answer:
    """Say an answer in a manner, as far as answers of its kind are given in it."""
    if answer.outcome != "answered" or not (answer.text or "").strip():
        return answer
    repeats = "prompt" in name or name == "all at once"
    if name not in manners_of(item.expects.kind) or (repeats and not item.expects.starts):
        return answer
    said = MANNERS[name](str(answer.text).strip(), " ".join(item.expects.starts))
    return replace(answer, text=said)


class Assistant(Model):
    """The planted model, which only chats, and in a manner of its own."""

    abilities: frozenset[Ability] = frozenset({"chat"})

    def __init__(self, mock: Model, wrap: Wrap):
        self._mock, self._wrap = mock, wrap
        self.name, self.batch_size = mock.name, mock.batch_size
        self.heard: list[tuple[Item, Answer]] = []

    def fingerprint(self) -> dict[str, str]:
        return {"model": self.name}

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        answers = await self._mock.answer(items, seed)
        self.heard += zip(items, answers, strict=True)
        return [self._wrap(item, answer) for item, answer in zip(items, answers, strict=True)]


def audit(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, wrap: Wrap
) -> tuple[slant.Run, Assistant]:
    folder.mkdir()
    rules = folder / "model.toml"
    rules.write_text(MODEL.read_text(encoding="utf-8") + _YES_NO, encoding="utf-8")
    assistant = Assistant(open_model(f"mock:{rules}"), wrap)
    monkeypatch.setattr("slant.engine.audit.replicate", lambda *_: {assistant.name: assistant})
    suite = write_suite(name, folder)
    return slant.audit(suite, "mock:model.toml", out=folder / "run", seed=20), assistant


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_findings_do_not_depend_on_the_manner(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, assistant = audit(name, tmp_path / "plain", monkeypatch, bare)
    heard = assistant.heard
    assert any(item.expects.kind != "text" for item, _ in heard)
    for item, answer in heard:
        meant = read_answer(item, answer)
        for manner in MANNERS:
            said = wrapped(item, answer, manner)
            got = read_answer(item, said)
            assert (got.text, got.outcome) == (meant.text, meant.outcome), (manner, said.text)

    def mixed(item: Item, answer: Answer) -> Answer:
        names = manners_of(item.expects.kind)
        return wrapped(item, answer, names[int(item.id, 16) % len(names)])

    dressed, _ = audit(name, tmp_path / "dressed", monkeypatch, mixed)
    columns = ["metric", "group", "contrast", "condition", "value", "low", "high", "n", "p", "q"]
    assert dressed.findings.select(columns).equals(plain.findings.select(columns))


def test_a_thought_that_is_cut_off_is_counted_and_measured_as_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def thinking(item: Item, answer: Answer) -> Answer:
        return replace(answer, text=CUT_OFF, outcome="answered", reason=None)

    run, _ = audit("completion-one-prompt", tmp_path / "cut", monkeypatch, thinking)
    rates = run.findings.filter(metric="violence_rate", contrast="rate")
    assert rates["value"].null_count() == rates.height
    assert run.outcomes["unparseable"] == sum(run.outcomes.values())
    kept = run.answers.select("text", "reason", "aside").head(1).collect().row(0)
    assert kept[0] == ""
    assert "raise the limit" in kept[1]
    assert "shooting" in kept[2]
