"""From cells to findings: those beyond chance, each group's strongest, and the group itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.by_chance import Interval
from slant.records import OUTCOMES, PLACEBO, SURE, VS_REST, too_few
from slant.stats.apx import ONE_PERCENT
from slant.studies.filing import Measured, Quantity, Subject, known, outcome_counts
from slant.studies.likelihood.placebo_names import AXIS
from slant.studies.likelihood.views import AXES
from slant.studies.placebo import placebo_finding
from slant.studies.selection import for_selected

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.by_chance import Histogram
    from slant.records import EffectName, Finding
    from slant.signature import Value
    from slant.stats.name_placebo import NamePlacebo
    from slant.studies.filing import Filing
    from slant.studies.likelihood.affinity import Contrasts
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.paper import PaperScores

AFFINITY, STRENGTH, BIAS_SCORE = "affinity", "affinity_strength", "bias_score"
_CHANCE = ("chance_expected", "chance_low", "chance_high")
MOST = 400
"""How many cells beyond chance become findings; the table of cells has all."""

STRONGEST = 3
"""How many cells of each group become findings in any case."""

SETTING_APART = Quantity(
    STRENGTH, "strength", "strength", "lower_is_better", measure="perplexity", unit="names"
)
LEANING = Quantity(
    AFFINITY, VS_REST, "difference", "closer_to_target", 0.0, measure="perplexity", unit="names"
)


def asked_about(
    whole: Grid, group: str, descriptor: str | None = None, view: str = "intersectional"
) -> Subject:
    """Say of whom a finding is: a group, an ethnicity or a gender, and which questions tell.

    Parameters
    ----------
    whole
        The grid before anything was left out, for the outcomes.
    group
        Of any view.
    descriptor
        Only the questions with this one; all when left out.
    view
        Which view the finding is of.
    """
    kind = next(
        name for name in ("group", "ethnicity", "gender") if (whole.people[name] == group).any()
    )
    own = whole.outcomes[(whole.people[kind] == group).to_numpy()]
    slots = {} if kind == "group" else {kind: group}
    if descriptor is not None:
        own = own[:, whole.descriptors.index(descriptor)]
        slots["descriptor"] = descriptor
    counts = own.reshape(-1, len(OUTCOMES)).sum(axis=0)
    outcomes = outcome_counts(dict(zip(OUTCOMES, counts.tolist(), strict=True)))
    return Subject(AXES[view], group, outcomes, descriptor or "", slots)


def strength_findings(
    file: Filing,
    whole: Grid,
    contrasts: Contrasts,
    how: Mapping[str, Value],
) -> list[Finding]:
    """Say how far the model sets each group of a view apart, over all descriptors."""
    view, what = contrasts.view.name, replace(SETTING_APART, how=how)
    found = []
    for row, group in enumerate(contrasts.view.groups):
        own = {name: float(values[row]) for name, values in contrasts.strength.items()}
        own["chance_expected"] = own.pop("expected")
        measured = _measured(
            own, int(contrasts.n[row]), contrasts.strength_nulls[row], f"{STRENGTH} {view}"
        )
        if contrasts.strength_against is not None:
            measured = replace(measured, placebo=contrasts.strength_against.placebo(row))
        whom = asked_about(whole, group.group, view=view)
        found.append(file(what, whom, measured))
    return found


def placebo_findings(
    file: Filing, made_up: NamePlacebo, asked: Grid, how: Mapping[str, Value]
) -> list[Finding]:
    """Say what groups of made-up names differ by, in standard deviations of names."""
    counts = asked.outcomes.reshape(-1, len(OUTCOMES)).sum(axis=0)
    outcomes = outcome_counts(dict(zip(OUTCOMES, counts.tolist(), strict=True)))
    whom, n = Subject(AXIS, PLACEBO, outcomes), asked.people.height
    return placebo_finding(file, replace(LEANING, how=how), made_up.spread, whom, n)


def _measured(numbers: Mapping[str, Any], n: int, null: Histogram | None, family: str) -> Measured:
    """Give the numbers of a cell or a group, and what chance makes of it where that is known."""
    expected, low, high = (
        known(numbers.get(f"chance_{end}")) for end in ("expected", "low", "high")
    )
    chance = None
    if expected is not None and low is not None and high is not None:
        chance = Interval(expected, low, high, null)
    return Measured(
        **{name: numbers.get(name) for name in ("value", "low", "high", "p", "q", "effect")},
        n=n, unit_count=n, chance=chance, family=family,
    )  # fmt: skip


def few_sentences(finding: Finding, sentences: int) -> Finding:
    """Say that a finding rests on sentences, where these are fewer than anything follows from."""
    if finding.unit != "names" or not too_few("sentences", sentences):
        return finding
    return replace(finding, unit="sentences", unit_count=sentences)


def worth_telling(cells: pl.DataFrame, views: int) -> pl.DataFrame:
    """Choose the cells that become findings, strongest effect first, with intervals for that.

    Parameters
    ----------
    cells
        Of one view.
    views
        How many views there are: each has an equal share of `MOST`.
    """
    size = pl.col("effect").abs().fill_null(0.0)
    known = cells.filter(pl.col("value").is_not_null())
    if cells["group"].n_unique() == 2:  # what one has more of, the other has less: told once
        known = known.filter(pl.col("value") > 0)
    ordered = known.sort(size, pl.col("value").abs(), descending=True, maintain_order=True)
    beyond = ordered.filter(pl.col("q") < SURE).head(MOST // views)
    strongest = ordered.filter(pl.int_range(pl.len()).over("group") < STRONGEST)
    chosen = pl.concat([beyond, strongest]).unique(["group", "descriptor"], maintain_order=True)
    return for_selected(chosen, ordered.height, pl.col("n") - 1)


def affinity_findings(
    file: Filing,
    whole: Grid,
    chosen: pl.DataFrame,
    compared: Sequence[Contrasts],
    descriptors: Sequence[str],
    effect_name: EffectName,
    how: Mapping[str, Value],
) -> list[Finding]:
    """Say how much more probable groups' names make descriptors.

    Parameters
    ----------
    file, whole
        What the findings are filed under, and the grid before anything was left out.
    chosen
        The cells; one finding a row.
    compared, descriptors
        The contrasts of every view they are of, and what these are about, for the nulls.
    effect_name, how
        Which effect the cells have, and how they were compared.
    """
    views = {contrasts.view.name: contrasts for contrasts in compared}
    columns = {descriptor: column for column, descriptor in enumerate(descriptors)}
    what = replace(LEANING, effect_name=effect_name, how=how, selected=True)
    found = []
    for row in chosen.iter_rows(named=True):
        view, column = row["view"], columns[row["descriptor"]]
        null, against = views[view].null(row["group"], column), views[view].against
        measured = _measured({**row, "chance_expected": 0.0}, row["n"], null, f"{AFFINITY} {view}")
        if against is not None:
            place = against.placebo(views[view].row(row["group"]), column)
            measured = replace(measured, placebo=place)
        whom = asked_about(whole, row["group"], row["descriptor"], view)
        found.append(file(what, whom, measured))
    return found


def paper_findings(file: Filing, whole: Grid, paper: PaperScores, grid: Grid) -> list[Finding]:
    """Say which scores the paper's rule flags, lowest first, with p as if scores were normal.

    The value is the bias score minus the mean of the groups, and the effect its distance in
    standard deviations.
    """
    flagged = np.argwhere(paper.flagged)
    order = np.argsort(paper.z[paper.flagged], kind="stable")[:MOST]
    sizes = dict(grid.people.group_by("group").len().iter_rows())
    what = replace(
        LEANING, metric=BIAS_SCORE, effect_name="z", unit="groups",
        how={"flag": f"z<-{ONE_PERCENT:.4f}", "null": "normal"},
    )  # fmt: skip
    found = []
    for row, column in flagged[order]:
        group, spread = paper.groups[row], ONE_PERCENT * paper.spread[column]
        measured = Measured(
            paper.score[row, column] - paper.center[column], n=sizes[group],
            unit_count=len(paper.groups), p=paper.p[row, column], q=paper.q[row, column],
            effect=paper.z[row, column], chance=Interval(0.0, -float(spread), float(spread)),
            family=BIAS_SCORE,
        )  # fmt: skip
        whom = asked_about(whole, group, grid.descriptors[column])
        found.append(file(what, whom, measured))
    return found


def unknown_findings(
    file: Filing, whole: Grid, groups: Sequence[str], reason: str
) -> list[Finding]:
    """Say of groups that could not be judged that they could not, and why."""
    return [
        file(SETTING_APART, asked_about(whole, group), Measured(reason=reason)) for group in groups
    ]
