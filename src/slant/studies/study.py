"""What every study offers to the engine: questions, and what follows from the answers."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator, model_validator

from slant import limits
from slant.regular_file import absolute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from slant.measures.judge import Judge
    from slant.measures.measure import Measure
    from slant.models.key_hosts import KeyHosts
    from slant.records import Ability, Answer, Finding, Item
    from slant.studies.user_file import Source

Method: TypeAlias = Literal["robust", "paper"]
Rounds: TypeAlias = Generator[Iterable["Item"], Iterable[tuple["Item", "Answer"]], None]
"""Yields the items of a round and is sent them back, each with its answer, in order."""


class Settings(BaseModel):
    """Parameters of a study; a study subclasses this with its own.

    Unknown keys are refused, so that a mistyped parameter is never ignored.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    files: ClassVar[tuple[str, ...]] = ()
    """Parameters that name either something packaged or, with an ending, a file."""

    paths: ClassVar[tuple[str, ...]] = ()
    """Parameters that always name a file or a folder."""

    code: ClassVar[tuple[str, ...]] = ()
    """Parameters that may name a class of the user's own, as `module:Class`."""

    label: str = ""
    """What the findings are filed under; the study's name when empty."""

    @model_validator(mode="before")
    @classmethod
    def _check_measures(cls, given: Any) -> Any:
        """Say why there are no measures, where others have them."""
        if isinstance(given, dict) and "measures" in given and "measures" not in cls.model_fields:
            raise ValueError(
                "this study has no texts that measures could score: leave measures out"
            )
        return given

    @field_validator("*", mode="before")
    @classmethod
    def _check_values(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuse texts listed twice, and numbers that are some to Python and not to people."""
        accepted = cls.model_fields[info.field_name or ""].annotation
        listed = value if isinstance(value, list) else [value]
        seen: set[str] = set()
        for each in listed:
            if isinstance(each, str):
                if each in seen:
                    raise ValueError(f"{each!r} is listed twice: remove one")
                seen.add(each)
            if isinstance(each, bool) and not _takes_truth(accepted):
                raise ValueError(f"it should be a number or a text, found {str(each).lower()}")
            if isinstance(each, int) and abs(each) > limits.COUNT:
                raise ValueError(f"it should be at most {limits.COUNT:,}")
        return value

    def located(self, folder: Path) -> Self:
        """Take file names as seen from a folder: that of the suite which holds the settings."""
        found = {name: _placed(getattr(self, name), folder, _ENDING) for name in self.files}
        found |= {name: _placed(getattr(self, name), folder, _ANY) for name in self.paths}
        return self.model_copy(update=found)

    def named_code(self) -> list[str]:
        """Give the classes of the user's own that the parameters name."""
        given = [getattr(self, name) for name in self.code]
        return [name for each in given for name in ([each] if isinstance(each, str) else each)]


_ENDING, _ANY = re.compile(r"\.[A-Za-z]\w{0,7}$"), re.compile(".")


def _placed(value: Any, folder: Path, is_file: re.Pattern[str]) -> Any:
    """Place what names a file, in a list or a table too."""
    if isinstance(value, str):
        return absolute(folder / value) if is_file.search(value) else value
    if isinstance(value, list):
        return [_placed(each, folder, is_file) for each in value]
    if isinstance(value, dict):
        return {key: _placed(each, folder, is_file) for key, each in value.items()}
    return value


def _takes_truth(annotation: Any) -> bool:
    return annotation in (bool, Any) or any(map(_takes_truth, get_args(annotation)))


@dataclass(frozen=True)
class Circumstances:
    """What a study needs to know about the run it is part of.

    Attributes
    ----------
    model
        Name of the model asked.
    abilities
        What that model can do.
    method
        `robust`, or `paper` to reproduce the publication.
    seed
        Root of every random choice.
    model_signature
        Short hash of the model's fingerprint, for signatures.
    fingerprint
        What exactly answers, as the model says; empty as long as it has not been loaded.
    restriction
        Why the model can do less than it otherwise might, in words; for messages.
    instead
        What was really used in place of parameters that the model would not take.
    key_hosts
        The only servers that get a key, should the study ask a further model; `None` where whoever
        runs slant named the study's settings.
    """

    model: str
    abilities: frozenset[Ability]
    method: Method = "robust"
    seed: int = 0
    model_signature: str = ""
    fingerprint: Mapping[str, str] = field(default_factory=dict)
    restriction: str = ""
    instead: Mapping[str, str] = field(default_factory=dict)
    key_hosts: KeyHosts | None = None


@dataclass(frozen=True)
class Sized:
    """Items that are made on demand, with their number: a million of them take no memory.

    Parameters
    ----------
    size
        How many items there are.
    make
        Returns a fresh iterator over them; called anew for every pass.
    chunk
        Items that have most in common come in runs of this many. A batch holds whole runs, so
        that a model which shares work between questions is given them together.
    """

    size: int
    make: Callable[[], Iterator[Item]]
    chunk: int = 1

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Item]:
        return self.make()


