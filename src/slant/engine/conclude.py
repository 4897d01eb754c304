"""From answers to findings: score every text, then let each study draw its conclusions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.engine.judging import hear_verdicts
from slant.engine.progress import Silent
from slant.engine.remembered import remembered_studies
from slant.engine.tables import SCORES, drafted
from slant.registry import allow
from slant.studies.judge_correction import with_corrected_judges
from slant.studies.protocol import with_protocol
from slant.studies.report_level import adjusted_for_report
from slant.studies.rulers import with_rulers
from slant.studies.section import Section
from slant.studies.signature import COMMON

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.engine.progress import Progress
    from slant.engine.run import Run
    from slant.measures.measure import Measure
    from slant.studies.judge_correction import Rulings
    from slant.studies.study import Analysis, Study

_CHUNK = 50_000


def conclude(run: Run, rulings: Rulings | None = None, *, progress: Progress | None = None) -> None:
    """Score a run's answers, analyse them and store the conclusions.

    Earlier scores and conclusions stay until all of the new ones are written.

    Parameters
    ----------
    run
        A run whose `environment.json` and `answers.parquet` are written.
    rulings
        What people have ruled blind: judges among the measures are corrected by it.
    progress
        Who is told how far it is; nobody when not given.

    Raises
    ------
    InputError
        `environment.json` is missing or damaged.
    """
    studies, answers = remembered_studies(run), run.answers
    hear_verdicts(run, studies)
    progress = progress or Silent()
    progress.work("analysis", 2 * len(studies))
    frames = (frame for study in studies for frame in _scores(study, answers, progress))
    fresh = drafted(frames, SCORES, run.path("scores.parquet"))
    try:
        scores = pl.scan_parquet(fresh)
        sections = analysed_together(
            [(study, own(answers, study), own(scores, study)) for study in studies],
            rulings,
            progress,
        )
        run.conclude(adjusted_for_report(sections), fresh)
    finally:
        fresh.unlink(missing_ok=True)


def own(frame: pl.LazyFrame, study: Study) -> pl.LazyFrame:
    """Keep the rows of a table of the run that belong to a study."""
    mine = (pl.col("model") == study.circumstances.model) & (pl.col("study") == study.label)
    return frame.filter(mine)


def _scores(study: Study, answers: pl.LazyFrame, progress: Progress) -> Iterator[pl.DataFrame]:
    if measures := study.measures():
        yield from _scored_by(measures, study, answers)
    progress.worked()


def _scored_by(
    measures: Sequence[Measure], study: Study, answers: pl.LazyFrame
) -> Iterator[pl.DataFrame]:
    texts = own(answers, study).select("position", "text").filter(pl.col("text").is_not_null())
    for chunk in texts.collect_batches(chunk_size=_CHUNK, maintain_order=True):
        for measure in measures:
            yield scored(study, chunk, measure)


def scored(study: Study, texts: pl.DataFrame, measure: Measure) -> pl.DataFrame:
    """Score texts, in the form of the table of scores: `texts` has `position` and `text`."""
    return texts.select(
        pl.lit(study.circumstances.model).alias("model"),
        pl.lit(study.label).alias("study"),
        "position",
        pl.lit(measure.name).alias("measure"),
    ).hstack(measure.score(texts["text"]).select("value", "reason", "spans").cast(_TYPES))


_TYPES = pl.Schema({name: SCORES[name] for name in ("value", "reason", "spans")})


def analysed(
    study: Study, answers: pl.LazyFrame, scores: pl.LazyFrame, rulings: Rulings | None = None
) -> Section:
    """Let a study draw its conclusions from its own answers and scores."""
    return analysed_together([(study, answers, scores)], rulings)[0]


def analysed_together(
    every: Sequence[tuple[Study, pl.LazyFrame, pl.LazyFrame]],
    rulings: Rulings | None = None,
    progress: Progress | None = None,
) -> list[Section]:
    """Let studies draw their conclusions, one and the same study about all models at once.

    Parameters
    ----------
    every
        Studies, each with the answers and scores of its own.
    rulings
        What people have ruled blind: judges among the measures are corrected by it.
    progress
        Told of every study that has come to its conclusions.

    Returns
    -------
    list of Section
        In the order of the studies.
    """
    by_label: dict[str, list[int]] = {}
    for place, (study, _, _) in enumerate(every):
        by_label.setdefault(study.label, []).append(place)
    found: dict[int, Analysis] = {}
    for places in by_label.values():
        kind = type(every[places[0]][0])
        found |= zip(places, kind.analyse_models([every[n] for n in places]), strict=True)
        if progress is not None:
            progress.worked(len(places))
    return [
        _section(
            study,
            with_corrected_judges(
                study, with_rulers(study, found[place]), answers, scores, rulings or {}
            ),
        )
        for place, (study, answers, scores) in enumerate(every)
    ]


def _section(study: Study, analysis: Analysis) -> Section:
    if study.circumstances.method == "paper" and study.asks:
        analysis = with_protocol(analysis, study.name, study.settings)
    # A study that may run names pictures of its own in its code: they may be drawn in this call.
    allow(figure.kind for figure in analysis.figures)
    allow(view.kind for view in analysis.views)
    return Section(
        study.name,
        study.label,
        study.circumstances.model,
        study.title,
        study.method_text,
        analysis,
        {**COMMON, **study.parameter_words},
    )
