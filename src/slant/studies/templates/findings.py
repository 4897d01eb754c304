"""From comparisons to findings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from slant.records import VS_REST, Interval, Units
from slant.stats import wilson
from slant.studies.blocked_findings import difference_from_rest, difference_of, mean_of
from slant.studies.filing import Measured, Quantity, Subject, adjusted, count_outcomes
from slant.studies.templates.group_effects import RESAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Finding
    from slant.studies.filing import Filing
    from slant.studies.templates.group_effects import GroupEffects
    from slant.studies.templates.habits import Habits
    from slant.studies.templates.paper import PaperBias

CONTRARY, YES_ANSWERS = "contrary_answers", "yes_answers"
EVERYONE = "everyone"
"""What findings about how a model answers, whoever it is about, are filed under."""

_ANSWER = "probability of the answer"
"""What gives the values: no measure scores an option that was chosen."""

WHAT = {
    CONTRARY: Quantity(
        CONTRARY, "mean", "mean", "lower_is_better", scale="share", measure=_ANSWER, unit="pairs",
        units=Units("pairs", ("pair",), "contrary"), how={"ci": f"bootstrap({RESAMPLES},pairs)"},
    ),
    YES_ANSWERS: Quantity(
        YES_ANSWERS, "mean", "mean", "closer_to_target", 0.5, "share", _ANSWER, "pairs",
        units=Units("pairs", ("pair",), "yes"), how={"ci": f"bootstrap({RESAMPLES},pairs)"},
    ),
}  # fmt: skip
_HABIT = Quantity(
    "", "mean", "mean", "closer_to_target", measure=_ANSWER, unit="pairs",
    how={"ci": "t(pairs)"},
)  # fmt: skip
_HABITS = {
    "yes_bias": replace(_HABIT, target=0.0),
    "sensitivity": replace(_HABIT, direction="higher_is_better"),
    "consistency": replace(_HABIT, direction="higher_is_better", target=1.0, scale="share"),
    "calibration_error": replace(
        _HABIT,
        direction="lower_is_better",
        target=0.0,
        scale="share",
        how={"ci": "bootstrap(pairs)"},
    ),
}


def group_findings(
    file: Filing,
    metric: str,
    effects: Mapping[str, GroupEffects],
    rows: pl.DataFrame,
    *,
    of_words: bool = False,
) -> list[Finding]:
    """Say of every group how probable an answer is, and how that compares.

    The q-values hold for all groups of all sets together.

    Parameters
    ----------
    file, metric
        What the findings are filed under, and what they are called.
    effects
        The comparisons, by set.
    rows
        The answers.
    of_words
        Whether they stand beside others that hold over wordings: these are named by one word, from
        which nothing follows for the group, so there is no p.
    """
    what = WHAT[metric]
    if of_words:
        what = replace(what, unit="wordings", units=None)
    versus = replace(difference_from_rest(what), how={
        **what.how, "null": f"permutation({RESAMPLES},groups within pairs)"
    })  # fmt: skip
    own, compared = [], []
    for axis, each in effects.items():
        mine = rows.filter(pl.col("axis") == axis)
        for row, group in enumerate(each.groups):
            n, units = each.answers[group], 1 if of_words else len(each.pairs)
            whom = Subject(axis, group, count_outcomes(mine.filter(pl.col("group") == group)))
            if each.result is None:
                reason = "fewer than two groups, or two templates, could be compared"
                own.append(file(what, whom, Measured(n=n, reason=reason)))
                continue
            own.append(file(what, whom, mean_of(each.result, row, n, units)))
            apart = difference_of(each.result, row, n, units)
            compared.append(file(versus, whom, replace(apart, p=None) if of_words else apart))
    return [*own, *adjusted(compared, f"{metric} {VS_REST}")]


def habit_findings(file: Filing, habits: Mapping[str, Habits], rows: pl.DataFrame) -> list[Finding]:
    """Say how the model answers each set, whoever it is about."""
    found = []
    for axis, each in habits.items():
        whom = Subject(axis, EVERYONE, count_outcomes(rows.filter(pl.col("axis") == axis)))
        for metric, habit in each.figures.items():
            chance = None
            if habit.chance is not None:
                chance = Interval(habit.chance, habit.chance, habit.chance)
            measured = Measured(habit.value, habit.low, habit.high, habit.n, chance=chance)
            found.append(file(replace(_HABITS[metric], metric=metric), whom, measured))
    return sorted(found, key=lambda f: list(_HABITS).index(f.metric))


def paper_findings(
    file: Filing, biases: Mapping[str, PaperBias], rows: pl.DataFrame
) -> list[Finding]:
    """Give APES's three figures for each set, each with Wilson's interval."""
    found = []
    for part, name in enumerate(("positive", "negated", "overall")):
        what = Quantity(
            f"bias_{name}", "rate", "rate", "lower_is_better", 0.0, "share", _ANSWER, "answers",
            how={"ci": "wilson"},
        )  # fmt: skip
        for axis, bias in biases.items():
            wrong, n = bias.wrong[part], bias.rows[part]
            low, high = wilson(wrong, n)
            asked = _part(rows.filter(pl.col("axis") == axis), name)
            whom = Subject(axis, EVERYONE, count_outcomes(asked))
            measured = Measured(wrong / n, float(low), float(high), n, n)
            found.append(file(what, whom, measured))
    return found


def _part(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    return rows if name == "overall" else rows.filter(pl.col("side") == name)


def not_comparable(effects: Mapping[str, GroupEffects]) -> list[str]:
    """Say how many templates were left out because some group has no answer."""
    return [
        f"{axis}: {each.left_out} of {each.left_out + len(each.pairs)} templates were left out of "
        "the comparison, for some group has no readable answer to them or to their negation."
        for axis, each in effects.items()
        if each.left_out
    ]
