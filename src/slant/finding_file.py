"""Findings as files hold them: what `findings.json` and a section's record say of each."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from slant.finding_migration import from_schema_1
from slant.records import Finding, Histogram, Interval, Units
from slant.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Mapping


def finding_to_plain(f: Finding) -> dict[str, Any]:
    """Turn a finding into what `findings.json` holds; a histogram's counts are one short text."""
    plain = asdict(f)
    plain["signature"] = dict(f.signature)
    if f.chance is not None and f.chance.histogram is not None:
        counts = f.chance.histogram.counts
        plain["chance"]["histogram"]["counts"] = " ".join(map(str, counts))
    return plain


def finding_from_plain(plain: Mapping[str, Any]) -> Finding:
    """Read what `finding_to_plain` wrote, now or with schema 1."""
    fields = dict(plain) if "kind" in plain else from_schema_1(plain)
    if fields["chance"] is not None:
        fields["chance"] = _interval(fields["chance"])
    fields["signature"] = Signature(fields["signature"])
    if fields["units"] is not None:
        units = fields["units"]
        fields["units"] = Units(**{**units, "key": tuple(units["key"])})
    return Finding(**fields)


def _interval(plain: Mapping[str, Any]) -> Interval:
    histogram = plain.get("histogram")
    if histogram is not None:
        counts = tuple(map(int, histogram["counts"].split()))
        histogram = Histogram(histogram["start"], histogram["width"], counts)
    return Interval(**{**plain, "histogram": histogram})
