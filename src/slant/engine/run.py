"""A run: one directory that holds everything an audit asked, got back and concluded."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from slant import limits
from slant.enclosed import check_enclosed
from slant.engine.conclusions import write_conclusions
from slant.engine.coverage import too_few_answers
from slant.engine.run_config import RunConfig
from slant.engine.run_lock import is_locked, locked
from slant.errors import InputError
from slant.finding_file import finding_from_plain
from slant.records import OLDEST_SCHEMA, OUTCOMES, SCHEMA_VERSION
from slant.studies.checksums import check_file, damaged, remember_files, sections_written
from slant.studies.section import read_section, reason
from slant.toml_file import read_toml
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    import polars as pl

    from slant.records import Finding
    from slant.studies.section import Section


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

    def locked(self) -> AbstractContextManager[None]:
        """Hold the directory for writing.

        Raises
        ------
        InputError
            Another process holds it.
        """
        return locked(self.directory)

    @property
    def in_use(self) -> bool:
        """Whether a process holds the directory for writing. To ask changes nothing."""
        return is_locked(self.directory)

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

    @property
    def verdicts(self) -> pl.LazyFrame:
        """What judges said of every text, where a measure is one (`slant.measures.judge`)."""
        return self._table("verdicts.parquet")

    @property
    def judged_texts(self) -> pl.LazyFrame:
        """The texts that judges ruled on where these are no answers (`JUDGED_TEXTS`)."""
        return self._table("judged_texts.parquet")

    def _table(self, name: str) -> pl.LazyFrame:
        import polars as pl

        check_file(self.directory, self.path(name))
        return pl.scan_parquet(self.path(name))

    def __repr__(self) -> str:
        return f"Run({str(self.directory)!r})"


def new_directory(name: str) -> Path:
    """Name a directory for a run that was given none: `runs/<time>-<name>`."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    first = Path("runs") / f"{stamp}-{name}"
    candidate, number = first, 1
    while candidate.exists():
        number += 1
        candidate = first.with_name(f"{first.name}-{number}")
    return candidate
