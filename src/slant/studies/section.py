"""One part of a report: what one study concluded about one model, kept on disk.

A section is stored as `sections/<number>/section.json` and one Parquet file a table, so that a
report can be drawn again from the run directory alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, ValidationError

from slant.errors import InputError
from slant.finding_file import finding_from_plain, finding_to_plain
from slant.studies.checksums import check_file
from slant.studies.signature import COMMON
from slant.studies.study import Analysis, Figure, Quote, View
from slant.studies.view_migration import declared_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import polars as pl


@dataclass(frozen=True, eq=False)
class Section:
    """What one study concluded about one model.

    Attributes
    ----------
    study
        The study's name.
    label
        What its findings are filed under.
    model
        The model's name.
    title, method_text
        From the study, for the reader.
    analysis
        Findings, tables, figures, quotes and notes.
    parameters
        What the parameters of its signatures are, in words.
    """

    study: str
    label: str
    model: str
    title: str
    method_text: str
    analysis: Analysis
    parameters: Mapping[str, str] = field(default_factory=dict)


class _Stored(BaseModel):
    """What `section.json` holds; whoever made the run may have put anything there."""

    study: str
    label: str
    model: str
    title: str
    method_text: str
    findings: list[dict[str, Any]]
    tables: list[str]
    figures: list[Figure]
    views: list[View] | None = None
    beside: list[Figure] = Field(default_factory=list)
    quotes: list[Quote]
    notes: list[str]
    summary: dict[str, Any] = Field(default_factory=dict)
    parameters: dict[str, str] = Field(default_factory=lambda: dict(COMMON))


def write_section(section: Section, folder: Path) -> None:
    """Store a section in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = {
        "study": section.study,
        "label": section.label,
        "model": section.model,
        "title": section.title,
        "method_text": section.method_text,
        "findings": [finding_to_plain(finding) for finding in section.analysis.findings],
        "tables": sorted(section.analysis.tables),
        "figures": [asdict(figure) for figure in section.analysis.figures],
        "views": [asdict(view) for view in section.analysis.views],
        "beside": [asdict(figure) for figure in section.analysis.beside],
        "quotes": [asdict(quote) for quote in section.analysis.quotes],
        "notes": section.analysis.notes,
        "summary": section.analysis.summary,
        "parameters": dict(section.parameters),
    }
    for name, table in section.analysis.tables.items():
        table.write_parquet(folder / f"{name}.parquet")
    text = json.dumps(plain, ensure_ascii=True, indent=1)
    (folder / "section.json").write_text(text, encoding="utf-8")


class StoredTables(Mapping[str, "pl.DataFrame"]):
    """Tables of a stored section, each read when it is asked for and not kept.

    Parameters
    ----------
    folder
        The section's.
    names
        What the tables are called.

    Raises
    ------
    ValueError
        A name is none that a file of the folder could have.
    """

    def __init__(self, folder: Path, names: Sequence[str]):
        for name in names:
            if name != PurePath(name).name:
                raise ValueError(f"no name of a table: {name!r}")
        self._folder, self._names = folder, list(names)

    def __getitem__(self, name: str) -> pl.DataFrame:
        import polars as pl

        if name not in self._names:
            raise KeyError(name)
        path = self._folder / f"{name}.parquet"
        with _faults(self._folder):
            check_file(self._folder.parent.parent, path)
            return pl.read_parquet(path)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def read_section(folder: Path) -> Section:
    """Read what `write_section` stored; tables are read when they are asked for.

    Raises
    ------
    InputError
        Something of it is missing or damaged.
    """
    path = folder / "section.json"
    with _faults(folder):
        section = _section(folder, json.loads(path.read_text(encoding="utf-8")))
        check_file(folder.parent.parent, path)
        return section


@contextmanager
def _faults(folder: Path) -> Iterator[None]:
    import polars as pl

    try:
        yield
    except (
        OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError,
        pl.exceptions.PolarsError, pl.exceptions.PanicException,
    ) as error:  # fmt: skip
        raise InputError(
            f"this part of the run is missing or damaged ({reason(error)}): "
            f"`slant rescore {folder.parent.parent}` writes it anew",
            file=folder,
        ) from error


def reason(error: BaseException) -> str:
    """Say in a few words why stored conclusions cannot be read."""
    if isinstance(error, ValidationError):
        fault = error.errors()[0]
        return f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
    return f"{type(error).__name__}: {error}"


def _section(folder: Path, plain: Any) -> Section:
    stored = _Stored.model_validate(plain)
    figures, views = stored.figures, stored.views
    if views is None:
        figures, views = declared_before(stored.study, figures, stored.tables)
    analysis = Analysis(
        findings=[finding_from_plain(finding) for finding in stored.findings],
        tables=StoredTables(folder, stored.tables),
        figures=figures,
        views=views,
        beside=stored.beside,
        quotes=stored.quotes,
        notes=stored.notes,
        summary=stored.summary,
    )
    return Section(
        stored.study,
        stored.label,
        stored.model,
        stored.title,
        stored.method_text,
        analysis,
        stored.parameters,
    )
