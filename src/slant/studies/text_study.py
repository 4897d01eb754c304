"""The base of studies that have the model write: how it is asked, and what else is measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import Field

from slant.expectation import VERBATIM, Expectation
from slant.measures.judge import judges_of
from slant.measures.load import load_measures
from slant.records import Message, Sampling
from slant.regular_file import absolute
from slant.studies.study import Settings, Study

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from slant.expectation import ExpectationKind
    from slant.measures.judge import Judge
    from slant.measures.measure import Measure
    from slant.records import Ability, Prompt

_FILE = ".toml"


class MeasuredSettings(Settings):
    """What a suite may set of every study whose texts can be measured."""

    code: ClassVar[tuple[str, ...]] = ("measures",)

    measures: list[str] = Field(default_factory=list)
    """What else is measured of the texts: `toxicity`, `sentiment:vader`, a lexicon (`violence`, or
    a TOML file), `hf:PATH#LABEL`, `judge:RUBRIC.toml`, or a class of one's own, `module:Class`."""

    def located(self, folder: Path) -> Self:
        """Take names of files as seen from a folder, those of lexicons to measure by too."""

        def place(spelling: str) -> str:
            kind, colon, path = spelling.rpartition(":")
            return kind + colon + absolute(folder / path) if path.endswith(_FILE) else spelling

        found: dict[str, Any] = {}
        for name in self.code:
            given = getattr(self, name)
            found[name] = (
                place(given) if isinstance(given, str) else [place(each) for each in given]
            )
        return super().located(folder).model_copy(update=found)


class TextSettings(MeasuredSettings):
    """What a suite may set of how texts are drawn."""

    temperature: float = Field(default=1.0, ge=0)
    max_tokens: int = Field(default=48, ge=1)
    """The longest text."""
    prompting: Literal["auto", "raw", "chat"] = "auto"
    """`raw` lets the model continue the text; `chat` asks it to; `auto` is raw where it can be."""


class SampledSettings(TextSettings):
    """What a suite may set of texts of which many are drawn for each prompt."""

    samples: int = Field(default=100, ge=1)
    """Texts for each prompt and group."""
    top_p: float = Field(default=1.0, gt=0, le=1)


@dataclass(frozen=True)
class JudgedBy:
    """How a judge's verdicts on texts of a study's own are compared.

    Attributes
    ----------
    unit
        What such texts have in common, so that units and not texts are independent.
    against
        The condition that other conditions of the same group are compared with; groups are
        compared with each other when empty.
    """

    unit: str
    against: str = ""


class MeasuredStudy(Study):
    """A study whose texts can be measured by whatever the suite names.

    Attributes
    ----------
    in_parts
        Whether the study measures parts of the answers itself: sentences, statements, profiles.
    judged
        How a judge's verdicts are compared, where that is not by groups of whole answers.
    """

    in_parts: ClassVar[bool] = False
    judged: ClassVar[JudgedBy | None] = None
    settings: MeasuredSettings

    @cached_property
    def _named(self) -> list[Measure]:
        """The measures that the suite names, but for those that the study has of itself."""
        own = {each.name for each in self.own_measures()}
        measures = load_measures(self.settings.measures, self.circumstances.method)
        return [each for each in measures if each.name not in own]

    @cached_property
    def added(self) -> list[Measure]:
        """The measures that the suite adds; judges of texts of their own are not among them."""
        return [each for each in self._named if self.judged is None or not judges_of([each])]

    @property
    def judges(self) -> list[Judge]:
        """The judges that the suite adds."""
        return judges_of(self._named)

    def judged_texts(self, answers: pl.LazyFrame) -> pl.DataFrame | None:
        """Give the texts that judges rule on, where `judged` says how they are compared.

        Parameters
        ----------
        answers
            As `analyse` takes them.

        Returns
        -------
        polars.DataFrame or None
            `None` where they rule on whole answers. Else one row a text: `axis`, `group` and
            `condition`; the `unit` that it is of; the position of the `answer` that it is the whole
            of, if any; the `prompt` that people are shown with it; `text`.
        """
        return None

    def own_measures(self) -> list[Measure]:
        """Give the measures that the study has of itself."""
        return []

    def measures(self) -> list[Measure]:
        """Give the measures of whole answers: the study's own, and those that the suite adds."""
        return [*self.own_measures(), *(() if self.in_parts else self.added)]


class TextStudy(MeasuredStudy):
    """A study that has the model write, raw or as a chat.

    Attributes
    ----------
    prefers
        How the model is asked if it can do both.
    """

    prefers: ClassVar[Literal["raw", "chat"]] = "raw"
    settings: TextSettings

    @property
    def chats(self) -> bool:
        """Whether the model is asked in a chat, and does not just continue a text."""
        wanted, can = self.settings.prompting, self.circumstances.abilities
        if wanted != "auto":
            return wanted == "chat"
        if self.prefers == "chat":
            return "chat" in can
        return "chat" in can and "raw" not in can

    def needs(self) -> frozenset[Ability]:
        """Raw text or chat: what is asked for, or what the model can do."""
        self.check()
        return frozenset({"chat" if self.chats else "raw"})

    def check(self) -> None:
        """Load everything, so that bad settings fail before anything is asked."""
        self.own_measures(), self.added

    def prompt(self, text: str, instruction: str = "") -> Prompt:
        """Put a text to the model; in a chat with an instruction, which no publication has."""
        if not self.chats:
            return text
        return (Message("user", text if self.as_published else instruction + text),)

    def expected(self, kind: ExpectationKind, *starts: str) -> Expectation:
        """Say what an answer is to be: what a chat brings besides is no part of it."""
        return Expectation(kind, starts) if self.chats else VERBATIM


class SampledStudy(TextStudy):
    """A study that draws many texts for each prompt."""

    settings: SampledSettings

    @property
    def longest(self) -> int:
        """The longest text, in tokens."""
        return self.settings.max_tokens

    def sampling(self, stop: tuple[str, ...] = ()) -> Sampling:
        """Say how text is drawn."""
        settings = self.settings
        return Sampling(self.longest, settings.temperature, settings.top_p, stop=stop)

    def drawn(self) -> dict[str, object]:
        """Say how text is drawn, for signatures."""
        settings = self.settings
        return {
            "samples": settings.samples,
            "max_tokens": self.longest,
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "prompting": "chat" if self.chats else "raw",
        }
