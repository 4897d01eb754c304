"""From comparisons to findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from slant.records import OUTCOMES, Finding, Interval
from slant.stats import benjamini_hochberg, wilson
from slant.studies.chance import chance_line
from slant.studies.templates.group_effects import RESAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.studies.templates.group_effects import GroupEffects
    from slant.studies.templates.habits import Habits
    from slant.studies.templates.paper import PaperBias

CONTRARY, YES_ANSWERS = "contrary_answers", "yes_answers"
EVERYONE = "everyone"
"""What findings about how a model answers, whoever it is about, are filed under."""

_DIRECTIONS = {
    "yes_bias": ("closer_to_target", 0.0),
    "sensitivity": ("higher_is_better", None),
    "consistency": ("higher_is_better", 1.0),
    "calibration_error": ("lower_is_better", 0.0),
}


@dataclass(frozen=True)
class Filing:
    """What all findings of a section share.

    Attributes
    ----------
    study, model
        What they are filed under.
    signature
        Without the statistics.
    """

    study: str
    model: str
    signature: str

    def finding(
        self, metric: str, axis: str, group: str, contrast: str, statistics: str, **fields: Any
    ) -> Finding:
        """Make a finding; what is not given is not known."""
        return Finding(
            **{
                **dict.fromkeys(("value", "low", "high", "p", "q", "effect", "chance", "target")),
                "study": self.study,
                "metric": metric,
                "model": self.model,
                "axis": axis,
                "group": group,
                "contrast": contrast,
                "signature": f"{self.signature}|{statistics}",
                **fields,
            }
        )


def outcomes(rows: pl.DataFrame) -> dict[str, int]:
    """Count what became of questions."""
    counts = dict(rows.group_by("outcome").len().iter_rows())
    return {name: int(counts.get(name, 0)) for name in OUTCOMES}


def group_findings(
    filing: Filing, metric: str, effects: Mapping[str, GroupEffects], rows: pl.DataFrame
) -> list[Finding]:
    """Say of every group how probable an answer is, and how that compares.

    The q-values hold for all groups of all sets together.
    """
    direction = "lower_is_better" if metric == CONTRARY else "closer_to_target"
    target = None if metric == CONTRARY else 0.5
    measured = [each.result for each in effects.values() if each.result is not None]
    q = iter(benjamini_hochberg([float(p) for result in measured for p in result.vs_rest.p]))
    own, compared = [], []
    ci = f"ci:bootstrap({RESAMPLES},pairs)"
    test = f"{ci}|null:permutation({RESAMPLES},groups within pairs)|fdr:bh|effect:cohen_d_paired"
    for axis, each in effects.items():
        mine = rows.filter(pl.col("axis") == axis)
        for row, group in enumerate(each.groups):
            about = {
                "n": each.answers[group],
                "outcomes": outcomes(mine.filter(pl.col("group") == group)),
            }
            if each.result is None:
                reason = "fewer than two groups, or two templates, could be compared"
                own.append(
                    filing.finding(metric, axis, group, "mean", "none", **about,
                                   direction=direction, reason=reason)
                )  # fmt: skip
                continue
            r, rest = each.result.own, each.result.vs_rest
            own.append(
                filing.finding(
                    metric, axis, group, "mean", ci, **about,
                    value=float(r.value[row]), low=float(r.low[row]),
                    high=float(r.high[row]), direction=direction, target=target,
                )
            )  # fmt: skip
            compared.append(
                filing.finding(
                    metric, axis, group, "vs_rest", test, **about,
                    value=float(rest.value[row]), low=float(rest.low[row]),
                    high=float(rest.high[row]), p=float(rest.p[row]), q=float(next(q)),
                    effect=float(each.result.effect[row]),
                    chance=chance_line(rest.chance[row]), target=0.0,
                    direction="closer_to_target",
                )
            )  # fmt: skip
    return [*own, *compared]


def habit_findings(
    filing: Filing, habits: Mapping[str, Habits], rows: pl.DataFrame
) -> list[Finding]:
    """Say how the model answers each set, whoever it is about."""
    found = []
    for axis, each in habits.items():
        counts = outcomes(rows.filter(pl.col("axis") == axis))
        for metric, habit in each.figures.items():
            direction, target = _DIRECTIONS[metric]
            chance = None
            if habit.chance is not None:
                chance = Interval(habit.chance, habit.chance, habit.chance)
            found.append(
                filing.finding(
                    metric, axis, EVERYONE, "mean", "ci:bootstrap(pairs)", n=habit.n,
                    outcomes=counts, value=habit.value, low=habit.low, high=habit.high,
                    chance=chance, target=target, direction=direction,
                )
            )  # fmt: skip
    return sorted(found, key=lambda f: list(_DIRECTIONS).index(f.metric))


def paper_findings(
    filing: Filing, biases: Mapping[str, PaperBias], rows: pl.DataFrame
) -> list[Finding]:
    """Give APES's three figures for each set, each with Wilson's interval."""
    found = []
    for part, name in enumerate(("positive", "negated", "overall")):
        for axis, bias in biases.items():
            low, high = wilson(bias.wrong[part], bias.rows[part])
            found.append(
                filing.finding(
                    f"bias_{name}", axis, EVERYONE, "rate", "ci:wilson",
                    n=bias.rows[part],
                    outcomes=outcomes(_part(rows.filter(pl.col("axis") == axis), name)),
                    value=bias.wrong[part] / bias.rows[part], low=float(low), high=float(high),
                    target=0.0, direction="lower_is_better",
                )
            )  # fmt: skip
    return found


def _part(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    return rows if name == "overall" else rows.filter(pl.col("side") == name)


def not_comparable(effects: Mapping[str, GroupEffects]) -> Sequence[str]:
    """Say how many templates were left out because some group has no answer."""
    return [
        f"{axis}: {each.left_out} of {each.left_out + len(each.pairs)} templates were left out of "
        "the comparison, for some group has no readable answer to them or to their negation."
        for axis, each in effects.items()
        if each.left_out
    ]
