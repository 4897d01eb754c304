"""Puts what a calibration came to into docs/calibration.md.

`slant calibrate --out FOLDER`, then `python docs/write_calibration_page.py FOLDER`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import slant

PAGE = Path(__file__).with_name("calibration.md")
_TABLES = {
    method: re.compile(rf"(<!-- {method} -->\n).*?(<!-- end of {method} -->)", re.DOTALL)
    for method in ("robust", "paper")
}


def main(folder: str) -> None:
    """Write the tables of a folder of runs."""
    text = PAGE.read_text(encoding="utf-8")
    for method, place in _TABLES.items():
        lines = slant.calibrate(runs=0, out=folder, method=method).lines()
        # What the worlds are stands above already.
        rows = [line for line in lines if line.startswith("|") or not line]
        tables = "\n".join(rows).strip() + "\n"
        text = place.sub(lambda found, own=tables: found[1] + own + found[2], text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
