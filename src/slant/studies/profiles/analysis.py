"""From profiles to findings, tables, pictures and quotes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from slant.studies.filing import Measured, Subject, adjusted
from slant.studies.profiles.agreement import TABLE, agreement
from slant.studies.profiles.all_profiles import QUOTED
from slant.studies.profiles.figures import figures_of, importance_tables
from slant.studies.profiles.hangs_on import hangs_on
from slant.studies.profiles.measured import measured_findings, written
from slant.studies.profiles.metrics import ACCURACY, AGREEING
from slant.studies.profiles.outcomes import (
    Outcomes,
    by_condition,
    completeness_findings,
    outcome_table,
)
from slant.studies.profiles.paper import paper_findings
from slant.studies.profiles.people import EVERYONE, MOST, Cast, Person, axes_of, cast, every_group
from slant.studies.profiles.telling_apart import (
    accuracy_findings,
    confusion_table,
    importance_findings,
    request_findings,
    tell_apart,
)
from slant.studies.profiles.words import (
    field_words,
    paper_word_findings,
    word_findings,
    word_table,
)
from slant.studies.study import Analysis, Quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.studies.filing import Filing
    from slant.studies.profiles.all_profiles import AllProfiles
    from slant.studies.profiles.schema import TraitField
    from slant.studies.profiles.telling_apart import ToldApart

_LONGEST = 600


@dataclass(frozen=True)
class About:
    """What an analysis knows besides the profiles.

    Attributes
    ----------
    file
        What findings are filed under.
    paper
        Whether the paper's method is asked for.
    people
        Whom names stand for.
    fields, compared
        What profiles hold, and what groups are compared by.
    same
        Words of likelihoods that mean the same as another.
    likelihoods
        Cells of a likelihood study, if there are any to compare with.
    resamples
        Permutations.
    notes
        What is known already.
    added
        What the suite measures profiles by.
    seed
        Root of the randomness of those.
    """

    file: Filing
    paper: bool
    people: Mapping[str, Person]
    fields: Sequence[TraitField]
    compared: Sequence[TraitField]
    same: Mapping[str, str]
    likelihoods: pl.DataFrame | None
    resamples: int
    notes: Sequence[str]
    added: Sequence[Measure] = ()
    seed: int = 0


def analyse_profiles(every: AllProfiles, about: About, rng: np.random.Generator) -> Analysis:
    """Tell groups apart, find their words, and compare with likelihoods if there are any."""
    conditions = every.conditions
    if not conditions:
        return Analysis([], notes=[*about.notes, "No profile was asked for."])
    file, became = about.file, by_condition(every.table)
    names = every.table["name"].unique(maintain_order=True)
    axes = axes_of({name: about.people[name] for name in names if name in about.people})
    tried = {
        (axis, condition): cast(axis, groups, condition, every.profiles)
        for condition in conditions
        for axis, groups in axes.items()
    }
    casts = [each for each in tried.values() if each is not None]
    notes = [*about.notes, *_notes(every, tried)]
    told: Sequence[ToldApart] = ()
    words = word_table(
        [
            found
            for each in casts
            for field in about.compared
            if field.kind != "number" and (found := field_words(each, field))
        ]
    )
    if about.paper:
        findings, importance = paper_findings(file, became, casts, about.compared)
        findings += paper_word_findings(file, became, words)
        tables = {"words": words}
    else:
        told = tell_apart(casts, about.compared, about.resamples, rng)
        mattering, importance = importance_findings(file, became, told)
        findings = [
            *accuracy_findings(file, became, told, about.resamples),
            *request_findings(file, became, told, conditions[0]),
            *mattering,
            *word_findings(file, became, words),
        ]
        tables = {"words": words, "confusion": confusion_table(told)}
    tables |= importance_tables(importance)
    agreed, agreements = _agreement(became, words, about, rng)
    findings += [*agreed, *completeness_findings(file, became, every.table)]
    measured, pictures = measured_findings(
        file, became, casts, about.compared, about.added, about.seed
    )
    findings += measured
    if about.likelihoods is not None:
        tables["agreement"] = agreements
        if not agreed:
            notes.append("No word of the profiles is a descriptor of the likelihood study.")
    tables["outcomes"] = outcome_table(every)
    tables["profiles"] = every.table.drop("is there")
    clearest = _clearest(findings, conditions)
    figures = figures_of(casts, tables, clearest, tested=not about.paper)
    without, hangs = hangs_on(told, clearest)
    return Analysis(
        findings, tables | without, [*figures, *hangs, *pictures], _quotes(every, about), notes
    )


def _clearest(findings: Sequence[Finding], conditions: Sequence[str]) -> str:
    """Name the condition in which groups are told apart best, on the first axis."""
    own = [each for each in findings if each.metric == ACCURACY and each.contrast == "rate"]
    first = [each for each in own if each.axis == own[0].axis and each.value is not None]
    best = max(first, key=lambda each: each.value or 0.0, default=None)
    return best.condition if best else conditions[0]


def _notes(every: AllProfiles, tried: Mapping[tuple[str, str], Cast | None]) -> list[str]:
    notes = [
        f"{axis} · {condition}: no two groups have two names with a profile each, so nothing is "
        "compared."
        for (axis, condition), found in tried.items()
        if found is None
    ]
    counts = outcome_table(every).filter(pl.col("group") == EVERYONE)
    notes += [
        f"Of {row['asked']:,} profiles asked for ({row['condition']}), {row['complete']:,} are "
        f"complete, {row['incomplete']:,} lack a field, {row['missing']:,} were left out of "
        f"their answer, {row['refused']:,} were refused, {row['unparseable']:,} could not be "
        f"read, {row['error']:,} failed; {row['repaired']:,} had their JSON repaired. "
        f"{row['invented']:,} further profiles are of names nobody asked about, "
        f"{row['repeated']:,} of names that had one already: these count nowhere."
        for row in counts.iter_rows(named=True)
    ]
    if every.table.height > MOST * len(counts):
        notes.append(
            f"Groups are compared by {MOST:,} profiles a condition, the first of each name."
        )
    return notes


def _agreement(
    became: Outcomes, words: pl.DataFrame, about: About, rng: np.random.Generator
) -> tuple[list[Finding], pl.DataFrame]:
    findings: list[Finding] = []
    file, tables = about.file, [pl.DataFrame(schema=TABLE)]
    if about.likelihoods is None or words.is_empty():
        return [], tables[0]
    for (axis, condition), part in words.group_by("axis", "condition", maintain_order=True):
        found = agreement(part, about.likelihoods, about.same, resamples=about.resamples, rng=rng)
        if found is None:
            continue
        tables.append(found.table)
        what = replace(AGREEING, how={
            "agreement": "spearman", "ci": "bootstrap(2000,words)",
            "null": f"groups({about.resamples})",
        })  # fmt: skip
        whom = Subject(str(axis), every_group(str(axis)), became[str(condition)], str(condition))
        measured = Measured(
            found.value, found.low, found.high, found.words, found.words, p=found.p,
            chance=found.chance,
        )  # fmt: skip
        findings += adjusted([file(what, whom, measured)], f"{what.metric} {axis} {condition}")
    return findings, pl.concat(tables)


def _quotes(every: AllProfiles, about: About) -> list[Quote]:
    """Show the first profiles of each group, field by field."""
    shown: dict[str, list[Quote]] = {}
    for each in every.profiles:
        person = about.people.get(each.name)
        if person is None or not each.raw or len(shown.get(person.group, ())) >= QUOTED:
            continue
        quote = Quote(
            group=person.group,
            condition=each.condition,
            prompt=f"A profile of {each.name}",
            text=written(each, about.fields)[:_LONGEST],
            value=None,
        )
        shown.setdefault(person.group, []).append(quote)
    return [quote for own in shown.values() for quote in own]
