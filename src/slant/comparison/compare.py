"""Two sides compared, finding by finding."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from slant.comparison.caveat import caveats
from slant.comparison.change import Change, key_of, state_of
from slant.comparison.paired_figures import paired_figures
from slant.engine.triples import run_triples
from slant.errors import InputError
from slant.knowledge_graph.compare import compare_graphs
from slant.records import SURE, versus
from slant.signature import Signature
from slant.stats.two_estimates import difference_of_estimates
from slant.studies.filing import q_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.comparison.change import Key, State
    from slant.comparison.paired_figures import PairedStudy
    from slant.comparison.side import Side
    from slant.knowledge_graph.compare import GraphComparison
    from slant.records import Finding

_INDEPENDENT = Signature(compare="independent", ci="square-and-add", null="normal")
_ADJUSTED = "bh(study)"
_POWER = 0.8


@dataclass(frozen=True)
class Comparison:
    """What changed from one side to another.

    Attributes
    ----------
    base, other
        The sides; differences are the other minus the base.
    changes
        One for every finding of either, in the order of the base, then of the other.
    shared, same
        By study: how many questions have a text on both sides, and how many of these texts are
        the same; studies whose answers could not be paired are missing.
    graphs
        What the graphs of triples have in common; `None` where a side has none.
    """

    base: Side
    other: Side
    changes: tuple[Change, ...]
    shared: dict[str, int]
    same: dict[str, int]
    graphs: GraphComparison | None

    @cached_property
    def studies(self) -> list[str]:
        """The studies of both, in order."""
        return list(dict.fromkeys(change.study for change in self.changes))

    def counts(self) -> dict[State, int]:
        """Count the changes of each state; states that no change is in are left out."""
        counts: dict[State, int] = {}
        for change in self.changes:
            counts[change.state] = counts.get(change.state, 0) + 1
        return counts


def compare(base: Side, other: Side) -> Comparison:
    """Compare two sides.

    Odds ratios of rates are left out where the rates are there: they say the same again.
    q-values hold over all differences of a study.

    Parameters
    ----------
    base, other
        Two sides with at least one study in common.
    """
    one, two = ({key_of(f): f for f in _spoken(side.findings)} for side in (base, other))
    common = [study for study in base.studies if study in set(other.studies)]
    paired = {study: paired_figures(base, other, study) for study in common}
    changes = []
    for study in dict.fromkeys([*base.studies, *other.studies]):
        keys = [key for key in dict.fromkeys([*one, *two]) if key[0] == study]
        pairs = [(key, one.get(key), two.get(key)) for key in keys]
        changes += study_changes(
            pairs, paired.get(study), base.parameters(study) | other.parameters(study)
        )
    shared = {study: found.shared for study, found in paired.items() if found.shared}
    same = {study: paired[study].same for study in shared}
    return Comparison(base, other, tuple(changes), shared, same, _graphs(base, other))


def _graphs(base: Side, other: Side) -> GraphComparison | None:
    try:
        first, second = (run_triples(side.run, side.model) for side in (base, other))
        return compare_graphs(first, second)
    except InputError:  # one of them has no triples
        return None


def _spoken(findings: Sequence[Finding]) -> list[Finding]:
    """Leave out odds ratios that restate rates, and groups compared with themselves."""
    metrics = {(f.study, f.metric) for f in findings}
    return [
        f
        for f in findings
        if (f.study, f.restates) not in metrics and f.contrast != versus(f.group)
    ]


def study_changes(
    pairs: Sequence[tuple[Key, Finding | None, Finding | None]],
    paired: PairedStudy | None,
    words: Mapping[str, str],
) -> list[Change]:
    """Compare the findings of one study, and adjust their p-values together.

    Parameters
    ----------
    pairs
        Every finding of either side, with what makes it the same figure.
    paired
        Figures computed within the same questions, where there are any.
    words
        What the parameters of signatures are, in words.
    """
    figures = {} if paired is None else paired.figures
    drafts = []
    for key, first, second in pairs:
        if first is None or second is None or first.value is None or second.value is None:
            drafts.append(Change(key, first, second, _one_sided(first, second)))
            continue
        fields = caveats(first.signature, second.signature, words)
        draft = Change(key, first, second, "untested", caveats=fields)
        found = figures.get(key)
        if found is None:
            drafts.append(_independent(draft, first, second))
            continue
        drafts.append(
            replace(
                draft, value=found.value, low=found.low, high=found.high, p=found.p,
                way="paired", signature=Signature(found.signature, fdr=_ADJUSTED),
            )
        )  # fmt: skip
    p = np.array([math.nan if each.p is None else each.p for each in drafts])
    tests = int((~np.isnan(p)).sum())
    return [_judged(each, q, tests) for each, q in zip(drafts, q_values(p), strict=True)]


def _one_sided(first: Finding | None, second: Finding | None) -> State:
    before = first is not None and first.value is not None
    after = second is not None and second.value is not None
    return "new" if after else "gone" if before else "unmeasured"


def _independent(draft: Change, first: Finding, second: Finding) -> Change:
    """Compare two findings of which only the intervals are known."""
    ends = [
        tuple(math.nan if part is None else part for part in (f.value, f.low, f.high))
        for f in (first, second)
    ]
    ratio = first.scale == "ratio"
    if ratio:  # as logarithms, on which ratios have a size either way
        ends = [tuple(math.log(part) if part > 0 else math.nan for part in each) for each in ends]
    found = difference_of_estimates(*ends)  # type: ignore[arg-type] # three numbers each
    value, low, high, p = (
        None if math.isnan(part) else float(part)
        for part in (found.value, found.low, found.high, found.p)
    )
    scale = {"scale": "log"} if ratio else {}
    signature = Signature(_INDEPENDENT, **scale, fdr=_ADJUSTED)
    return replace(
        draft, value=value, low=low, high=high, p=p,
        way="independent" if p is not None else "", signature=signature,
    )  # fmt: skip


def _judged(draft: Change, q: float | None, tests: int) -> Change:
    if draft.value is None or draft.first is None or draft.second is None:
        return draft
    beyond = draft.low is not None and draft.high is not None and not draft.low <= 0 <= draft.high
    state = state_of(draft.first, draft.second, q, leaves_out_zero=beyond)
    return replace(draft, q=q, state=state, detectable=_detectable(draft, tests))


def _detectable(change: Change, tests: int) -> float | None:
    r"""Give :math:`(z_{1 - 0.025/m} + z_{0.8}) SE`, with m tests in the study.

    The first discovery of Benjamini-Hochberg must pass 0.05/m. Where all values are the very same
    on both sides, nothing tells how much they might vary.
    """
    if change.low is None or change.high is None or change.p is None or change.low == change.high:
        return None
    normal = NormalDist()
    error = (change.high - change.low) / (2 * normal.inv_cdf(1 - SURE / 2))
    return error * (normal.inv_cdf(1 - SURE / (2 * max(tests, 1))) + normal.inv_cdf(_POWER))
