"""What measures that the suite adds say of profiles, group by group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import VS_REST
from slant.stats.unit_means import unit_means
from slant.studies.blocked_findings import RESAMPLES, difference_from_rest, difference_of, mean_of
from slant.studies.compared_texts import forests
from slant.studies.filing import Measured, Subject, added_quantity, adjusted
from slant.studies.profiles.people import CROSSED, axes_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.studies.filing import Filing
    from slant.studies.profiles.all_profiles import AllProfiles
    from slant.studies.profiles.outcomes import Outcomes
    from slant.studies.profiles.people import Cast, Person
    from slant.studies.profiles.profile import Profile
    from slant.studies.profiles.schema import TraitField
    from slant.studies.study import Figure

_FEW = "fewer than two names of this group have a profile that can be measured"


def measured_findings(
    file: Filing,
    became: Outcomes,
    casts: Sequence[Cast],
    fields: Sequence[TraitField],
    measures: Sequence[Measure],
    seed: int,
) -> tuple[list[Finding], list[Figure]]:
    """Compare groups by the mean score of their names' profiles, written out without the name.

    A group's figure is the mean over its names, for names are what was sampled: they are exchanged
    between groups for p, and drawn again for intervals. q-values hold over all groups, axes and
    conditions.
    """
    found: list[Finding] = []
    figures: list[Figure] = []
    for measure in measures:
        rng = np.random.default_rng([seed, *measure.name.encode()])
        own, compared = [], []
        for each in casts:
            values = _by_name(each, fields, measure)
            means, differences = _compare(file, became, each, measure, values, rng)
            own += means
            compared += differences
        findings = [*own, *adjusted(compared, f"{measure.metric} {VS_REST}")]
        what = f"What profiles say, by {measure.called}"
        titles = {VS_REST: f"{what}: the difference from the median of the other groups"}
        figures += forests(measure.metric, titles, findings)
        found += findings
    return found, figures


def written(profile: Profile, fields: Sequence[TraitField]) -> str:
    """Write a profile out, field by field."""
    known = [(each.label, profile.raw.get(each.name)) for each in fields]
    return "\n".join(
        f"{label}: {', '.join(raw) if isinstance(raw, list) else raw}"
        for label, raw in known
        if raw is not None
    )


def said_of_groups(
    every: AllProfiles, people: Mapping[str, Person], fields: Sequence[TraitField]
) -> pl.DataFrame:
    """Write profiles out for a judge, one row for each axis of groups, as `judged_texts` has it.

    Ethnicity and gender are axes of their own, and both together no third one: that would ask
    people to rule on twice as many.
    """
    known = {each.name: people[each.name] for each in every.profiles if each.name in people}
    axes = axes_of(known)
    if len(axes) > 1:
        axes.pop(CROSSED, None)
    rows = [
        (axis, groups[each.name], "", each.name, None, "", written(each, fields))
        for axis, groups in axes.items()
        for each in every.profiles
        if each.values and each.name in groups
    ]
    text = dict.fromkeys(("axis", "group", "condition", "unit"), pl.String)
    schema = {**text, "answer": pl.Int64, "prompt": pl.String, "text": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _by_name(each: Cast, fields: Sequence[TraitField], measure: Measure) -> NDArray[np.float64]:
    """Average the scores of every name's profiles: shape (names,), NaN where there is none."""
    texts = pl.Series("text", [written(one, fields) for one in each.profiles], pl.String)
    scores = measure.score(texts)["value"].cast(pl.Float64)
    measure.check(scores)
    known = scores.is_not_null().to_numpy()
    who, values = each.who[known], scores.drop_nulls().to_numpy()
    n = np.bincount(who, minlength=len(each.names))
    total = np.bincount(who, values, minlength=len(each.names))
    return np.asarray(np.where(n > 0, total / np.maximum(n, 1), np.nan))


def _compare(
    file: Filing,
    became: Outcomes,
    each: Cast,
    measure: Measure,
    values: NDArray[np.float64],
    rng: np.random.Generator,
) -> tuple[list[Finding], list[Finding]]:
    own = added_quantity(
        measure, "names", measure=measure.signature, ci=f"bootstrap({RESAMPLES},names)"
    )
    whom = {name: Subject(each.axis, name, became[each.condition], each.condition)
            for name in each.groups}  # fmt: skip
    there = ~np.isnan(values)
    sizes = np.bincount(each.code[there], minlength=len(each.groups))
    kept = np.flatnonzero(sizes >= 2)
    few = [
        file(own, whom[group], Measured(reason=_FEW))
        for row, group in enumerate(each.groups)
        if row not in kept
    ]
    if len(kept) < 2:
        alone = [file(own, whom[each.groups[row]], Measured(reason=_FEW)) for row in kept]
        return [*few, *alone], []
    there &= np.isin(each.code, kept)
    places = np.searchsorted(kept, each.code[there])
    result = unit_means(values[there], places, resamples=RESAMPLES, rng=rng)
    against = difference_from_rest(own, paired=False)
    groups = [(place, whom[each.groups[row]], int(sizes[row])) for place, row in enumerate(kept)]
    return (
        [*(file(own, who, mean_of(result, place, n, n)) for place, who, n in groups), *few],
        [file(against, who, difference_of(result, place, n, n)) for place, who, n in groups],
    )
