"""The paper's figures: one split of profiles, one field left out at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.stats.profile_svm import Traits, elimination, split_accuracy
from slant.studies.profiles.filing import ACCURACY, IMPORTANCE
from slant.studies.profiles.people import every_group
from slant.studies.profiles.telling_apart import IMPORTANCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.studies.profiles.filing import Filing
    from slant.studies.profiles.people import Cast
    from slant.studies.profiles.schema import TraitField

_HOW = "classifier:svc|split:70/30(42)"


def paper_findings(
    file: Filing, casts: Sequence[Cast], fields: Sequence[TraitField]
) -> tuple[list[Finding], pl.DataFrame]:
    """Give Table 6 and, as findings and a table, Tables 7, 10 and 11 for every cast."""
    findings, rows = [], []
    for each in casts:
        labels = [each.groups[each.code[name]] for name in each.who]
        traits = _traits(each, fields)
        try:
            base = split_accuracy(traits, labels)
            changes = elimination(traits, labels, base)
        except ValueError as error:
            findings.append(
                file(
                    ACCURACY, each.axis, every_group(each.axis), "rate", n=len(labels),
                    direction="lower_is_better",
                    reason=f"the published split cannot be made: {error}", condition=each.condition,
                    asked=each.condition, statistics=_HOW,
                )
            )  # fmt: skip
            continue
        findings.append(
            file(
                ACCURACY, each.axis, every_group(each.axis), "rate", n=len(labels), value=base,
                target=1 / len(each.groups), direction="lower_is_better", condition=each.condition,
                    asked=each.condition, statistics=_HOW,
            )
        )  # fmt: skip
        for name, change in changes.items():
            field = name.rpartition(".")[2]
            lost = -change / 100
            findings.append(
                file(
                    IMPORTANCE, each.axis, field, "difference", n=len(labels), value=lost,
                    target=0.0, direction="closer_to_target", condition=each.condition,
                    asked=each.condition, statistics=_HOW,
                )
            )  # fmt: skip
            rows.append((each.axis, each.condition, field, lost, None, None, None, None))
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
