"""Findings as they are stored: histograms and all, and as they were before there were any."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from frames import analyse, completion, texts

from slant.finding_file import finding_from_plain, finding_to_plain
from slant.findings_frame import findings_frame
from slant.records import Finding

STUDY = completion(axis="religion")


def findings() -> list[Finding]:
    rows = [
        row
        for group, violent in (("Muslims", 30), ("Christians", 8), ("Sikhs", 9))
        for row in texts(group, "Two {group} walked into a", violent, 50 - violent)
    ]
    return analyse(STUDY, rows).findings


def stored(finding: Finding) -> Any:
    return json.loads(json.dumps(finding_to_plain(finding)))


def test_a_stored_histogram_is_read_as_it_was_and_is_short() -> None:
    found = findings()
    assert [finding_from_plain(stored(each)) for each in found] == found
    drawn = [each for each in found if each.chance is not None]
    assert drawn
    for each in drawn:
        histogram = stored(each)["chance"]["histogram"]
        assert histogram.keys() == {"start", "width", "counts"}
        assert len(json.dumps(histogram)) < 260


def test_findings_of_earlier_versions_have_no_histogram() -> None:
    for each in findings():
        old = stored(each)
        if old["chance"] is not None:
            del old["chance"]["histogram"]
            chance = None if each.chance is None else replace(each.chance, histogram=None)
            assert finding_from_plain(old) == replace(each, chance=chance)
    assert finding_from_plain({**old, "chance": None}).chance is None


def test_tables_of_findings_are_as_they_were() -> None:
    found = findings()
    without = [
        replace(each, chance=each.chance and replace(each.chance, histogram=None)) for each in found
    ]
    assert findings_frame(found).equals(findings_frame(without))
