"""A run: one directory that holds everything an audit asked, got back and concluded."""

from __future__ import annotations

import errno
import json
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import filelock
import tomli_w
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from slant import limits
from slant.enclosed import check_enclosed
from slant.engine.coverage import MIN_COVERAGE, too_few_answers
from slant.engine.model_note import ModelNote
from slant.errors import InputError
from slant.finding_file import finding_from_plain, finding_to_plain
from slant.records import OLDEST_SCHEMA, OUTCOMES, SCHEMA_VERSION
from slant.studies.checksums import (
    check_file,
    damaged,
    remember_conclusions,
    remember_files,
    sections_written,
)
from slant.studies.section import read_section, reason, write_section
from slant.toml_file import read_toml
from slant.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from slant.records import Finding
    from slant.studies.section import Section


try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SUMMARY = "summary.json"
"""Counts what the findings hold; whoever writes the report writes it."""

_LOCK = "run.lock"

AuditText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)]
"""Somebody's own words about an audit."""

_PATIENCE = 0.5
"""Seconds to wait for the lock: who asks whether a run is in use holds it for a moment."""


class LeftOut(BaseModel):
    """Something that an audit did not ask about, and why."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    what: AuditText
    why: AuditText


class AuditConfig(BaseModel):
    """Who audits what, and for what: `[audit]` in a suite.

    Attributes
    ----------
    organisation, auditor
        Who asked for the audit, and who made it.
    purpose, deployment
        The question that it is to answer, and where the model is to be used.
    left_out
        What was not asked about, and why.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    organisation: AuditText = ""
    auditor: AuditText = ""
    purpose: AuditText = ""
    deployment: AuditText = ""
    left_out: tuple[LeftOut, ...] = Field(default=(), max_length=100)


class StudyConfig(BaseModel):
    """A study of a run, with every parameter resolved."""

    model_config = ConfigDict(extra="forbid")

    use: str
    settings: dict[str, Any] = Field(default_factory=dict)


class RunConfig(BaseModel):
    """What `run.toml` holds: everything that decides what a run asks and concludes."""

    model_config = ConfigDict(extra="forbid")

    slant: str = __version__
    kind: Literal["audit", "measure"]
    created: datetime = Field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))
    command: str
    name: str
    title: str = ""
    larger: list[str] = Field(default_factory=list)
    audit: AuditConfig = Field(default_factory=AuditConfig)
    models: list[str] = Field(default_factory=list)
    model: list[ModelNote] = Field(default_factory=list)
    """What is known of models besides, for pictures of several."""
    seed: int = 0
    method: Literal["robust", "paper"] = "robust"
    limit: int | None = None
    shard: str | None = None
    max_cost: float | None = None
    min_coverage: float = MIN_COVERAGE
    file: str | None = None
    texts: dict[str, str] = Field(default_factory=dict)
    """What the files say that models name as system prompt or frame, by name."""
    study: list[StudyConfig]


