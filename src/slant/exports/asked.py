"""What a run asked and was answered, sample by sample, with the scores of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from slant.engine.run import Run
    from slant.finding import Finding

_AT_ONCE = 5_000
_KEPT = (
    "model", "item", "study", "sample", "axis", "group", "condition", "part", "slots", "outcome",
    "reason", "logprobs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sample:
    """One question, its answer and what the measures gave to it.

    Attributes
    ----------
    position
        Its place among the questions of a study.
    prompt, text
        What was asked and what came back; `None` where nothing did.
    kept
        What else slant knows of it, by the names of its own tables: `slant.imports` takes it back.
    scores
        Values by measure, without those that could not be given.
    finish_reason, prompt_tokens, completion_tokens
        As the model said; `None` where it did not.
    """

    position: int
    prompt: str
    text: str | None
    kept: Mapping[str, Any]
    scores: Mapping[str, float]
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


def samples(run: Run, model: str, study: str) -> Iterator[Sample]:
    """Give the samples of one study of one model, a few thousand in memory at a time."""
    mine = (pl.col("model") == model) & (pl.col("study") == study)
    answers = run.answers.filter(mine)
    known = run.scores.filter(mine) if run.path("scores.parquet").exists() else None
    count = answers.select((pl.col("position").max() + 1).fill_null(0)).collect().item()
    for start in range(0, count, _AT_ONCE):
        here = pl.col("position").is_between(start, start + _AT_ONCE, closed="left")
        given: dict[int, dict[str, float]] = {}
        if known is not None:
            rows = known.filter(here & pl.col("value").is_not_null())
            for place, measure, value in (
                rows.select("position", "measure", "value").collect().iter_rows()
            ):
                given.setdefault(place, {})[measure] = value
        for row in answers.filter(here).sort("position").collect().iter_rows(named=True):
            yield Sample(
                row["position"],
                row["prompt"] or "",
                row["text"],
                {name: row[name] for name in _KEPT},
                given.get(row["position"], {}),
                row["finish_reason"],
                row["prompt_tokens"],
                row["completion_tokens"],
            )


def studies_of(findings: Iterable[Finding]) -> dict[tuple[str, str], list[Finding]]:
    """Sort findings that have a value by model and study, in their order."""
    sorted_: dict[tuple[str, str], list[Finding]] = {}
    for each in findings:
        if each.value is not None:
            sorted_.setdefault((each.model, each.study), []).append(each)
    return sorted_


def told(finding: Finding) -> dict[str, Any]:
    """Say what a finding is beside its value, interval and n, for whoever reads it elsewhere."""
    said = {
        "axis": finding.axis,
        "group": finding.group,
        "contrast": finding.contrast,
        "condition": finding.condition,
        "p": finding.p,
        "q": finding.q,
        "report_q": finding.report_q,
        "sure": finding.is_sure,
        "control": finding.is_control,
        "target": finding.target,
        "direction": finding.direction,
        "unit": finding.unit,
        "unit_count": finding.unit_count,
        "effect": finding.effect,
        "effect_name": finding.effect_name,
        **{f"outcome_{name}": count for name, count in finding.outcomes.items()},
        **{f"signature_{name}": value for name, value in finding.signature.items()},
    }
    return {name: value for name, value in said.items() if value not in (None, "")}


def file_name(name: str) -> str:
    """Make a file's name of whatever a model is called: it may hold slashes, dots and worse."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "unnamed"
