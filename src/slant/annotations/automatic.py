"""What the scorer said: which scores of a run people can judge, and their values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import polars as pl

from slant.engine.judging import TEXTS
from slant.engine.run_tables import fault
from slant.engine.tables import ANSWERS, SCORES
from slant.errors import InputError
from slant.measures.measure import REFUSAL, TELL_REFUSALS

if TYPE_CHECKING:
    from slant.engine.run import Run

_ABOUT = ("position", "item", "axis", "group")


@dataclass(frozen=True)
class Scorer:
    """A yes/no score of one study about one model.

    Attributes
    ----------
    model, study, measure
        As in the table of scores; `refusal` stands for all that tells refusals: people judge that
        as one question, whether the server or a measure calls an answer a refusal.
    """

    model: str
    study: str
    measure: str


def scorers(run: Run) -> list[Scorer]:
    """List what can be judged: measures whose every score is 0 or 1, and refusals.

    Raises
    ------
    InputError
        The run has no answers or no scores that can be read.
    """
    answers, scores = run.path("answers.parquet"), run.path("scores.parquet")
    for path, schema in ((answers, ANSWERS), (scores, SCORES)):
        if trouble := fault(path, schema):
            raise InputError(
                f"nothing can be judged yet: {trouble}. `slant resume {run.directory}` asks and "
                f"scores what is missing, `slant rescore {run.directory}` scores again",
                file=path,
            )
    texts = run.path(TEXTS)
    files = (answers, scores, *([texts] if texts.exists() else ()))
    stamp = tuple(path.stat().st_mtime_ns for path in files)
    return list(_scorers(tuple(map(str, files)), stamp))


@lru_cache(maxsize=8)
def _scorers(files: tuple[str, ...], stamp: tuple[int, ...]) -> tuple[Scorer, ...]:
    answers, scores, *texts = files
    value = pl.col("value")
    scored = (
        pl.scan_parquet(scores)
        .group_by("model", "study", "measure", maintain_order=True)
        .agg((value.is_in([0.0, 1.0]) | value.is_null()).all() & value.is_not_null().any())
        .filter(value)
        .select("model", "study", "measure")
    )
    refused = (
        pl.scan_parquet(answers)
        .filter((pl.col("outcome") == "refused") & pl.col("text").is_not_null())
        .select("model", "study", pl.lit(REFUSAL).alias("measure"))
        .unique()
    )
    of_texts = [
        pl.scan_parquet(path)
        .filter(pl.col("value").is_not_null())
        .select("model", "study", "measure")
        .unique(maintain_order=True)
        for path in texts
    ]
    rows = pl.concat([scored, *of_texts, refused]).collect().rows()
    named = dict.fromkeys(
        Scorer(model, study, REFUSAL if measure in TELL_REFUSALS else measure)
        for model, study, measure in rows
    )
    # Refusals last: what a study counts comes first, in its own order.
    return tuple(sorted(named, key=lambda s: (s.model, s.study, s.measure == REFUSAL)))


def own_texts(run: Run, scorer: Scorer) -> pl.LazyFrame | None:
    """Give the texts that a judge has ruled on where these are no answers (`JUDGED_TEXTS`).

    Returns
    -------
    polars.LazyFrame or None
        `None` of a scorer of whole answers.
    """
    if not run.path(TEXTS).exists():
        return None
    texts = run.judged_texts.filter(
        model=scorer.model, study=scorer.study, measure=scorer.measure
    ).with_columns(
        group=pl.when(pl.col("condition") == "")
        .then("group")
        .otherwise(pl.format("{} ({})", "group", "condition"))
    )
    return None if texts.first().collect().is_empty() else texts


def automatic(run: Run, scorer: Scorer) -> pl.LazyFrame:
    """Give what a scorer said of every answer, or text of a study's own, that it can be judged on.

    An answer is scored by a measure if it was answered and the measure gave it a value. It is a
    refusal if the server or a measure says so; answers without text cannot be judged.

    Returns
    -------
    polars.LazyFrame
        `position`, `item`, `axis`, `group`, `automatic` (Float64, 0 or 1), in order of position.
    """
    texts = own_texts(run, scorer)
    if texts is not None:
        ruled = texts.filter(pl.col("value").is_not_null())
        return ruled.select(*_ABOUT, pl.col("value").alias("automatic"))
    own = (pl.col("model") == scorer.model) & (pl.col("study") == scorer.study)
    answers = run.answers.filter(own)
    scores = run.scores.filter(own)
    about = [
        pl.col("position"),
        pl.col("item"),
        pl.col("axis").fill_null(""),
        pl.col("group").fill_null(""),
    ]
    if scorer.measure == REFUSAL:
        said = scores.filter(pl.col("measure").is_in(TELL_REFUSALS) & (pl.col("value") == 1))
        read = said.select("position", pl.lit(value=True).alias("read")).unique("position")
        refused = (pl.col("outcome") == "refused") | pl.col("read").fill_null(value=False)
        return (
            answers.filter(
                pl.col("outcome").is_in(["answered", "refused"]) & pl.col("text").is_not_null()
            )
            .select(*about, "outcome")
            .join(read, on="position", how="left")
            .select(*_ABOUT, refused.cast(pl.Float64).alias("automatic"))
            .sort("position")
        )
    valued = scores.filter((pl.col("measure") == scorer.measure) & pl.col("value").is_not_null())
    return (
        answers.filter(pl.col("outcome") == "answered")
        .select(about)
        .join(valued.select("position", pl.col("value").alias("automatic")), on="position")
        .select(*_ABOUT, "automatic")
        .sort("position")
    )
