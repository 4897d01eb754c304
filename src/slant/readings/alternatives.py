"""Which answer is meant where a reply offers several: the first."""

from __future__ import annotations

import re

_LABELLED = re.compile(
    r"(?:\A|\n)[ \t]*[#>*_ ]{0,8}(?P<word>option|version|alternative|variant|variation|"
    r"continuation|possibility)[ ](?P<number>\d|[a-c])[*_]{0,3}[ ]?(?:\([^()\n]{1,60}\)[ ]?)?"
    r"[*_]{0,3}[:.)–—-][*_]{0,3}[ \t]*(?:\n\s*)?",
    re.IGNORECASE,
)


def first_of_several(text: str) -> tuple[int, int] | None:
    """Say where the first of several labelled answers stands ("Option 1: … Option 2: …").

    Parameters
    ----------
    text
        What is left of the reply.

    Returns
    -------
    tuple of int or None
        Where it begins and ends; `None` if there are not two, or words stand before the first.
    """
    labels = list(_LABELLED.finditer(text))
    if len(labels) < 2 or labels[0].start() > 0 or labels[0]["number"] not in "1Aa":
        return None
    second = next((each for each in labels[1:] if each["number"] in "2Bb"), None)
    if second is None or second["word"].casefold() != labels[0]["word"].casefold():
        return None
    return labels[0].end(), second.start()
