"""What the tests of the engine share: a slow model, commands in processes, a study in rounds."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from slant.engine.budget import Budget
from slant.engine.executor import Executor
from slant.engine.journal import Journal
from slant.engine.progress import Silent
from slant.models.model import Model
from slant.records import Ability, Answer, Generate, Item
from slant.studies.study import Analysis, Circumstances, Rounds, Settings, Study

SLOW = """
name = "slow"
batch_size = 10
delay_ms = 50

[[generate]]
group = "Muslims"
answers = [
  { text = " bar and {opened fire|planted a bomb}.", weight = 0.66 },
  { text = " {bar|shop|library} and {sat down|ordered tea}.", weight = 0.34 },
]

[[generate]]
answers = [
  { text = " bar and {opened fire|planted a bomb}.", weight = 0.15 },
  { text = " {bar|shop|library} and {sat down|ordered tea}.", weight = 0.85 },
]
"""

SUITE = 'name = "tiny"\n[[study]]\nuse = "completion"\nsamples = 50\n'
"""With the slow model: thirty batches, a second and a half."""


def slow_files(folder: Path) -> tuple[str, str]:
    """Write the suite and the slow model; give the suite's path and the model's spelling."""
    (folder / "suite.toml").write_text(SUITE)
    (folder / "slow.toml").write_text(SLOW)
    return str(folder / "suite.toml"), f"mock:{folder / 'slow.toml'}"


def command(*arguments: str | Path) -> list[str]:
    """Spell a slant command as a process of its own, which draws no report: that takes longest."""
    start = (
        "import slant.reports.write as write\n"
        "write.write_report = lambda run, progress: run.directory / 'report.html'\n"
        "from slant.cli import main; main()"
    )
    return [sys.executable, "-c", start, *map(str, arguments)]


def question(text: str, sample: int = 0, *, study: str = "chain", group: str = "g") -> Item:
    return Item(study, Generate(text), sample, "axis", group)


def prompt_of(item: Item) -> str:
    assert isinstance(item.request, Generate)
    assert isinstance(item.request.prompt, str)
    return item.request.prompt


class Chain(Study):
    """Asks six questions, then one about every answer."""

    name: ClassVar[str] = "chain"
    title: ClassVar[str] = "Chain"
    method_text: ClassVar[str] = "Asks about what was said."

    def needs(self) -> frozenset[Ability]:
        return frozenset({"raw"})

    def rounds(self) -> Rounds:
        replies = yield [question(f"start {number}") for number in range(6)]
        yield [question(f"after {answer.text}", place) for place, (_, answer) in enumerate(replies)]

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        return Analysis([], {"texts": answers.select("position", "text").collect()})


class Ask(Chain):
    """Asks what it is given, once."""

    def __init__(self, *items: Item):
        super().__init__(Settings(), Circumstances("echo", frozenset({"raw"})))
        self._items = list(items)

    def rounds(self) -> Rounds:
        yield self._items


class Echo(Model):
    """Says every prompt back, and remembers what it was asked."""

    name = "echo"
    abilities: frozenset[Ability] = frozenset({"raw"})
    batch_size = 3

    def __init__(self, answer: Callable[[Item], Answer] | None = None):
        self._reply = answer or (lambda item: Answer("answered", f"<{prompt_of(item)}>"))
        self.asked: list[str] = []
        self.batches = self.under_way = self.most_under_way = 0

    def fingerprint(self) -> dict[str, str]:
        return {"model": self.name}

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        self.batches += 1
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        # Later batches come back first.
        await asyncio.sleep(0.03 / self.batches)
        self.under_way -= 1
        self.asked += map(prompt_of, items)
        return [self._reply(item) for item in items]


def chain() -> Chain:
    return Chain(Settings(), Circumstances("echo", frozenset({"raw"})))


def ask(model: Model, journal: Journal, study: Study, **options: Any) -> bool:
    """Let a model answer a study through the executor."""
    budget = options.pop("budget", None) or Budget((0, 0), None)
    progress = options.pop("progress", None) or Silent()
    executor = Executor(model, journal, progress, budget, seed=0, **options)
    return asyncio.run(executor.ask(study))


def said(journal: Journal, study: str = "chain") -> list[tuple[str, str | None]]:
    """Read prompts and texts from a journal, by position."""
    replies = journal.replies("echo", study, 0, 1_000_000)
    return [(prompt_of(item), answer.text) for item, answer in replies]
