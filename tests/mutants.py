"""Mutation testing: how many faults that mutmut plants in statistics do the tests notice?

There are more than eleven thousand; a sample drawn by a seed says how many are noticed, with an
interval, in minutes rather than a night: `make mutants`, or `make mutants SAMPLE=all`.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from slant.stats import wilson

SEED = 16
FLOOR = 0.9
"""Share of the mutants that must be killed."""

_SMALL = "slant.stats.multiple.*"
"""mutmut writes all mutants before it runs any; these few are run so that it does."""

_KILLED = {1, 3, 24, -24, 36, 152}
"""How a test run ends that noticed a mutant: a test failed, or went on and on. What mutmut calls a
timeout as well, 255, is a test run that could not begin."""


def _results() -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for file in sorted(Path("mutants").rglob("*.meta")):
        found |= json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def _run(*names: str) -> None:
    subprocess.run([str(Path(sys.executable).with_name("mutmut")), "run", *names], check=True)


def main(sample: str) -> int:
    """Run a sample, say how many were killed and which were not; 1 if these are too many."""
    _run(_SMALL)
    names = sorted(_results())
    if sample == "all":
        drawn = names
        _run()
    else:
        drawn = random.Random(SEED).sample(names, int(sample))
        _run(*drawn)
    results = _results()
    killed = Counter(results[name] in _KILLED for name in drawn)[True]
    for name in sorted(drawn):
        if results[name] not in _KILLED:
            print(f"survived: {name}")
    low, high = (float(limit) for limit in wilson(killed, len(drawn)))
    share = killed / len(drawn)
    print(f"killed {killed} of {len(drawn)} mutants, drawn from {len(names)}: {share:.1%}, "
          f"95% interval {low:.1%} to {high:.1%}")  # fmt: skip
    return int(share < FLOOR)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
