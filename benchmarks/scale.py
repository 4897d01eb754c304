"""What every study costs as it grows: clock and processor seconds, and memory, on mock models.

Every study is asked for about so many answers, hardly any of them alike, in a process of its own:
asking, scoring and analysing, from start to findings. `python -m benchmarks.scale --studies STUDY
--answers N …` measures what is named at any size; nothing is extrapolated. `--without-encoder`
leaves out the sentence encoder, which takes 13 ms a text and would hide all the rest.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.scale_suites import CASES, write

WITHOUT = "--without-encoder"
AT_MOST = {"peak_mb": 3_000.0}
AT_LEAST: dict[str, float] = {}


def run(sizes: tuple[int, ...] = (2_000, 8_000)) -> dict[str, Any]:
    """Measure all studies at small sizes.

    Returns
    -------
    dict
        For each study and size, answers, seconds and MB in words; and `peak_mb`, the largest.
    """
    rows = [measured(case, size) for case in CASES for size in sizes]
    figures: dict[str, Any] = {
        f"{row['case']} {row['answers']}": f"{row['seconds']:.0f} s {row['mb']:.0f} MB"
        for row in rows
    }
    return {**figures, "peak_mb": max(row["mb"] for row in rows)}


def measured(case: str, answers: int, *, encodes: bool = True) -> dict[str, Any]:
    """Ask one study for about so many answers in a process of its own.

    Parameters
    ----------
    case, answers
        Of `CASES`, and how many are wanted.
    encodes
        Whether texts are turned into vectors by the encoder, and not by its stand-in.

    Returns
    -------
    dict
        `case`; `answers` there are in the end; `seconds` by the clock, start-up included;
        `processor` seconds of the audit; `mb`, the most memory held at a time.
    """
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "benchmarks.scale", "--part", case, str(answers), scratch]
        command += [] if encodes else [WITHOUT]
        started = time.perf_counter()
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - started
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {"case": case, "seconds": seconds, **figures}


def _part(case: str, answers: int, folder: Path) -> None:
    import polars as pl

    import slant

    suite, model = write(case, answers, folder)
    before = _processor()
    slant.audit(suite, model, out=folder / "run")
    print(
        json.dumps(
            {
                "answers": pl.scan_parquet(folder / "run" / "answers.parquet")
                .select(pl.len())
                .collect()
                .item(),
                "processor": _processor() - before,
                "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            }
        )
    )


def _processor() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure the studies and sizes of the command line, a row each as soon as it is there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--part", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--studies", nargs="+", choices=[*CASES], default=[*CASES])
    parser.add_argument("--answers", nargs="+", type=int, default=[10_000, 40_000])
    parser.add_argument(WITHOUT, action="store_true", help="leave out the sentence encoder")
    options = parser.parse_args()
    if options.part:
        case, answers, folder = options.part
        if options.without_encoder:
            from benchmarks.hashed_vectors import stand_in

            stand_in()
        _part(case, int(answers), Path(folder))
        return
    for case in options.studies:
        for size in options.answers:
            row = measured(case, size, encodes=not options.without_encoder)
            print(
                f"| {case} | {row['answers']:,} | {row['seconds']:.0f} | {row['processor']:.0f} | "
                f"{row['mb']:,.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
