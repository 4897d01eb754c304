"""A run as the dashboard reads it: each file once, and again when it has changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from slant.engine.run import Run
from slant.errors import InputError
from slant.reports.write import about
from slant.web.file_cache import FileCache
from slant.web.links import finding_id
from slant.web.run_state import RunState, state_of
from slant.web.tags import NAME as MARKS
from slant.web.tags import Tags, read_tags

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from slant.engine.run_config import RunConfig
    from slant.records import Finding
    from slant.reports.about import About
    from slant.studies.section import Section
    from slant.transcripts import Transcripts

T = TypeVar("T")


@dataclass(frozen=True)
class Heading:
    """What a section is about, read without its tables.

    Attributes
    ----------
    number
        Its place, from 0.
    label, model, title
        Of the section; empty where it is damaged.
    fault
        Why it cannot be read; empty when it can.
    """

    number: int
    label: str = ""
    model: str = ""
    title: str = ""
    fault: str = ""


class OpenRun:
    """A run directory, with what was read of it.

    Parameters
    ----------
    directory
        Of the run.

    Raises
    ------
    InputError
        `run.toml` cannot be read.
    """

    def __init__(self, directory: Path):
        self.run = Run(directory)
        self.name = directory.name
        self._memory = FileCache(directory)

    @property
    def config(self) -> RunConfig:
        """What the run was to ask."""
        return self.run.config

    @cached_property
    def title(self) -> str:
        """What the run is called."""
        return self.config.title or self.config.name

    def remembered(self, name: str, files: str | tuple[str, ...], read: Callable[[], T]) -> T:
        """Read something that depends on files of the run, once for every state of them.

        Parameters
        ----------
        name
            What is kept.
        files
            Names of files in the run directory; they need not exist.
        read
            Reads it. What it raises is not kept.
        """
        return self._memory.remembered(name, files, read)

    @property
    def concluded(self) -> bool:
        """Whether there are findings."""
        return self.run.path("findings.json").exists()

    def state(self) -> RunState:
        """Tell how the run stands now."""
        return state_of(self.run)

    @property
    def marks(self) -> Tags:
        """Tags and note."""
        return self.remembered("marks", MARKS, lambda: read_tags(self.run.directory))

    def about(self) -> About:
        """Gather what the report says about the run behind it.

        Raises
        ------
        InputError
            A file of the run is damaged.
        """
        files = ("answers.parquet", "status.json", "environment.json")
        return self.remembered("about", files, lambda: about(self.run))

    def findings(self) -> dict[str, Finding]:
        """Give the findings by their id (`links.finding_id`), in the run's order.

        Raises
        ------
        InputError
            The findings were written by another version of slant and cannot be read.
        """
        return self.remembered(
            "findings",
            "findings.json",
            lambda: {finding_id(finding): finding for finding in self.run.finding_list()},
        )

    def transcripts_wait(self) -> bool:
        """Say whether a page should wait for the transcripts, and see to it that they come.

        Many answers are read in a process of their own, once for every state of their files.
        """
        from slant.transcripts import Preparation, quick

        if quick(self.run):
            return False
        preparation = self.remembered("preparation", self._tables(), lambda: Preparation(self.run))
        # Where it failed, the tables themselves are read, however long that takes.
        return preparation.fault() is None

    def transcripts(self) -> Transcripts:
        """Open the run's answers; they are opened again when their files have changed.

        Raises
        ------
        InputError
            There is nothing to read.
        """
        from slant.transcripts import Transcripts

        return self.remembered("transcripts", self._tables(), lambda: Transcripts(self.run))

    def _tables(self) -> tuple[str, ...]:
        """Name what answers are read from: of a run still going, its journal."""
        if self.run.path("answers.parquet").exists():
            return ("answers.parquet", "scores.parquet")
        return ("answers.parquet", "journal.sqlite", "journal.sqlite-wal")

    def section_count(self) -> int:
        """Count the sections: what each study concluded about each model."""
        return self.run.section_count if self.run.path("sections").is_dir() else 0

    def headings(self) -> list[Heading]:
        """Say what the sections are about, quickly: their tables are not read."""
        return self.remembered(
            "headings",
            "findings.json",
            lambda: [self._heading(number) for number in range(self.section_count())],
        )

    def section(self, number: int) -> Section:
        """Read what one study concluded about one model; sections count from 0.

        Raises
        ------
        InputError
            There is no such section, or it is damaged.
        """
        if not 0 <= number < self.section_count():
            raise InputError(
                f"{self.name} has no section {number}: it has {self.section_count()}, from 0"
            )
        return self.remembered(
            f"section {number}", "findings.json", lambda: self.run.section(number)
        )

    def sections(self) -> list[Section]:
        """Read all sections."""
        return [self.section(number) for number in range(self.section_count())]

    def section_of(self, finding: Finding) -> int | None:
        """Find the section that a finding belongs to."""
        for heading in self.headings():
            if (heading.label, heading.model) == (finding.study, finding.model):
                return heading.number
        return None

    def _heading(self, number: int) -> Heading:
        path = self.run.section_folder(number) / "section.json"
        try:
            plain = json.loads(path.read_text(encoding="utf-8"))
            named = (str(plain[name]) for name in ("label", "model", "title"))
            return Heading(number, *named)
        except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
            return Heading(number, fault=f"{type(error).__name__}: {error}")
