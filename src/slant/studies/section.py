"""One part of a report: what one study concluded about one model, kept on disk.

A section is stored as `sections/<number>/section.json` and one Parquet file a table, so that a
report can be drawn again from the run directory alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from math import isfinite
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from slant.errors import InputError
from slant.records import Finding
from slant.studies.checksums import check_file
from slant.studies.study import Analysis, Figure, Quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import polars as pl


@dataclass(frozen=True)
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
    """

    study: str
    label: str
    model: str
    title: str
    method_text: str
    analysis: Analysis


def finding_to_plain(finding: Finding) -> dict[str, Any]:
    """Turn a finding into what `findings.json` holds; a histogram's counts are one short text."""
    plain = asdict(finding)
    if finding.chance is not None and finding.chance.histogram is not None:
        counts = finding.chance.histogram.counts
        plain["chance"]["histogram"]["counts"] = " ".join(map(str, counts))
    return plain


def finding_from_plain(plain: dict[str, Any]) -> Finding:
    """Read what `finding_to_plain` wrote, now or before there were histograms."""
    chance = plain["chance"]
    if chance is not None and (histogram := chance.get("histogram")) is not None:
        counts = tuple(map(int, histogram["counts"].split()))
        chance = {**chance, "histogram": {**histogram, "counts": counts}}
    finding = _findings().validate_python({**plain, "chance": chance})
    numbers = (finding.value, finding.low, finding.high, finding.p, finding.q, finding.effect)
    if not all(number is None or isfinite(number) for number in (*numbers, finding.target)):
        raise ValueError(f"a finding about {finding.group!r} holds a number that is none")
    return finding


@cache
def _findings() -> TypeAdapter[Finding]:
    return TypeAdapter(Finding)


class _Figure(BaseModel):
    kind: str
    title: str
    table: str = "findings"
    options: dict[str, Any] = Field(default_factory=dict)


class _Quote(BaseModel):
    group: str
    condition: str
    prompt: str
    text: str
    value: float | None
    spans: list[tuple[int, int]] = Field(default_factory=list)
    sensitive: bool = False


class _Stored(BaseModel):
    """What `section.json` holds; whoever made the run may have put anything there."""

    study: str
    label: str
    model: str
    title: str
    method_text: str
    findings: list[dict[str, Any]]
    tables: list[str]
    figures: list[_Figure]
    quotes: list[_Quote]
    notes: list[str]
    summary: dict[str, Any] = Field(default_factory=dict)


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
        "quotes": [asdict(quote) for quote in section.analysis.quotes],
        "notes": section.analysis.notes,
        "summary": section.analysis.summary,
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
    analysis = Analysis(
        findings=[finding_from_plain(finding) for finding in stored.findings],
        tables=StoredTables(folder, stored.tables),
        figures=[Figure(**dict(figure)) for figure in stored.figures],
        quotes=[Quote(**{**dict(each), "spans": tuple(each.spans)}) for each in stored.quotes],
        notes=stored.notes,
        summary=stored.summary,
    )
    return Section(
        stored.study, stored.label, stored.model, stored.title, stored.method_text, analysis
    )
