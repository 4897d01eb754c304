"""Run the benchmarks and say whether each keeps to its limits."""

from __future__ import annotations

import argparse
import json
import sys

from benchmarks import engine

BENCHMARKS = {"engine": (engine.run, engine.LIMITS)}


def main() -> int:
    """Run the benchmarks named, or all; 1 if a limit is broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="which; all if none")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    options = parser.parse_args()
    broken = 0
    results = {}
    for name in options.names or BENCHMARKS:
        run, limits = BENCHMARKS[name]
        results[name] = figures = run()
        for figure, value in figures.items():
            limit = limits.get(figure)
            broken += limit is not None and value > limit
            if not options.json:
                within = "" if limit is None else f"   (at most {limit:g})"
                print(f"{name:10} {figure:22} {value:12g}{within}")
    if options.json:
        print(json.dumps(results, indent=1))
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
