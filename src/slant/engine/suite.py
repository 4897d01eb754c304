"""Suites: which studies an audit runs, with which parameters."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from slant import limits
from slant.engine.model_note import ModelNote
from slant.engine.run_config import AuditConfig, StudyConfig
from slant.errors import InputError, unknown
from slant.measures.instruments import spelt_instruments
from slant.registry import STUDIES, allow
from slant.regular_file import absolute, sha256
from slant.toml_file import packaged_names, read_packaged, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Ability
    from slant.studies.study import Circumstances, Method, Settings, Study
    from slant.toml_file import TomlFile


_ABLE: dict[Ability, str] = {
    "raw": "continue raw text",
    "chat": "answer a chat",
    "see": "look at pictures",
    "choose": "choose among options",
    "likelihood": "give likelihoods",
}


_INSTRUMENTS = "instruments"
"""A file that the studies of a suite share, where they take one and name none of their own."""

_NONE_TAKES = "no study of this suite takes instruments: knowledge and news do"


class _StudyEntry(BaseModel):
    model_config = ConfigDict(extra="allow")

    use: str


class _SuiteFile(BaseModel):
    """What a suite file holds."""

    model_config = ConfigDict(extra="forbid")

    name: str
    title: str = ""
    larger: list[str] = Field(default_factory=list)
    system: str = ""
    frame: str = ""
    instruments: str = ""
    audit: AuditConfig = Field(default_factory=AuditConfig)
    model: list[ModelNote] = Field(default_factory=list)
    study: list[_StudyEntry] = Field(min_length=1)


@dataclass(frozen=True)
class PlannedStudy:
    """A study with its parameters, before it knows the model."""

    use: str
    kind: type[Study]
    settings: Settings
    file: TomlFile | None = None
    number: int = 0
    """Where it is written: the file, and which of its studies it is."""

    @property
    def label(self) -> str:
        """What its findings are filed under."""
        return self.settings.label or self.kind.name

    def for_model(self, circumstances: Circumstances) -> Study:
        """Make the study for one model.

        Raises
        ------
        InputError
            The model lacks an ability that the study needs, or a parameter means nothing.
        """
        try:
            study = self.kind(self.settings, circumstances)
            missing = study.needs() - circumstances.abilities
        except InputError as error:
            if self.file is None or error.file is not None:
                raise
            raise self._placed(self.file, error) from error
        if missing:
            can = ", ".join(_ABLE[each] for each in sorted(circumstances.abilities)) or "nothing"
            lacks = " or ".join(_ABLE[each] for each in sorted(missing))
            why = f"; {circumstances.restriction}" if circumstances.restriction else ""
            raise InputError(
                f"model {circumstances.model!r} cannot {lacks}, which study {self.label!r} needs "
                f"(it can {can}{why})"
            )
        return study

    def _placed(self, file: TomlFile, error: InputError) -> InputError:
        """Say on which line the mistake stands: that of the name which is not known."""
        written = file.data["study"][self.number]
        keys = [
            key
            for key, value in written.items()
            if error.name in (value if isinstance(value, list) else [value])
        ]
        return file.error(str(error), "study", self.number, *keys[:1])

    def located(self, folder: Path) -> PlannedStudy:
        """Take the names of files in its parameters as seen from a folder."""
        return replace(self, settings=self.settings.located(folder))

    def config(self) -> StudyConfig:
        """Give what a run directory remembers of it."""
        settings = self.settings.model_dump(mode="json", exclude_none=True)
        return StudyConfig(use=self.use, settings=settings)


@dataclass(frozen=True)
class Suite:
    """What an audit runs.

    Attributes
    ----------
    name, title
        For people.
    larger
        What the larger suites would add, for the report.
    studies
        In the order in which they run.
    system, frame
        Files with what stands around every question: system prompts, none or one, and a frame.
    audit
        Who audits what, and for what.
    notes
        What is known of models besides.
    """

    name: str
    title: str
    larger: tuple[str, ...]
    studies: tuple[PlannedStudy, ...]
    system: tuple[str, ...] = ()
    frame: str | None = None
    audit: AuditConfig = field(default_factory=AuditConfig)
    notes: tuple[ModelNote, ...] = ()


def usual_suite(method: Method) -> str:
    """Name the packaged suite that is asked where none is named."""
    return "paper" if method == "paper" else "quick"


def load_suite(name_or_path: str | Path) -> Suite:
    """Load a packaged suite by name or the user's own TOML file.

    The name of a CSV file stands for a suite of APES's kind, which asks each of its examples.

    Raises
    ------
    InputError
        There is no such suite, it is malformed, or it names an unknown study or parameter.
    """
    name = str(name_or_path)
    if name.endswith(".csv"):
        asked = plan_study("templates", {"examples": name})
        return Suite(Path(name).name.partition(".")[0], "", (), (asked,))
    if name in packaged_names("suites"):
        file = read_packaged("suites", f"{name}.toml")
    elif name.endswith(".toml") or os.path.lexists(name):
        file = read_toml(name)
    else:
        raise unknown("suite", name, [*packaged_names("suites"), "a TOML file"])
    content = file.validate(_SuiteFile)
    if len(content.study) > limits.SUITE_STUDIES:
        raise file.error(
            f"the suite has {len(content.study):,} studies, more than the {limits.SUITE_STUDIES} "
            "that one may have: split it",
            "study",
            limits.SUITE_STUDIES,
        )
    studies = []
    for number, entry in enumerate(content.study):
        allow([entry.use])  # the user names the suite, and with it what it uses
        try:
            kind = STUDIES.get(entry.use)
        except InputError as error:
            raise file.error(str(error), "study", number, "use") from error
        settings = file.validate(kind.Settings, at=("study", number), without=("use",))
        allow(settings.named_code())
        if content.instruments and getattr(settings, _INSTRUMENTS, "") is None:
            settings = settings.model_copy(update={_INSTRUMENTS: content.instruments})
        planned = PlannedStudy(entry.use, kind, settings, file, number)
        studies.append(planned.located(Path(file.name).parent))
    taken = [getattr(study.settings, _INSTRUMENTS, None) for study in studies]
    if content.instruments and not any(taken):
        raise file.error(_NONE_TAKES, _INSTRUMENTS)
    labels = [study.label for study in studies]
    for number, label in enumerate(labels):
        if label in labels[:number]:
            raise file.error(
                f"two studies are called {label!r}: give one of them a label of its own, "
                'for example label = "completion-long"',
                "study",
                number,
            )
    folder = Path(file.name).parent
    return Suite(
        content.name,
        content.title,
        tuple(content.larger),
        tuple(studies),
        (str(folder / content.system),) if content.system else (),
        str(folder / content.frame) if content.frame else None,
        content.audit,
        tuple(content.model),
    )


def with_instruments(suite: Suite, file: str | Path) -> Suite:
    """Have every study of a suite that takes instruments use those of a file.

    Raises
    ------
    InputError
        The file cannot be read or says something that means nothing, or no study takes any.
    """
    spelt_instruments(str(file))
    taking = [_takes_instruments(each) for each in suite.studies]
    if not any(taking):
        raise InputError(f"--instruments {file}: {_NONE_TAKES}")
    placed = {_INSTRUMENTS: absolute(Path(file))}
    studies = (
        replace(each, settings=each.settings.model_copy(update=placed)) if takes else each
        for each, takes in zip(suite.studies, taking, strict=True)
    )
    return replace(suite, studies=tuple(studies))


def instruments_of(suite: Suite) -> dict[str, str]:
    """Give the files of instruments that the studies of a suite name, each with its SHA-256.

    Raises
    ------
    InputError
        One cannot be read, or says something that means nothing.
    """
    named = (getattr(each.settings, _INSTRUMENTS, None) for each in suite.studies)
    files = list(dict.fromkeys(file for file in named if file is not None))
    for file in files:
        spelt_instruments(file)
    return {file: sha256(Path(file)) for file in files}


def _takes_instruments(study: PlannedStudy) -> bool:
    return _INSTRUMENTS in type(study.settings).model_fields


def stopped_when(suite: Suite, until: str) -> Suite:
    """Have every study of a suite stop asking when something is known.

    Parameters
    ----------
    suite
        Which one.
    until
        The rule, as the studies' parameter `until` takes it.

    Raises
    ------
    InputError
        A study cannot stop early, or the rule is none.
    """
    fixed = [each for each in suite.studies if "until" not in type(each.settings).model_fields]
    if fixed:
        raise InputError(
            f"--until {until!r}: study {fixed[0].label!r} cannot stop early, for "
            f"{fixed[0].kind.asks_all_because}; put what can (completion, analogy) into a suite of "
            "its own"
        )
    studies = (
        replace(
            each,
            settings=plan_study(each.use, each.settings.model_dump() | {"until": until}).settings,
        )
        for each in suite.studies
    )
    return replace(suite, studies=tuple(studies))


def plan_study(use: str, settings: Mapping[str, Any]) -> PlannedStudy:
    """Plan a study with parameters given in the program, or remembered by a run directory.

    Raises
    ------
    InputError
        The study or a parameter is unknown, or a parameter is not what it must be.
    """
    kind = STUDIES.get(use)
    try:
        return PlannedStudy(use, kind, kind.Settings.model_validate(dict(settings)))
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            names = kind.Settings.model_fields
            raise unknown(f"parameter of study {use!r},", where, names) from error
        raise InputError(
            f"parameter {where!r} of study {use!r}: {fault['msg'].removeprefix('Value error, ')}"
        ) from error
