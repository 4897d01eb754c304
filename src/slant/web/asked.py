"""What a run was asked, and by what its answers were scored, as pages look it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.transcripts.asked_order import starts
from slant.web.lru import LeastRecentlyUsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.records import Finding
    from slant.studies.section import Section
    from slant.transcripts.asked_order import Starts
    from slant.web.open_run import OpenRun


def asked(run: OpenRun) -> pl.DataFrame:
    """Count what was asked: columns model, study, axis, group, condition, n; empty before it was.

    Groups and conditions stand in the order in which they were asked.
    """
    import polars as pl

    def read() -> pl.DataFrame:
        names = ["model", "study", "axis", "group", "condition"]
        if not run.run.path("answers.parquet").exists():
            return pl.DataFrame(schema=dict.fromkeys(names, pl.String) | {"n": pl.UInt32})
        counted = run.run.answers.group_by(names).agg(
            pl.len().alias("n"), pl.col("position").min().alias("first")
        )
        return counted.sort("first").drop("first").collect()

    return run.remembered("asked", "answers.parquet", read)


def recent(run: OpenRun, name: str) -> LeastRecentlyUsed:
    """Keep the last few things of a kind that were read from a run's answers."""
    return run.remembered(
        f"recent {name}", ("answers.parquet", "scores.parquet"), LeastRecentlyUsed
    )


def groups_asked(run: OpenRun, section: Section) -> list[tuple[str, str]]:
    """List the axes and groups that a section's questions were about, in order."""
    about = asked(run).filter(model=section.model, study=section.label)
    pairs = about.select("axis", "group").unique(maintain_order=True).rows()
    return [(axis, group) for axis, group in pairs if group]


def measures_of(run: OpenRun, model: str, study: str) -> list[str]:
    """List the measures that scored a study's answers."""
    import polars as pl

    def read() -> pl.DataFrame:
        if not run.run.path("scores.parquet").exists():
            return pl.DataFrame(schema=dict.fromkeys(["model", "study", "measure"], pl.String))
        return run.run.scores.select("model", "study", "measure").unique().collect()

    found = run.remembered("measures", "scores.parquet", read)
    return sorted(found.filter(model=model, study=study)["measure"])


def measure_of(finding: Finding, measures: Sequence[str]) -> str:
    """Give the measure whose scores a finding counts; empty when the run keeps none of it."""
    return finding.measure if finding.measure in measures else ""


def answers_of(run: OpenRun) -> pl.LazyFrame:
    """Scan a run's answers.

    Raises
    ------
    InputError
        There is no such table.
    """
    if not run.run.path("answers.parquet").exists():
        raise InputError(f"{run.name} holds no answers.parquet: `slant rescore` writes it anew")
    return run.run.answers


def first_numbers(run: OpenRun) -> Starts:
    """Say at which number the answers of each model and study begin, as transcripts count."""
    return run.remembered(
        "first numbers", "answers.parquet", lambda: starts(answers_of(run), run.run)
    )


def scores_of(run: OpenRun) -> pl.LazyFrame:
    """Scan a run's scores; none where there is no such table."""
    import polars as pl

    if not run.run.path("scores.parquet").exists():
        kinds = {"model": pl.String, "study": pl.String, "position": pl.Int64}
        kinds |= {"measure": pl.String, "value": pl.Float64, "reason": pl.String}
        return pl.LazyFrame(schema=kinds | {"spans": pl.List(pl.List(pl.UInt32))})
    return run.run.scores
