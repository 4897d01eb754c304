"""Findings as files hold them: what `findings.json` and a section's record say of each."""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from slant.finding_migration import from_schema_1
from slant.records import Finding

if TYPE_CHECKING:
    from collections.abc import Mapping


def finding_to_plain(f: Finding) -> dict[str, Any]:
    """Turn a finding into what `findings.json` holds; a histogram's counts are one short text."""
    plain: dict[str, Any] = {each.name: getattr(f, each.name) for each in fields(f)}
    plain["signature"] = dict(f.signature)
    for name, value in plain.items():
        if is_dataclass(value) and not isinstance(value, type):
            plain[name] = asdict(value)
    if f.chance is not None and f.chance.histogram is not None:
        counts = f.chance.histogram.counts
        plain["chance"]["histogram"]["counts"] = " ".join(map(str, counts))
    return plain


def finding_from_plain(plain: Mapping[str, Any]) -> Finding:
    """Read what `finding_to_plain` wrote, now or with an older schema; it may be anyone's."""
    fields = dict(plain) if "kind" in plain else from_schema_1(plain)
    chance = fields["chance"]
    if chance is not None and (histogram := chance.get("histogram")) is not None:
        counts = tuple(map(int, histogram["counts"].split()))
        fields["chance"] = {**chance, "histogram": {**histogram, "counts": counts}}
    finding = _findings().validate_python(fields)
    numbers = [finding.value, finding.low, finding.high, finding.p, finding.q, finding.effect,
               finding.report_q, finding.target, finding.ruler]  # fmt: skip
    if (placebo := finding.placebo) is not None:
        numbers += [placebo.share_exceeded, placebo.p, placebo.q, *(placebo.needed or ())]
    if not all(number is None or isfinite(number) for number in numbers):
        raise ValueError(f"a finding about {finding.group!r} holds a number that is none")
    return finding


@cache
def _findings() -> TypeAdapter[Finding]:
    return TypeAdapter(Finding)
