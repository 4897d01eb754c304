"""A gate's result as JUnit XML, which every CI server reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from slant.gating.check import Check, Gated

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST = 1000


def junit(result: Gated) -> str:
    """Write a suite for every rule, and a case for everything that it judged.

    What fails is a `failure`, what is inconclusive an `error`, what was waived `skipped`; remarks
    are `system-out`.
    """
    name = _text(f"slant gate: {result.policy}")
    root = Element("testsuites", {"name": name, **_counts(result.checks)})
    for rule in dict.fromkeys(check.rule for check in result.checks):
        checks = tuple(check for check in result.checks if check.rule == rule)
        suite = SubElement(root, "testsuite", {"name": _text(rule), **_counts(checks)})
        for check in checks:
            _case(suite, check)
        if result.remarks and suite is root[0]:
            SubElement(suite, "system-out").text = "\n".join(map(_text, result.remarks))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _counts(checks: tuple[Check, ...]) -> dict[str, str]:
    outcomes = [check.outcome for check in checks]
    return {
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count("fail")),
        "errors": str(outcomes.count("inconclusive")),
        "skipped": str(outcomes.count("waived")),
        "time": "0",
    }


def _case(suite: Element, check: Check) -> None:
    owner = ".".join(filter(None, ("slant", _text(check.model), _text(check.rule))))
    case = SubElement(suite, "testcase", classname=owner, name=_text(check.about), time="0")
    why = _text(check.why)
    if check.outcome == "fail":
        SubElement(case, "failure", message=why, type="fail")
    elif check.outcome == "inconclusive":
        SubElement(case, "error", message=why, type="inconclusive")
    elif check.waiver is not None and check.outcome == "waived":
        waiver = check.waiver
        said = f"{why} (waived by {waiver.by} until {waiver.expires}: {waiver.reason})"
        SubElement(case, "skipped", message=_text(said))


def _text(text: str) -> str:
    """Make text fit an attribute: visible, on one line, and nothing that XML has no place for."""
    return _NO_XML.sub("\ufffd", one_line(text, _LONGEST))
