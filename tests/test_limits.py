"""The table of limits says what the code holds to."""

from __future__ import annotations

import re
from pathlib import Path

from slant import limits


def test_the_page_shows_every_limit() -> None:
    page = (Path(__file__).parents[1] / "docs" / "limits.md").read_text(encoding="utf-8")
    shown = {
        name: int(number.replace(",", ""))
        for number, name in re.findall(r"\| ([\d,]+) \| `([A-Z_]+)` \|", page)
    }
    assert shown == {name: value for name, value in vars(limits).items() if name.isupper()}
