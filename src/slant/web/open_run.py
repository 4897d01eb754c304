"""A run as the dashboard reads it: each file once, and again when it has changed."""

from __future__ import annotations

from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from slant.engine.run import Run
from slant.errors import InputError
from slant.web.links import finding_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from slant.engine.run import RunConfig
    from slant.engine.transcripts import Transcripts
    from slant.records import Finding
    from slant.studies.section import Section

T = TypeVar("T")


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
        self._lock = RLock()
        self._known: dict[str, tuple[object, Any]] = {}

    @property
    def config(self) -> RunConfig:
        """What the run was to ask."""
        return self.run.config

    @cached_property
    def title(self) -> str:
        """What the run is called."""
        return self.config.title or self.config.name

    def remembered(self, name: str, file: str, read: Callable[[], T]) -> T:
        """Read something that depends on a file of the run, once for every state of the file.

        Parameters
        ----------
        name
            What is kept.
        file
            Name of the file in the run directory; it need not exist.
        read
            Reads it.
        """
        path = self.run.path(file)
        state = (path.stat().st_mtime_ns, path.stat().st_size) if path.exists() else None
        with self._lock:
            known = self._known.get(name)
            if known is None or known[0] != state:
                known = self._known[name] = (state, read())
            value: T = known[1]
            return value

    @property
    def concluded(self) -> bool:
        """Whether there are findings."""
        return self.run.path("findings.json").exists()

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

    def transcripts(self) -> Transcripts:
        """Open the run's answers; they are opened again when their files have changed.

        Raises
        ------
        InputError
            There is nothing to read.
        """
        from slant.engine.transcripts import Transcripts, state

        with self._lock:
            known = self._known.get("transcripts")
            if known is None or known[0] != state(self.run):
                opened = Transcripts(self.run)
                known = self._known["transcripts"] = (opened.state, opened)
            found: Transcripts = known[1]
            return found

    def section_count(self) -> int:
        """Count the sections: what each study concluded about each model."""
        folder = self.run.path("sections")
        return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0

    def section(self, number: int) -> Section:
        """Read what one study concluded about one model; sections count from 0.

        Raises
        ------
        InputError
            There is no such section.
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
        for number, section in enumerate(self.sections()):
            if (section.label, section.model) == (finding.study, finding.model):
                return number
        return None
