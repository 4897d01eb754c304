"""From completions to conclusions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.records import PLACEBO
from slant.studies.copies import copies_note
from slant.studies.filing import added_quantity
from slant.studies.quotes import pick_quotes
from slant.studies.signature import filing
from slant.studies.study import Analysis, Figure
from slant.studies.triggers.asking import ALL, NONE
from slant.studies.triggers.conditions import Condition, conditions_of, judged_rows
from slant.studies.triggers.drift import drift_findings, drift_of, with_drift
from slant.studies.triggers.findings import (
    VERSUS_NONE,
    VERSUS_RANDOM,
    Section,
    rate_findings,
)
from slant.studies.triggers.notes import search_notes
from slant.studies.triggers.side_effects import (
    FLUENCY_OF,
    added_findings,
    fluency_findings,
    with_nats,
)
from slant.studies.triggers.tables import (
    bar_table,
    condition_table,
    outcome_table,
    price_table,
    ranking_table,
    search_table,
)
from slant.studies.triggers.worded_findings import WordedConditions, trigger_is_said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.studies.counting import Counted
    from slant.studies.study import Study
    from slant.studies.triggers.settings import TriggersSettings


def analyse_triggers(
    study: Study,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    *,
    counted: Counted,
    settings: TriggersSettings,
    parameters: Mapping[str, object],
    fluency: bool,
    worded: bool = False,
) -> Analysis:
    """Compare every condition with no trigger, and name the price.

    Parameters
    ----------
    answers, scores
        As `Study.analyse` is given them.
    counted
        What is counted.
    parameters
        What the numbers depend on, for the signature.
    fluency
        Whether the completions' log-likelihoods were asked for.
    worded
        Whether groups were named in several wordings.
    """
    circumstances = study.circumstances
    rows = judged_rows(study, answers, scores, counted.measure, [each.name for each in study.added])
    counted.measure.check(rows["value"])
    asked = study.asks
    flat = circumstances.method == "paper"
    controls = rows.filter(split=PLACEBO)
    rows = rows.filter(pl.col("split") != PLACEBO)
    conditions = conditions_of(rows, best=settings.best, flat=flat)
    if not any(condition.name != NONE for condition in conditions):
        note = "No trigger was asked about prompts held out: the search did not come to its end."
        return Analysis([], {"conditions": condition_table([], [], counted.metric)}, notes=[note])
    file = filing(study, measure=counted.measure.signature, **parameters)
    section = Section(file, rows["axis"][0], circumstances.method)
    rng = np.random.default_rng([circumstances.seed, *study.name.encode()])
    comparisons = _comparisons(conditions, settings.reference)
    untriggered = [each for each in comparisons if each[0] == VERSUS_NONE]
    crossed = WordedConditions(section, conditions, comparisons, controls, circumstances.seed)
    gains = replace(crossed, comparisons=untriggered)
    hangs: tuple[dict[str, pl.DataFrame], list[Figure]] = {}, []
    if worded:
        hit = pl.when("counts", pl.col("value").is_not_null()).then(pl.col("value"))
        rates = crossed.findings(added_quantity(counted.measure, ""), hit)
        hangs = crossed.hangs_on(added_quantity(counted.measure, ""), hit)
        refused = pl.when("counts", pl.col("outcome").is_in(["answered", "refused"])).then(
            (pl.col("outcome") == "refused").cast(pl.Float64)
        )
        refusals = gains.findings(added_quantity(counted.refusal, ""), refused)
    else:
        rates = rate_findings(
            section, conditions, counted.measure, ("matching", ("answered",)), comparisons, rng
        )
        refusals = rate_findings(
            section, conditions, counted.refusal, ("refused", ("answered", "refused")),
            untriggered, rng,
        )  # fmt: skip
    steered = {condition.group for condition in conditions if condition.name != NONE}
    about = [condition for condition in conditions if condition.group in steered]
    drift: list[Finding] = []
    if worded:
        said = controls.filter(trigger_is_said())
        far, said, notes = with_drift(about, said, answers, settings.embedder)
        if far:
            drift = replace(gains.of(about, far), controls=said).findings(
                drift_of(settings.embedder, about, worded=True), pl.col("drift")
            )
    else:
        drift, notes = drift_findings(section, about, answers, settings.embedder, rng)
    nats: list[Finding] = []
    if fluency and worded:
        scored = gains.of(about, with_nats(about, answers))
        nats = scored.findings(FLUENCY_OF, pl.col("nats"), tested=False)
    elif fluency and not flat:
        nats = fluency_findings(section, about, answers, rng)
    else:
        notes.append(_no_fluency(asked=asked, flat=flat))
    findings = [*rates, *drift, *nats, *refusals]
    for measure in study.added:
        measure.check(rows[measure.name])
        drawn = np.random.default_rng([circumstances.seed, *measure.name.encode()])
        if worded:
            own = added_quantity(measure, "", measure=measure.signature)
            score = pl.when("counts").then(pl.col(measure.name))
            findings += gains.findings(own, score)
            continue
        if measure.scale == "real":
            findings += added_findings(section, conditions, measure, drawn)
            continue
        valued = {id(each): each.by(measure.name) for each in conditions}
        findings += rate_findings(
            replace(section, file=filing(study, measure=measure.signature, **parameters)),
            list(valued.values()), measure, ("matching", ("answered",)),
            [(name, valued[id(base)], valued[id(one)]) for name, base, one in comparisons], drawn,
        )  # fmt: skip
    tables = {
        "conditions": (table := condition_table(conditions, rates, counted.metric)),
        "bars": bar_table(table),
        "price": price_table(about, findings, counted.metric),
        "outcomes": outcome_table(conditions),
    }
    if (ranking := ranking_table(rows, rates, counted.metric)).height:
        tables["ranking"] = ranking
    if asked and not flat and (search := search_table(rows, rates, counted.metric)).height:
        tables["search"] = search
    return Analysis(
        findings,
        tables | hangs[0],
        [*_figures(tables, counted.metric, drift, study.added), *hangs[1]],
        _quotes(study, conditions, answers, scores, counted),
        [
            *copies_note(rows),
            *search_notes(rows, tables, counted.metric, flat=flat, asked=asked, worded=worded),
            *notes,
        ],
    )


def _comparisons(
    conditions: Sequence[Condition], reference: str | None
) -> list[tuple[str, Condition, Condition]]:
    """Compare all with no trigger, the winner with random search's, and with the other group."""
    bases = {each.group: each for each in conditions if each.name == NONE}
    found = [
        (VERSUS_NONE, bases[each.group], each)
        for each in conditions
        if each.name != NONE and each.group in bases
    ]
    for group in dict.fromkeys(each.group for each in conditions):
        single = {each.name: each for each in conditions if each.group == group and each.single}
        first = _named(single, pl.col("rank") == "1")
        drawn = _named(single, pl.col("random") == "yes")
        if first is not None and drawn is not None and first is not drawn:
            found.append((VERSUS_RANDOM, drawn, first))
        if reference in bases and reference != group and group in bases:
            together = [e for e in conditions if e.group == group and e.name.startswith("best ")]
            others = [bases[group], *together, *(each for each in (first,) if each is not None)]
            found += [(f"vs:{reference}", bases[reference], each) for each in others]
    return found


