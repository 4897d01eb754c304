"""The paper's figures: one split of profiles, one field left out at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from slant.stats.profile_svm import Traits, elimination, split_accuracy
from slant.studies.filing import Measured, Subject
from slant.studies.profiles.metrics import LEAVING_OUT, TELLING_APART
from slant.studies.profiles.people import every_group
from slant.studies.profiles.telling_apart import IMPORTANCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.studies.filing import Filing
    from slant.studies.profiles.outcomes import Outcomes
    from slant.studies.profiles.people import Cast
    from slant.studies.profiles.schema import TraitField

_HOW = {"classifier": "svc", "split": "70/30(42)"}


def paper_findings(
    file: Filing, became: Outcomes, casts: Sequence[Cast], fields: Sequence[TraitField]
) -> tuple[list[Finding], pl.DataFrame]:
    """Give Table 6 and, as findings and a table, Tables 7, 10 and 11 for every cast."""
    findings, rows = [], []
    for each in casts:
        labels = [each.groups[each.code[name]] for name in each.who]
        names, traits = len(each.code), _traits(each, fields)
        told = replace(TELLING_APART, target=1 / len(each.groups), how=_HOW)
        outcomes = became[each.condition]
        everyone = Subject(each.axis, every_group(each.axis), outcomes, each.condition)
        try:
            base = split_accuracy(traits, labels)
            changes = elimination(traits, labels, base)
        except ValueError as error:
            reason = f"the published split cannot be made: {error}"
            findings.append(file(told, everyone, Measured(n=len(labels), reason=reason)))
            continue
        share = Measured(base, n=len(labels), unit_count=names)
        findings.append(file(told, everyone, share))
        for name, change in changes.items():
            field = name.rpartition(".")[2]
            lost = Measured(-change / 100, n=len(labels), unit_count=names)
            whom = Subject(each.axis, field, outcomes, each.condition)
            findings.append(file(replace(LEAVING_OUT, how=_HOW), whom, lost))
            rows.append((each.axis, each.condition, field, lost.value, None, None, None, None))
    return findings, pl.DataFrame(rows, schema=IMPORTANCES, orient="row")


def _traits(each: Cast, fields: Sequence[TraitField]) -> Traits:
    """Take profiles as they were written: what is lacking is an empty text."""
    words, lists = {}, {}
    for field in fields:
        raw = [profile.raw.get(field.name) for profile in each.profiles]
        if field.kind == "list":
            lists[field.name] = [" ".join(own or ()) for own in raw]
        else:
            words[field.name] = ["" if own is None else str(own) for own in raw]
    return Traits(words, lists)