class Run:
    """A run directory.

    Parameters
    ----------
    directory
        Where it is.
    config
        What `run.toml` holds, if that is known already; it is read when not given.

    Raises
    ------
    InputError
        The directory is no run, its `run.toml` cannot be read, or it holds a link.
    """

    def __init__(self, directory: str | Path, config: RunConfig | None = None):
        self.directory = Path(directory)
        self.config = self._read_config() if config is None else config

    @classmethod
    def create(cls, directory: Path, config: RunConfig) -> Run:
        """Begin a run in a new or empty directory.

        Raises
        ------
        InputError
            The directory holds something already.
        """
        cls.check_free(directory)
        content = tomli_w.dumps(config.model_dump(exclude_none=True))
        if len(content.encode("utf-8", "replace")) > limits.TOML_BYTES:
            raise InputError(
                f"what the run is to keep in run.toml has more than {limits.TOML_BYTES:,} bytes: "
                "ask fewer models, or system prompts, in one run"
            )
        directory.mkdir(parents=True, exist_ok=True)
        write_whole(directory / "run.toml", content)
        remember_files(directory, ["run.toml"])
        return cls(directory)

    @staticmethod
    def check_free(directory: Path) -> None:
        """Make sure that a run can begin in a directory.

        Raises
        ------
        InputError
            The directory holds something already.
        """
        if (directory / "run.toml").exists():
            raise InputError(
                f"{directory} holds a run already: continue it with `slant resume {directory}`, "
                "or choose another directory with --out"
            )
        if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise InputError(f"{directory} is not empty: choose another directory with --out")

    def _read_config(self) -> RunConfig:
        check_enclosed(self.directory)
        path = self.directory / "run.toml"
        if not path.exists():
            raise InputError(
                f"{self.directory} is not a run directory: it holds no run.toml "
                "(`slant ls` lists the runs there are)"
            )
        return read_toml(path).validate(RunConfig)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the directory for writing.

        Raises
        ------
        InputError
            Another process holds it.
        """
        lock = filelock.FileLock(self.path(_LOCK))
        try:
            lock.acquire(timeout=_PATIENCE)
        except filelock.Timeout as error:
            raise InputError(
                f"{self.directory} is in use by another slant process: wait until it has ended, "
                "or stop it"
            ) from error
        try:
            yield
        finally:
            lock.release()

    @property
    def in_use(self) -> bool:
        """Whether a process holds the directory for writing. To ask changes nothing."""
        try:
            file = self.path(_LOCK).open("rb")
        except OSError:
            return False  # no process ever held it, or nobody may look
        with file:
            if fcntl is None:
                return not _lockable(self.path(_LOCK))
            try:
                # Shared, so that several may ask at once, and gone when the file is closed.
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError as error:
                return error.errno in (errno.EAGAIN, errno.EACCES)
        return False

    def path(self, name: str) -> Path:
        """Give the path of a file in the directory."""
        return self.directory / name

    def log(self, event: str, **details: Any) -> None:
        """Append a line to `log.jsonl`."""
        line = {"time": datetime.now(UTC).isoformat(timespec="seconds"), "event": event, **details}
        with self.path("log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    @property
    def environment(self) -> dict[str, Any]:
        """What the run ran on: `environment.json`.

        Raises
        ------
        InputError
            The file is damaged.
        """
        content = self._json("environment.json") or {}
        models = content.get("models", {})
        described = models.values() if isinstance(models, dict) else [None]
        if not all(isinstance(m, dict) and isinstance(m.get("fingerprint"), dict)
                   for m in described):  # fmt: skip
            raise self._damaged(self.path("environment.json"), TypeError("it describes no models"))
        return content

    def mark(self, *, finished: bool) -> None:
        """Remember whether everything has been asked."""
        write_whole(self.path("status.json"), json.dumps({"finished": finished}) + "\n")
        remember_files(self.directory, ["status.json"])

    @property
    def outcomes(self) -> dict[str, int]:
        """How many questions ended in each outcome.

        Raises
        ------
        InputError
            `answers.parquet` is damaged.
        """
        if not self.path("answers.parquet").exists():
            return {}
        import polars as pl

        try:
            counts = self.answers.group_by("outcome").len().collect()
        except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise damaged(self.directory, self.path("answers.parquet"), reason(error)) from error
        found = dict(zip(counts["outcome"], counts["len"], strict=True))
        return {name: int(found.get(name, 0)) for name in OUTCOMES}

    @property
    def asked_everything(self) -> bool | None:
        """Whether every question has been asked; `None` where no model was to be asked."""
        status = self._json("status.json")
        return None if status is None else bool(status.get("finished"))

    @property
    def incomplete(self) -> str | None:
        """Why the run is not complete: questions not asked yet, or too few answered."""
        if self.asked_everything is False:
            return "some questions have not been asked yet"
        if not self.path("answers.parquet").exists():
            return None
        import polars as pl

        try:
            return too_few_answers(self.answers, self.config.min_coverage)
        except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise damaged(self.directory, self.path("answers.parquet"), reason(error)) from error

    def conclude(self, sections: Sequence[Section], scores: Path | None = None) -> None:
        """Store the sections of the report, `findings.json` and scores in place of earlier ones."""
        write_conclusions(self.directory, sections, scores)

    def sections(self) -> list[Section]:
        """Read the sections of the report.

        Raises
        ------
        InputError
            The run has not come to conclusions yet.
        """
        return [self.section(number) for number in range(self.section_count)]

    @property
    def section_count(self) -> int:
        """How many sections the report has.

        Raises
        ------
        InputError
            The run has not come to conclusions yet.
        """
        folder = self.path("sections")
        if not folder.is_dir():
            raise InputError(
                f"{self.directory} has no findings yet: continue it with "
                f"`slant resume {self.directory}`"
            )
        there = sum(part.is_dir() and part.name.isdecimal() for part in folder.iterdir())
        return max(there, sections_written(self.directory))  # one that is lost is missed

    def section(self, number: int) -> Section:
        """Read one section of the report, counted from 0.

        Raises
        ------
        InputError
            There is no such section.
        """
        if not 0 <= number < self.section_count:
            raise InputError(
                f"{self.directory} has {self.section_count} sections, from 0: no {number}"
            )
        return read_section(self.section_folder(number))

    def section_folder(self, number: int) -> Path:
        """Give the folder of a section: its record, its tables and, once drawn, its drawings."""
        return self.path("sections") / f"{number:03d}"

    def finding_list(self) -> list[Finding]:
        """Read the findings as records.

        Raises
        ------
        InputError
            They were written by a slant that this one does not understand, or are damaged.
        """
        content = self._json("findings.json")
        if content is None:
            if self.path("sections").is_dir():
                raise InputError(
                    f"is missing: `slant rescore {self.directory}` writes it anew",
                    file=self.path("findings.json"),
                )
            return []
        path, version = self.path("findings.json"), content.get("schema_version")
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise InputError(
                f"written with schema {version} by a newer slant, and this one reads "
                f"{SCHEMA_VERSION}: update slant, or run `slant rescore {self.directory}`",
                file=path,
            )
        if isinstance(version, int) and version < OLDEST_SCHEMA:
            raise InputError(
                f"written with schema {version} by an older slant, and this one reads "
                f"{OLDEST_SCHEMA} to {SCHEMA_VERSION}: run `slant rescore {self.directory}`",
                file=path,
            )
        try:
            findings = [finding_from_plain(plain) for plain in content["findings"]]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise self._damaged(path, error) from error
        check_file(self.directory, path)
        return findings

    def _json(self, name: str) -> dict[str, Any] | None:
        """Read a file of the run that holds an object; `None` where there is none."""
        path = self.path(name)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", file=path) from error
        except (ValueError, RecursionError) as error:  # no JSON, or no text
            raise self._damaged(path, error) from error
        if not isinstance(content, dict):
            raise self._damaged(path, TypeError("it holds no object"))
        return content

    def _damaged(self, path: Path, error: Exception) -> InputError:
        """Build the error for a file that a run can write anew from its answers."""
        verb = "resume" if path.name in ("status.json", "environment.json") else "rescore"
        return InputError(
            f"is damaged ({reason(error)}): `slant {verb} {self.directory}` writes it anew",
            file=path,
        )

    @property
    def findings(self) -> pl.DataFrame:
        """The findings, one row each."""
        from slant.findings_frame import findings_frame

        return findings_frame(self.finding_list())

    @property
    def answers(self) -> pl.LazyFrame:
        """Every question with its answer, one row each; collect only what you need."""
        from slant.engine.tables import with_later_columns

        return with_later_columns(self._table("answers.parquet"))

    @property
    def scores(self) -> pl.LazyFrame:
        """What the measures gave to every answer; `model`, `study` and `position` join answers."""
        return self._table("scores.parquet")

    def _table(self, name: str) -> pl.LazyFrame:
        import polars as pl

        check_file(self.directory, self.path(name))
        return pl.scan_parquet(self.path(name))

    def __repr__(self) -> str:
        return f"Run({str(self.directory)!r})"


def _lockable(path: Path) -> bool:
    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return False
    lock.release()
    return True


def write_conclusions(
    directory: Path, sections: Sequence[Section], scores: Path | None = None
) -> None:
    """Store sections and their findings in a directory, in place of earlier ones.

    Nothing is replaced before all that replaces it is written.

    Parameters
    ----------
    directory
        Where they go.
    sections
        The sections, in order.
    scores
        The scores they rest on, in a file that becomes `scores.parquet`.
    """
    import shutil

    from slant.engine.tables import put

    fresh, folder = directory / "sections.new", directory / "sections"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    for number, section in enumerate(sections):
        write_section(section, fresh / f"{number:03d}")
    findings = [finding for section in sections for finding in section.analysis.findings]
    content = draft_of(directory / "findings.json", findings_json(findings))
    (directory / SUMMARY).unlink(missing_ok=True)  # it counts what is replaced now
    if scores is not None:
        put(scores, directory / "scores.parquet")
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    content.replace(directory / "findings.json")
    remember_conclusions(directory)


def findings_json(findings: Sequence[Finding]) -> str:
    """Write findings as `findings.json` holds them: the same findings give the same bytes."""
    content = {
        "schema_version": SCHEMA_VERSION,
        "findings": [finding_to_plain(finding) for finding in findings],
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is never seen half-written, not after a power cut either."""
    draft_of(path, text).replace(path)


def draft_of(path: Path, text: str) -> Path:
    """Write what is to replace a file, beside it; when this returns, it is on disk."""
    draft = path.with_name(path.name + ".new")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return draft


def new_directory(name: str) -> Path:
    """Name a directory for a run that was given none: `runs/<time>-<name>`."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    first = Path("runs") / f"{stamp}-{name}"
    candidate, number = first, 1
    while candidate.exists():
        number += 1
        candidate = first.with_name(f"{first.name}-{number}")
    return candidate
