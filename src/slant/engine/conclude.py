"""From answers to findings: score every text, then let each study draw its conclusions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.engine.environment import short_hash
from slant.engine.suite import plan_study
from slant.engine.tables import SCORES, drafted
from slant.errors import InputError
from slant.models.effective import Effective
from slant.registry import allow
from slant.studies.protocol import with_protocol
from slant.studies.report_level import adjusted_for_report
from slant.studies.rulers import with_rulers
from slant.studies.section import Section
from slant.studies.signature import COMMON
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.engine.run import Run
    from slant.measures.measure import Measure
    from slant.studies.study import Analysis, Study

_CHUNK = 50_000


def conclude(run: Run) -> None:
    """Score a run's answers, analyse them and store the conclusions.

    Earlier scores and conclusions stay until all of the new ones are written.

    Parameters
    ----------
    run
        A run whose `environment.json` and `answers.parquet` are written.

    Raises
    ------
    InputError
        `environment.json` is missing or damaged.
    """
    studies, answers = remembered_studies(run), run.answers
    frames = (frame for study in studies for frame in _scores(study, answers))
    fresh = drafted(frames, SCORES, run.path("scores.parquet"))
    try:
        scores = pl.scan_parquet(fresh)
        sections = analysed_together(
            [(study, own(answers, study), own(scores, study)) for study in studies]
        )
        run.conclude(adjusted_for_report(sections), fresh)
    finally:
        fresh.unlink(missing_ok=True)


def own(frame: pl.LazyFrame, study: Study) -> pl.LazyFrame:
    """Keep the rows of a table of the run that belong to a study."""
    mine = (pl.col("model") == study.circumstances.model) & (pl.col("study") == study.label)
    return frame.filter(mine)


def _scores(study: Study, answers: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    measures = study.measures()
    if not measures:
        return
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


def analysed(study: Study, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Section:
    """Let a study draw its conclusions from its own answers and scores."""
    return analysed_together([(study, answers, scores)])[0]


def analysed_together(
    every: Sequence[tuple[Study, pl.LazyFrame, pl.LazyFrame]],
) -> list[Section]:
    """Let studies draw their conclusions, one and the same study about all models at once.

    Parameters
    ----------
    every
        Studies, each with the answers and scores of its own.

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
    return [_section(study, found[place]) for place, (study, _, _) in enumerate(every)]


def _section(study: Study, found: Analysis) -> Section:
    analysis = with_rulers(study, found)
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


def remembered_studies(run: Run) -> list[Study]:
    """Build a study for every model the run has asked, in order.

    Raises
    ------
    InputError
        `environment.json`, which says which models those are, is missing or damaged.
    """
    config, models = run.config, run.environment.get("models", {})
    if not models:
        again = (
            f"`slant resume {run.directory}` writes it anew"
            if config.kind == "audit"
            else "put back a copy of the file, or measure again"
        )
        raise InputError(
            f"does not say which models were asked, and nothing can be concluded without: {again}",
            file=run.path("environment.json"),
        )
    return [
        planned.kind(
            planned.settings,
            Circumstances(
                name,
                frozenset(model["abilities"]),
                config.method,
                config.seed,
                short_hash(model["fingerprint"]),
                model["fingerprint"],
                instead=Effective.from_plain(model.get("effective")).instead(),
            ),
        )
        for name, model in models.items()
        for planned in (plan_study(entry.use, entry.settings) for entry in config.study)
    ]
