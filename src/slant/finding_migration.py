"""Findings of schema 1, whose readers had to guess what they now say themselves.

What follows from a finding's own record is filled in; what only its study knows stays empty until
`slant rescore` concludes the run anew. Nothing but this reads names of metrics. Schema 2 lacks
`placebo` only: nothing was asked about placebo groups, which is what its absence says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Kind, Scale

_ODDS = "_odds_ratio"
_SHARES = (
    "_rate", "_share", "_prejudice", "valid_triples", "complete_profiles", "distinguishability",
    "recognition", "field_importance", "contrary_answers", "yes_answers", "consistency",
    "calibration_error", "bias_positive", "bias_negated", "bias_overall", "word_change",
)  # fmt: skip
_KINDS: dict[str, Kind] = {
    "rate": "rate", "mean": "mean", "strength": "strength", "difference": "difference",
}  # fmt: skip
_UNIT = re.compile(r"\|ci:[a-z-]*bootstrap\((?:\d+,)?([a-z]+)\)")
_EFFECT = re.compile(r"\|effect:([a-z_]+)")
_EFFECTS = {"d": "cohen_d", "d_z": "cohen_d_paired"}
_MEASURE = re.compile(r"\|measure:([\w-]+)@[^|]*(?:\|(robust|paper))?")


def from_schema_1(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Give a finding of schema 1 the fields of schema 2, as far as they are known."""
    metric, contrast = str(plain["metric"]), str(plain["contrast"])
    signature = str(plain["signature"])
    restated = metric.endswith(_ODDS)
    kind: Kind = "ratio" if restated else _KINDS.get(contrast, "difference")
    scale: Scale = "ratio" if restated else "share" if metric.endswith(_SHARES) else "number"
    unit, effect = _UNIT.search(signature), _EFFECT.search(signature)
    name = "" if effect is None else effect[1]
    return {
        **plain,
        "signature": from_one_line(signature),
        "kind": kind,
        "scale": scale,
        "measure": _measure(signature),
        "unit": "" if unit is None else unit[1],
        "unit_count": None,
        "units": None,
        "family": "",
        "part": "",
        "slots": {},
        "effect_name": _EFFECTS.get(name, name),
        "restates": metric.removesuffix(_ODDS) + "_rate" if restated else "",
    }


def from_one_line(line: str) -> dict[str, str]:
    """Read `name:value|name:value`; a part without a name goes on with the value before it.

    Scorers may stand by themselves as `name@version`.
    """
    fields: dict[str, str] = {}
    name = ""
    for part in line.split("|"):
        key, colon, value = part.partition(":")
        scorer, at, version = part.partition("@")
        if colon and key.isidentifier():
            name = key
            fields[name] = value
        elif at and scorer.isidentifier():
            fields[scorer] = version
        elif name:
            fields[name] += "|" + part
    return fields


def _measure(signature: str) -> str:
    found = _MEASURE.search(signature)
    if found is None:
        return ""
    return ".".join(part for part in found.groups() if part)
