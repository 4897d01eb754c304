"""Whether what scores the texts leans by itself: neutral sentences about every group, scored.

A scorer of sentiment, toxicity or regard may give "Two Muslims live on this street." another score
than the same sentence about others. A difference between a model's texts that is no larger than
that may be the scorer's, and not the model's.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from slant.errors import InputError
from slant.finding import VS_REST
from slant.groups.axes import axis_names
from slant.groups.axis_file import load_axis
from slant.groups.template import fill
from slant.groups.wordings import shared_kinds, worded
from slant.measures.judge import judges_of
from slant.stats.median_of_others import median_of_others
from slant.studies.study import Figure
from slant.toml_file import read_packaged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.finding import Finding
    from slant.groups.axes import Axis, Group
    from slant.measures.measure import Measure
    from slant.studies.study import Analysis, Study

LANGUAGE = "en"
"""Of the packaged sentences: groups that are named in another have no ruler."""

_LEAST = 1e-9


class _Sentences(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    language: str
    sources: list[str]
    sentences: list[str] = Field(min_length=5)


@cache
def neutral_sentences() -> tuple[str, ...]:
    """Give the packaged sentences, each with `{group}` where the group is named."""
    return tuple(read_packaged("rulers", "english.toml").validate(_Sentences).sentences)


def ruler_means(measure: Measure, groups: Sequence[Group]) -> dict[str, float]:
    """Score the neutral sentences about every group, in all wordings that all of them have.

    Parameters
    ----------
    measure
        What scores.
    groups
        Of one axis.

    Returns
    -------
    dict of float
        Each group's mean score; empty where a sentence cannot be scored for some group.
    """
    sentences = neutral_sentences()
    kinds = shared_kinds(groups, sentences)
    named = [[worded(group, kind) for kind in kinds] or [group] for group in groups]
    texts = [fill(sentence, each) for own in named for each in own for sentence in sentences]
    scores = measure.each(texts).reshape(len(groups), -1)
    kept = np.isfinite(scores).all(axis=0)
    if not kept.any():
        return {}
    means = scores[:, kept].mean(axis=1)
    return dict(zip((group.name for group in groups), means.tolist(), strict=True))


def with_rulers(study: Study, analysis: Analysis) -> Analysis:
    """Hold every finding against what its scorer gives neutral sentences about the same group.

    A finding says by how much its scorer leans (`ruler`), where it leans at all; a table, a picture
    and a note say it of the scorer.
    """
    # A judge is corrected by what people rule: sentences of ours tell nothing more.
    every = [each for each in (*study.measures(), *study.added) if not judges_of([each])]
    measures = {each.name: each for each in every}
    about = dict.fromkeys((f.axis, f.group) for f in analysis.findings if _can_be_held(f))
    leans: dict[tuple[str, str], Mapping[str, float]] = {}
    tables, figures, notes = {}, list[Figure](), list[str]()
    compared = [each for each in analysis.findings if _can_be_held(each)]
    for name, axis_name in dict.fromkeys((each.measure, each.axis) for each in compared):
        axis = _axis(study, axis_name)
        if name not in measures or axis is None or axis.language != LANGUAGE:
            continue
        groups = [each for each in axis.groups if (axis_name, each.name) in about]
        means = ruler_means(measures[name], groups) if len(groups) > 1 else {}
        values = np.array(list(means.values()))
        if len(values) < 2 or np.ptp(values) < _LEAST:
            continue
        leans[name, axis_name] = _leans(means)
        table = f"{name}_ruler_{axis_name}"
        tables[table] = _table(means)
        figures.append(_figure(measures[name].called, table))
    if not leans:
        return analysis
    findings = [
        replace(each, ruler=leans.get((each.measure, each.axis), {}).get(each.group, each.ruler))
        if _can_be_held(each)
        else each
        for each in analysis.findings
    ]
    for (name, axis_name), leaning in leans.items():
        mine = [f for f in findings if (f.measure, f.axis) == (name, axis_name)]
        notes.append(_note(measures[name], leaning, mine))
    return replace(
        analysis,
        findings=findings,
        tables={**analysis.tables, **tables},
        figures=[*analysis.figures, *figures],
        notes=[*notes, *analysis.notes],
    )


def rulers_of_parts(
    ruler: pl.DataFrame, axis: str, why: str
) -> tuple[dict[str, pl.DataFrame], list[Figure], list[str]]:
    """Show how scorers lean that a study gives parts of texts to: sentences, statements.

    Parameters
    ----------
    ruler
        Neutral sentences and what they were given: `scorer`, `group`, `score`, and whose groups.
    axis
        The column that says whose groups.
    why
        Why findings are not held against it: a sentence.

    Returns
    -------
    tuple
        Tables, pictures and a note; none of them where no scorer leans.
    """
    tables: dict[str, pl.DataFrame] = {}
    figures, said = list[Figure](), list[str]()
    means = ruler.group_by("scorer", axis, "group", maintain_order=True).agg(pl.mean("score"))
    for (scorer, name), part in means.group_by("scorer", axis, maintain_order=True):
        own = dict(part.select("group", "score").drop_nulls().iter_rows())
        if len(own) < 2 or np.ptp(list(own.values())) < _LEAST:
            continue
        table = f"{scorer}_ruler_{name}"
        tables[table] = _table(own)
        figures.append(_figure(str(scorer), table))
        said.append(_largest(str(scorer), _leans(own)))
    notes = [f"The ruler leans by itself: {'; '.join(said)}. {why}"] if said else []
    return tables, figures, notes


def held_against_names(
    findings: Sequence[Finding], ruler: pl.DataFrame, axis: str, scorer: str
) -> list[Finding]:
    """Say in a scorer's findings by how much it leans by itself, where it is given the names too.

    Parameters
    ----------
    findings
        Of a study.
    ruler, axis
        As `rulers_of_parts` takes them.
    scorer
        The measure whose findings rest on texts that name the group.
    """
    own = ruler.filter(scorer=scorer).drop_nulls("score")
    means = own.group_by(axis, "group", maintain_order=True).agg(pl.mean("score"))
    leans = {
        str(name): _leans(dict(part.select("group", "score").iter_rows()))
        for (name,), part in means.group_by(axis)
        if part.height > 1
    }
    return [
        replace(each, ruler=leans.get(each.axis, {}).get(each.group))
        if each.measure == scorer and _can_be_held(each)
        else each
        for each in findings
    ]


def _leans(means: Mapping[str, float]) -> dict[str, float]:
    values = np.array(list(means.values()))
    return dict(zip(means, (values - median_of_others(values)).tolist(), strict=True))


def _table(means: Mapping[str, float]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "group": list(means),
            "value": list(_leans(means).values()),
            "mean": list(means.values()),
        }
    )


def _figure(called: str, table: str) -> Figure:
    return Figure(
        "bars",
        f"The ruler: what {called} gives neutral sentences about a group, less the median of the "
        "others",
        table,
        {"unit": "number", "label": "difference between scores"},
    )


def _largest(called: str, leans: Mapping[str, float]) -> str:
    group = max(leans, key=lambda each: abs(leans[each]))
    return (
        f"{called} gives neutral sentences about {group} {leans[group]:+.3f} against the median of "
        f"the others, the largest of {len(leans)} groups"
    )


def _can_be_held(finding: Finding) -> bool:
    return finding.contrast == VS_REST and not finding.is_control and finding.scale != "ratio"


def _axis(study: Study, name: str) -> Axis | None:
    """Find the axis that a finding is about: a packaged one, or the study's own file."""
    try:
        if name in axis_names():
            return load_axis(name)
        own = getattr(study.settings, "axis", None)
        axis = load_axis(own) if isinstance(own, str) else None
    except InputError:
        return None
    return axis if axis is not None and axis.name == name else None


def _note(measure: Measure, leans: Mapping[str, float], findings: Sequence[Finding]) -> str:
    said = f"The ruler leans by itself: {_largest(measure.called, leans)}."
    within = list(dict.fromkeys(each.group for each in findings if each.is_within_ruler))
    if not within:
        return f"{said} No difference found here is as small as that of its own group."
    return (
        f"{said} No larger than what the scorer gives of itself, and so no harm of the model's: "
        f"the differences of {', '.join(within)}."
    )
