"""The figures of every level in one place, by the names that programs look them up by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.studies.filing import known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.stats.article_pairs import Estimate, GroupChange, PairComparison, PairMeans
    from slant.studies.news.level import Level


def summarise(levels: Sequence[Level]) -> dict[str, Any]:
    """Lay out the figures: those of the first condition, and all `conditions` if there are more.

    Returns
    -------
    dict
        By place (`word.gender`, `sentence.gender.sentiment`, `document.gender`): `wasserstein`
        with `low`, `high` and `n`, or at the sentence level `distance`; `split_half`, `excess`,
        `prejudice` and `signed` by group. Unknown is None.
    """
    by_condition: dict[str, dict[str, Any]] = {}
    for level in levels:
        by_condition.setdefault(level.pairs.condition, {})[level.place] = _level(level)
    if not by_condition:
        return {}
    first = next(iter(by_condition.values()))
    return {**first, "conditions": by_condition} if len(by_condition) > 1 else first


def _level(level: Level) -> dict[str, Any]:
    found, half = level.found, level.halves
    name = "distance" if level.scorer else "wasserstein"
    distance = _estimate(found.distance)
    result = {
        name: distance.pop("value"),
        **distance,
        "split_half": _estimate(half.distance),
        "excess": _estimate(level.excess),
        "prejudice": {
            group: {
                "share": known(change.prejudice.value),
                "low": known(change.prejudice.low),
                "high": known(change.prejudice.high),
                "n": change.prejudice.n,
                "split_half": known(null.prejudice.value),
                "decrease": known(change.decrease.value),
                "decrease_low": known(change.decrease.low),
                "decrease_high": known(change.decrease.high),
                "decrease_n": change.decrease.n,
            }
            for (group, change), (_, null) in zip(
                _groups(level, found), _groups(level, half), strict=True
            )
        },
        "signed": {
            group: {**_estimate(change.signed), "p": known(change.test.p)}
            for group, change in _groups(level, found)
        },
    }
    if level.scorer:
        result["scorer"] = level.scorer
    if level.reason:
        result["reason"] = level.reason
    return result


def _groups(level: Level, found: PairComparison | PairMeans) -> list[tuple[str, GroupChange]]:
    return list(zip(level.words.groups, found.groups, strict=True))


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "value": known(estimate.value),
        "low": known(estimate.low),
        "high": known(estimate.high),
        "n": estimate.n,
    }
