"""Puts what a calibration came to into docs/calibration.md.

`slant calibrate --out FOLDER`, then `python docs/write_calibration_page.py FOLDER`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import slant

PAGE = Path(__file__).with_name("calibration.md")
_TABLES = re.compile(r"(<!-- tables -->\n).*?(<!-- end of tables -->)", re.DOTALL)


def main(folder: str) -> None:
    """Write the tables of a folder of runs."""
    lines = slant.calibrate(runs=0, out=folder).lines()
    # What the worlds are stands above already.
    rows = [line for line in lines if line.startswith("|") or not line]
    tables = "\n".join(rows).strip() + "\n"
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_TABLES.sub(lambda found: found[1] + tables + found[2], text), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
