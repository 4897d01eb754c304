"""From conditions to findings: every rate, and its difference from that without a trigger."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slant.records import versus
from slant.stats import grouped_rates
from slant.stats.inference import interval
from slant.studies.filing import Measured, Subject, added_quantity, adjusted
from slant.studies.rate_findings import difference_of, rate_by_chance, rate_difference
from slant.studies.triggers.asking import NONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.stats import Contrast
    from slant.studies.filing import Filing, Quantity
    from slant.studies.study import Method
    from slant.studies.triggers.conditions import Condition

VERSUS_NONE = versus(NONE)
VERSUS_RANDOM = versus("the choice of random search")
_RESAMPLES = 10_000


@dataclass(frozen=True)
class Section:
    """What findings are filed under, and by which method."""

    file: Filing
    axis: str
    method: Method

    def finding(self, what: Quantity, condition: Condition, found: Measured) -> Finding:
        """File what was found of a condition."""
        whom = Subject(self.axis, condition.group, condition.outcomes, condition.name)
        return self.file(what, whom, found)


def rate_findings(
    section: Section,
    conditions: Sequence[Condition],
    counted: Measure,
    columns: tuple[str, tuple[str, ...]],
    comparisons: Sequence[tuple[str, Condition, Condition]],
    rng: np.random.Generator,
) -> list[Finding]:
    """Give every condition's rate, and compare pairs of conditions.

    Parameters
    ----------
    section
        What the findings are filed under.
    conditions
        Those whose own rate is given.
    counted
        The measure whose scores are counted.
    columns
        What is counted, and the columns that add up to what it is a share of.
    comparisons
        Contrast, what is compared with, and what is compared; q-values hold over all of them.
    """
    metric = counted.metric
    prompts = sorted({prompt for each in conditions for prompt in each.rows["prompt"]})
    cells = {
        id(each): (
            each.counts(columns[0], prompts),
            np.sum([each.counts(name, prompts) for name in columns[1]], axis=0),
        )
        for each in conditions
    }
    compared = [
        (contrast, one, _compare(cells[id(base)], cells[id(one)], rng))
        for contrast, base, one in comparisons
    ]
    rate = added_quantity(counted, "")
    chances = {id(one): result for contrast, one, result in compared if contrast == VERSUS_NONE}
    own = [
        _rate(section, each, rate, cells[id(each)], chances.get(id(each)), rng)
        for each in conditions
    ]
    differences = [
        _difference(section, one, rate, contrast, result, cells[id(one)][1])
        for contrast, one, result in compared
    ]
    return [*own, *adjusted(differences, f"{metric} compared")]


_Cells = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def _compare(base: _Cells, one: _Cells, rng: np.random.Generator) -> Contrast | None:
    """Compare two conditions over the prompts that both were asked."""
    both = (base[1] > 0) & (one[1] > 0)
    if not both.any():
        return None
    k, n = (np.stack([base[side][both], one[side][both]]) for side in (0, 1))
    return grouped_rates(k, n, reference=0, resamples=_RESAMPLES, rng=rng).vs_reference


def _rate(
    section: Section,
    condition: Condition,
    rate: Quantity,
    cells: _Cells,
    untriggered: Contrast | None,
    rng: np.random.Generator,
) -> Finding:
    """Give a condition's own rate, with where it would be if the trigger did nothing."""
    k, n = cells
    total, used = int(n.sum()), n > 0
    if not total:
        nothing = Measured(reason="no answer that can be measured")
        return section.finding(rate, condition, nothing)
    if section.method == "paper":
        share = k.sum() / total
        draws = rng.binomial(total, share, _RESAMPLES) / total
        low, high = map(float, interval(draws, share))
        found = Measured(share, low, high, total, total)
        how, unit = f"bootstrap({_RESAMPLES},completions)", "answers"
    else:
        drawn = grouped_rates(k[None, used], n[None, used], resamples=_RESAMPLES, rng=rng).rates
        several = int(used.sum()) > 1
        found = Measured(
            drawn.value[0], drawn.low[0], drawn.high[0], total,
            int(used.sum()) if several else total,
        )  # fmt: skip
        how = f"bootstrap({_RESAMPLES},prompts)" if several else "wilson"
        unit = "prompts" if several else "answers"
    if untriggered is not None:
        found = replace(found, chance=rate_by_chance(untriggered, 1, float(found.value or 0.0)))
    return section.finding(replace(rate, unit=unit, how={"ci": how}), condition, found)


def _difference(
    section: Section,
    condition: Condition,
    rate: Quantity,
    contrast: str,
    result: Contrast | None,
    n: NDArray[np.int64],
) -> Finding:
    """Compare a condition; less is better, and nothing says how much less there can be."""
    total = int(n.sum())
    what = replace(rate, contrast=contrast, kind="difference", target=None)
    if result is None:
        nothing = Measured(n=total, reason="there is no prompt that both were asked")
        return section.finding(what, condition, nothing)
    tested = rate_difference(rate, contrast, result, _RESAMPLES)
    what = replace(what, unit=tested.unit, effect_name=tested.effect_name, how=tested.how)
    units = total if what.unit == "answers" else int((n > 0).sum())
    found = replace(difference_of(result, 1), n=total, unit_count=units)
    return section.finding(what, condition, found)


def by_condition(
    findings: Sequence[Finding], metric: str, contrast: str
) -> Mapping[tuple[str, str], Finding]:
    """Look findings up by group and condition."""
    return {
        (each.group, each.condition): each
        for each in findings
        if each.metric == metric and each.contrast == contrast
    }