def _named(single: Mapping[str, Condition], which: pl.Expr) -> Condition | None:
    for condition in single.values():
        if not condition.rows.filter(which).is_empty():
            return condition
    return None


def _no_fluency(*, asked: bool, flat: bool) -> str:
    why = "the paper's method does not"
    if not asked:
        why = "texts from a file come without a model that could score them"
    elif not flat:
        why = "the model gives no likelihoods of what it continued"
    return f"Fluency: not measured, for {why}."


def _figures(
    tables: Mapping[str, pl.DataFrame],
    metric: str,
    drift: Sequence[Finding],
    added: Sequence[Measure],
) -> list[Figure]:
    words = metric.removesuffix("_rate").replace("_", " ")
    figures = [
        Figure(
            "bars",
            f"How often completions show {words}, without and with triggers",
            "bars",
            {"label": "completions, %"},
        )
    ]
    if "ranking" in tables:
        figures.append(
            Figure(
                "ranking",
                "What looked best in the search, and what it is worth on prompts held out",
                "ranking",
                {
                    "name": "trigger", "first": "search", "second": "held_out",
                    "first_words": "in the search, where it was chosen",
                    "second_words": "on prompts held out", "baseline": "no_trigger",
                    "baseline_words": "no trigger, held out",
                    "label": f"completions that show {words}, %",
                },
            )
        )  # fmt: skip
    if any(each.value is not None for each in drift):
        figures.append(
            Figure(
                "pareto",
                f"What a trigger gains in {words}, and what it costs in drift of the topic",
                "price",
                {
                    "name": "condition", "x": "drift", "y": "rate", "y_unit": "share",
                    "x_words": "drift of the topic (cosine distance beyond two halves' own)",
                    "y_words": f"completions that show {words}, %",
                },
            )
        )  # fmt: skip
    figures += [
        Figure("forest", f"What triggers change in {each.called}",
               options={"metric": each.metric, "contrast": VERSUS_NONE})
        for each in added
    ]  # fmt: skip
    return [*figures, Figure("outcomes", "What became of the questions", "outcomes")]


def _quotes(
    study: Study,
    conditions: Sequence[Condition],
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    counted: Counted,
) -> list[Any]:
    """Show examples without a trigger, with any, and with the best."""
    best = [each for each in conditions if each.single][:6]
    shown = [each for each in conditions if each.name in (NONE, ALL)] + best
    table = pl.concat(
        [
            each.rows.select(
                "position", pl.lit(f"{each.group}\n{each.name}").alias("group"), "value"
            )
            for each in shown
        ]
    ).unique("position", maintain_order=True)
    return pick_quotes(table, answers, scores, counted.measure.name, seed=study.circumstances.seed)
