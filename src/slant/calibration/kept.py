"""What is kept of every run: a line of JSON, so that an interruption loses at most one run."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from slant.finding import Finding

_DIGITS = 7


@dataclass(frozen=True, slots=True)
class KeptFinding:
    """What of a finding a calibration needs; attributes as in `slant.records.Finding`.

    Attributes
    ----------
    selected
        Whether its interval is wider than 95% because it is shown for being large.
    """

    metric: str
    contrast: str
    axis: str
    group: str
    condition: str
    slots: str
    part: str
    family: str
    kind: str
    value: float | None
    low: float | None
    high: float | None
    target: float | None
    q: float | None
    beyond_q: float | None
    placebo_share: float | None
    unit: str
    unit_count: int | None
    sure: bool
    selected: bool

    @classmethod
    def of(cls, finding: Finding) -> KeptFinding:
        """Keep a finding."""
        return cls(
            finding.metric, finding.contrast, finding.axis, finding.group, finding.condition,
            json.dumps(dict(finding.slots), sort_keys=True) if finding.slots else "",
            finding.part, finding.family, finding.kind, _short(finding.value), _short(finding.low),
            _short(finding.high), finding.target, _short(finding.q), _short(finding.beyond_q),
            _short(finding.placebo.share_exceeded if finding.placebo else None),
            finding.unit, finding.unit_count, finding.is_sure,
            finding.selected,
        )  # fmt: skip


@dataclass(frozen=True)
class KeptRun:
    """One run.

    Attributes
    ----------
    seed
        Of the run.
    seconds
        Of processor time.
    findings
        All of them.
    visible
        By metric, the smallest difference that this run says it could have seen.
    """

    seed: int
    seconds: float
    findings: Sequence[KeptFinding]
    visible: Mapping[str, float]


_NAMES = [each.name for each in fields(KeptFinding)]


def write_run(path: Path, about: Mapping[str, Any], run: KeptRun) -> None:
    """Add a run to a file, which begins with what it is about.

    Raises
    ------
    OSError
        It cannot be written.
    """
    lines = []
    if not path.exists():
        lines.append(json.dumps({**about, "slant": __version__, "columns": _NAMES}))
    row = {"seed": run.seed, "seconds": round(run.seconds, 3), "visible": dict(run.visible),
           "findings": [astuple(each) for each in run.findings]}  # fmt: skip
    lines.append(json.dumps(row, ensure_ascii=False))
    with path.open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def read_runs(path: Path, about: Mapping[str, Any]) -> list[KeptRun]:
    """Read the runs of a file; none where there is none. A last line that was cut off is dropped.

    Raises
    ------
    InputError
        The file is of another calibration, or damaged.
    """
    if not path.exists():
        return []
    raw = path.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    if len(whole) < len(raw):
        path.write_bytes(whole)
    try:
        head, *rows = [json.loads(line) for line in whole.decode().splitlines()]
        if head != {**about, "slant": __version__, "columns": _NAMES}:
            raise InputError(
                "holds runs of another calibration (other settings, or another slant): choose "
                "another --out, or remove it",
                file=path,
            )
        return [
            KeptRun(
                int(row["seed"]), float(row["seconds"]),
                [KeptFinding(*each) for each in row["findings"]], row["visible"],
            )
            for row in rows
        ]  # fmt: skip
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"is no file of slant calibrate ({error}): choose another --out, or remove it",
            file=path,
        ) from error


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{_DIGITS}g}")
