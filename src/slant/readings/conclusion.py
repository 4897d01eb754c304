"""Where an answer stands that is given as a conclusion: behind steps, in a labelled last line."""

from __future__ import annotations

import re

_WORK = 4_000
"""Characters that steps before an answer may take."""

_WORKED_OUT = re.compile(
    r"(?:[*_]{0,3}(?:\d{1,2}[.)]|step \d{1,2}\b|draft\b[^:\n]{0,20}:)[^\n]{0,400}\n\s*){1,20}"
    r"[#>*_ -]{0,6}(?:so|thus|therefore|hence|final(?: (?:answer|version|text|sentence))?|answer|"
    r"result)[*_]{0,3}\s?[:：][*_]{0,3}\s*",
    re.IGNORECASE,
)
"""Steps or a draft, and a label before what came of them: "1. … 2. … So: "."""

_VERDICT_LINE = re.compile(
    r"(?:\n|(?<=[.!?])\s)[ \t]*[#>*_ -]{0,6}(?:so,? |therefore,? )?(?:(?:the|my) )?"
    r"(?:(?:final|correct|best) )?(?:answer|verdict|conclusion|response|choice)[*_]{0,3}"
    r"(?:\s?[:：]|\s(?:is|would be)\b[:：]?(?! not\b| that\b| un))\s?(?=[^\n]{1,60}\Z)",
    re.IGNORECASE,
)


def behind_steps(text: str) -> int:
    """Say where the answer stands behind numbered steps or a draft: "1. … 2. … So: "; else 0."""
    found = _WORKED_OUT.match(text[:_WORK])
    return found.end() if found else 0


def last_labelled(text: str) -> int:
    """Say where the answer stands if the last line or sentence gives it: "Answer: No"; else 0."""
    found = _VERDICT_LINE.search(text, max(0, len(text.rstrip()) - 120))
    return found.end() if found else 0