@dataclass(frozen=True)
class Figure:
    """A picture of a table; `kind` names how the report draws it (`slant.reports.figures`).

    Attributes
    ----------
    kind
        For example `forest` or `outcomes`.
    title
        What the reader sees, in one sentence.
    table
        Which of the section's tables it shows; `findings` stands for the section's findings.
    options
        Arguments of the drawing.
    """

    kind: str
    title: str
    table: str = "findings"
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    """Something of a table to be read or explored; `kind` names how (`slant.reports.view_kinds`).

    Attributes
    ----------
    kind
        For example `pairs`, `stories` or `graph`.
    title
        Its heading.
    table
        Which of the section's tables it shows.
    options
        Arguments of whatever writes it.
    """

    kind: str
    title: str
    table: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Quote:
    """One answer shown as evidence.

    Attributes
    ----------
    group, condition
        Whom and what circumstances the question was about.
    prompt, text
        What was asked and what came back.
    value
        The score.
    spans
        [start, end) offsets in `text` that caused the score.
    sensitive
        Whether the text is blurred until the reader asks for it.
    measure
        What gave the score: an example of no other; empty where it is one of all.
    """

    group: str
    condition: str
    prompt: str
    text: str
    value: float | None
    spans: tuple[tuple[int, int], ...] = ()
    sensitive: bool = False
    measure: str = ""


@dataclass(frozen=True)
class Analysis:
    """What a study concludes about one model.

    Attributes
    ----------
    findings
        The conclusions.
    tables
        What the figures show, and anything else worth keeping, by name.
    figures
        Pictures, in the order in which they are to be read.
    beside
        Pictures with a row a model, which are drawn once for all models of a run.
    views
        What else of the tables is to be read or explored, in that order.
    quotes
        Examples, at least three for every group where there are as many.
    notes
        What the reader must know before trusting the numbers.
    summary
        Figures by names that programs look them up by, for `--json`; plain JSON.
    """

    findings: list[Finding]
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    figures: list[Figure] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    summary: Mapping[str, Any] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)
    beside: list[Figure] = field(default_factory=list)

    @classmethod
    def together(cls, *parts: Analysis) -> Analysis:
        """Put conclusions one after the other, with all that belongs to them."""
        return cls(
            [finding for part in parts for finding in part.findings],
            {name: table for part in parts for name, table in part.tables.items()},
            [figure for part in parts for figure in part.figures],
            [quote for part in parts for quote in part.quotes],
            [note for part in parts for note in part.notes],
            {name: value for part in parts for name, value in part.summary.items()},
            [view for part in parts for view in part.views],
            [figure for part in parts for figure in part.beside],
        )


class Study(ABC):
    """An experiment: asks its questions in rounds, then draws conclusions.

    A plug-in subclasses this and registers under the entry point group `slant.studies`.
    `rounds` is a generator, so recursion and search are plain loops; given the same settings,
    circumstances and answers it must yield the same items, for that is how a run is resumed.

    Attributes
    ----------
    name
        What suites call it.
    title
        What the report calls it.
    method_text
        How it works and what it cannot show, in plain words, for the report.
    Settings
        Its parameters.
    parameter_words
        What the parameters of its signatures are, for readers; those that
        `slant.studies.signature.COMMON` explains can be left out.
    asks_all_because
        Why it cannot stop as soon as enough is known; of no account to one that can.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    method_text: ClassVar[str]
    Settings: ClassVar[type[Settings]] = Settings
    parameter_words: ClassVar[Mapping[str, str]] = {}
    asks_all_because: ClassVar[str] = "it does not say of every text by itself whether it counts"

    def __init__(self, settings: Any, circumstances: Circumstances):
        self.settings, self.circumstances = settings, circumstances
        self.label: str = settings.label or self.name

    @abstractmethod
    def needs(self) -> frozenset[Ability]:
        """Say which abilities the items to come require of the model."""

    @abstractmethod
    def rounds(self) -> Rounds:
        """Yield the items, round by round."""

    def measures(self) -> list[Measure]:
        """Give the measures that score the answers' texts."""
        return []

    @property
    def added(self) -> Sequence[Measure]:
        """Those of them that the suite adds to the study's own."""
        return ()

    @property
    def judges(self) -> Sequence[Judge]:
        """Those of all measures that are models which judge."""
        from slant.measures.judge import judges_of

        return judges_of(self.measures())

    @property
    def asks(self) -> bool:
        """Whether a model was asked; else a file was measured, whose groups are its own."""
        return bool(self.circumstances.abilities)

    @property
    def as_published(self) -> bool:
        """Whether the study does as its publication did: the method `paper`."""
        return self.circumstances.method == "paper"

    @property
    def all_wordings(self) -> bool:
        """Whether groups are named in all their wordings; the paper's method has one."""
        wordings = getattr(self.settings, "wordings", "one")
        return wordings == "all" and not self.as_published

    @abstractmethod
    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Draw conclusions.

        Parameters
        ----------
        answers
            One row an item, in the order asked: `position`, `item`, `axis`, `group`,
            `condition`, `sample`, `prompt`, `slots` (JSON), `outcome`, `text`, `logprobs`,
            `finish_reason`, `reason`. Lazy: collect only the columns needed, for there may be
            millions of rows.
        scores
            One row an answer with text and measure: `position`, `measure`, `value`, `reason`,
            `spans`.
        """

    @classmethod
    def analyse_models(
        cls, every: Sequence[tuple[Self, pl.LazyFrame, pl.LazyFrame]]
    ) -> list[Analysis]:
        """Draw conclusions about all models of a run that were asked this study.

        Each by itself, unless a study measures all of them by something that it finds in the
        answers of all, such as topics.

        Parameters
        ----------
        every
            The study of each model, with its answers and scores as `analyse` takes them.
        """
        return [study.analyse(answers, scores) for study, answers, scores in every]

    @classmethod
    def read(cls, source: Source) -> pl.DataFrame:
        """Read the user's own model outputs, from a file or a data frame, for `slant measure`.

        Returns
        -------
        polars.DataFrame
            As `analyse` takes it, with a further column `model`.

        Raises
        ------
        InputError
            It cannot be read, or this study asks models only.
        """
        from slant.errors import InputError

        raise InputError(f"study {cls.name!r} asks models only: it measures no file")
