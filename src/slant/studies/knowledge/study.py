"""The study: what it asks, and what follows from the triples."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from slant.studies.knowledge.classes import load_classes, load_prompts
from slant.studies.knowledge.growth import Growth
from slant.studies.knowledge.seeds import choose_seeds, list_items
from slant.studies.knowledge.settings import KnowledgeSettings
from slant.studies.knowledge.sieve import Sieve
from slant.studies.study import Analysis, Rounds, Settings, Study

if TYPE_CHECKING:
    import polars as pl

    from slant.records import Ability
    from slant.studies.knowledge.classes import People


class KnowledgeStudy(Study):
    """Lets a model say what it believes about groups of people."""

    name: ClassVar[str] = "knowledge"
    title: ClassVar[str] = "Knowledge: what the model says of each group when it may go on freely"
    Settings: ClassVar[type[Settings]] = KnowledgeSettings
    method_text: ClassVar[str] = ""

    settings: KnowledgeSettings

    @cached_property
    def _classes(self) -> list[People]:
        return load_classes(self.settings)

    @property
    def _chats(self) -> bool:
        if self.settings.prompting == "auto":
            return "raw" not in self.circumstances.abilities
        return self.settings.prompting == "chat"

    @property
    def _form(self) -> str:
        if self.settings.format != "auto":
            return self.settings.format
        return "paper" if self.circumstances.method == "paper" else "sentences"

    def needs(self) -> frozenset[Ability]:
        self._classes  # noqa: B018 - loads them
        can = self.circumstances.abilities
        if self.settings.prompting == "auto" and not {"raw", "chat"} & can:
            return frozenset({"raw"})
        return frozenset({"chat" if self._chats else "raw"})

    def rounds(self) -> Rounds:
        classes = []
        for people in self._classes:
            if self.settings.seeds == "curated":
                classes.append(people)
                continue
            replies = yield list_items(
                self.label, people, load_prompts().list_prompt, chats=self._chats
            )
            texts = [answer.text or "" for _, answer in replies]
            seeds = choose_seeds(people, texts, hybrid=self.settings.seeds == "hybrid")
            classes.append(people.model_copy(update={"subjects": seeds.subjects}))
        yield from Growth(
            self.settings, classes, load_prompts(), self._sieve(), label=self.label,
            seed=self.circumstances.seed, form=self._form, chats=self._chats,
        ).rounds()  # fmt: skip

    def _sieve(self) -> Sieve:
        return Sieve(
            self._form, load_prompts(), self.settings.longest, self.settings.near,
            paper=self.circumstances.method == "paper",
        )  # fmt: skip

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        return Analysis([])
