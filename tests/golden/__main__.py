"""`python -m tests.golden [NAME …]`: compute findings anew and write them down."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

# As in the tests: how many threads add up moves the last digits of an embedding.
os.environ["OMP_NUM_THREADS"] = "1"

from slant.stats import rare_p

from .cases import METHODS, NAMES, findings_of
from .files import PUBLISHED, published
from .kept import write

rare_p.MOST = 0  # as in the tests, too


def main(wanted: list[str]) -> None:
    """Write the findings of these cases, or of all."""
    if missing := [name for name in wanted if name not in NAMES]:
        sys.exit(f"no such case: {', '.join(missing)}; there are {', '.join(NAMES)}")
    for name in wanted or NAMES:
        if name in PUBLISHED and published(name) is None:
            print(f"{name}: left as it is: SLANT_PUBLISHED_DATA does not hold it")
            continue
        for method in METHODS:
            with tempfile.TemporaryDirectory() as folder:
                findings = findings_of(name, method, Path(folder))
            write(name, method, findings)
            print(f"{name} ({method}): {len(findings)} findings")


if __name__ == "__main__":
    main(sys.argv[1:])
