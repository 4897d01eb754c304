"""Run the benchmarks and say whether each keeps to its limits."""

from __future__ import annotations

import argparse
import json
import sys

from benchmarks import (
    busy_server,
    dashboard,
    engine,
    expansion,
    gate,
    grid,
    instruments,
    journal,
    likelihood,
    news,
    power,
    report,
    scale,
    sentences,
    topics,
)

BENCHMARKS = {
    "busy_server": busy_server,
    "dashboard": dashboard,
    "engine": engine,
    "expansion": expansion,
    "gate": gate,
    "likelihood": likelihood,
    "grid": grid,
    "instruments": instruments,
    "journal": journal,
    "news": news,
    "power": power,
    "report": report,
    "scale": scale,
    "sentences": sentences,
    "topics": topics,
}


def main() -> int:
    """Run the benchmarks named, or all; 1 if a limit is broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="which; all if none")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    options = parser.parse_args()
    broken = 0
    results = {}
    for name in options.names or BENCHMARKS:
        benchmark = BENCHMARKS[name]
        results[name] = figures = benchmark.run()
        for figure, value in figures.items():
            most, least = benchmark.AT_MOST.get(figure), benchmark.AT_LEAST.get(figure)
            broken += (most is not None and value > most) or (least is not None and value < least)
            if not options.json:
                limits = [f"at most {most:g}"] if most is not None else []
                limits += [f"at least {least:g}"] if least is not None else []
                shown = value if isinstance(value, str) else f"{value:g}"
                print(f"{name:10} {figure:24} {shown:>12}   {', '.join(limits)}".rstrip())
    if options.json:
        print(json.dumps(results, indent=1))
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
