"""A run as the list of runs knows it: read quickly, and never more than the list shows."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from slant.enclosed import check_enclosed
from slant.engine.run import Run
from slant.engine.run_config import RunConfig
from slant.errors import InputError
from slant.reports.summary import summary
from slant.web.file_cache import FileCache
from slant.web.run_state import KINDS, RunState, state_of
from slant.web.tags import NAME as MARKS
from slant.web.tags import Tags, read_tags

if TYPE_CHECKING:
    from pathlib import Path

    from slant.reports.summary import Summary

_STUDY = "\n[[study]]\n"
_USE = re.compile(r'use = "([^"\\]+)"$', re.MULTILINE)


@dataclass(frozen=True)
class Counted:
    """What a run came to, or why that cannot be read."""

    summary: Summary | None
    fault: str = ""


class RunRow:
    """A run in the list.

    Parameters
    ----------
    directory
        Of the run.
    """

    def __init__(self, directory: Path):
        self.directory, self.name = directory, directory.name
        self._memory = FileCache(directory)

    @property
    def config(self) -> RunConfig | None:
        """What the run was to ask, without the studies' settings; `None` if it is damaged."""
        return self._memory.remembered("config", "run.toml", lambda: _config(self.directory))

    @property
    def title(self) -> str:
        """What the run is called."""
        config = self.config
        return self.name if config is None else config.title or config.name

    @property
    def marks(self) -> Tags:
        """Tags and note."""
        if self.config is None:
            return Tags()  # a damaged run may hold anything, links among it
        return self._memory.remembered("marks", MARKS, lambda: read_tags(self.directory))

    def state(self) -> RunState:
        """Tell how the run stands now."""
        fault = self._memory.remembered("fault", "run.toml", lambda: _fault(self.directory))
        config = self.config
        if config is None or fault:
            return RunState("damaged", KINDS["damaged"], fault)
        state = state_of(Run(self.directory, config))
        if state.kind == "done" and (fault := self.counted().fault):
            return RunState("damaged", "findings cannot be read", fault)
        return state

    def counted(self) -> Counted:
        """Count questions, findings and differences."""
        config = self.config
        if config is None or not (self.directory / "findings.json").exists():
            return Counted(None)
        files = ("findings.json", "summary.json", "answers.parquet")
        run = Run(self.directory, config)
        return self._memory.remembered("counted", files, lambda: _counted(run))

    def answers_to(self, words: list[str]) -> bool:
        """Tell whether all words, in lower case, are in what is known of the run."""
        config, marks = self.config, self.marks
        about = [self.name, *marks.tags, marks.note]
        if config is not None:
            studies = [study.use for study in config.study]
            about += [config.title, config.name, *config.models, *studies, config.file or ""]
        text = "\n".join(about).lower()
        return all(word in text for word in words)


def _config(directory: Path) -> RunConfig | None:
    try:
        check_enclosed(directory)
        return _head(directory) or Run(directory).config
    except InputError:
        return None


def _fault(directory: Path) -> str:
    """Say what is wrong with `run.toml`, all of it."""
    try:
        Run(directory)
    except InputError as error:
        return str(error)
    return ""


def _head(directory: Path) -> RunConfig | None:
    """Read `run.toml` without the settings of its studies, which are most of it.

    It is `None` unless the file is as slant writes it.
    """
    try:
        text = (directory / "run.toml").read_text(encoding="utf-8")
        head, *studies = text.split(_STUDY)
        uses = [found[1] for study in studies if (found := _USE.match(study))]
        if not studies or len(uses) < len(studies):
            return None
        content = {**tomllib.loads(head), "study": [{"use": use} for use in uses]}
        return RunConfig.model_validate(content)
    except (OSError, ValueError, RecursionError, ValidationError):
        return None


def _counted(run: Run) -> Counted:
    try:
        return Counted(summary(run))
    except InputError as error:
        return Counted(None, str(error))
