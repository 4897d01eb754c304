"""A comparison as JSON holds it: for `slant gate` and other programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from slant.comparison.several import several_to_plain
from slant.comparison.wording import headline
from slant.finding_file import finding_to_plain
from slant.reports.difference_words import plain_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.comparison.change import Change
    from slant.comparison.compare import Comparison
    from slant.comparison.side import Side

SCHEMA_VERSION = 2
"""Raised whenever a reader of the older form would misread it."""

_KEY = ("study", "metric", "axis", "group", "contrast", "condition")


def comparisons_to_plain(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """Turn comparisons into what JSON can hold."""
    return {
        "schema_version": SCHEMA_VERSION,
        "comparisons": [
            {
                "first": _side(comparison.base),
                "second": _side(comparison.other),
                "verdict": plain_sentence(headline(comparison)),
                "counts": comparison.counts(),
                "answers": {
                    study: {"shared": shared, "same": comparison.same[study]}
                    for study, shared in comparison.shared.items()
                },
                "graphs": _graphs(comparison),
                "changes": [_change(change) for change in comparison.changes],
            }
            for comparison in comparisons
        ],
        "several": several_to_plain(comparisons),
    }


def _side(side: Side) -> dict[str, str]:
    return {"run": str(side.run.directory), "model": side.model}


def _graphs(comparison: Comparison) -> dict[str, Any] | None:
    """Give what the graphs of triples have in common; `slant graph --against` has the triples."""
    found = comparison.graphs
    if found is None:
        return None
    names = ("jaccard", "low", "high", "expected", "chance_low", "chance_high", "p")
    whole = {name: getattr(found, name) for name in names}
    return {**whole, "subjects": found.subjects.to_dicts()}


def _change(change: Change) -> dict[str, Any]:
    return {
        **dict(zip(_KEY, change.key, strict=True)),
        "state": change.state,
        "value": change.value,
        "low": change.low,
        "high": change.high,
        "p": change.p,
        "q": change.q,
        "smallest_detectable": change.detectable,
        "way": change.way,
        "signature": dict(change.signature),
        "caveats": [asdict(caveat) for caveat in change.caveats],
        "first": None if change.first is None else finding_to_plain(change.first),
        "second": None if change.second is None else finding_to_plain(change.second),
    }
