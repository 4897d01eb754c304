"""What the engine itself costs: processor time an item, and memory, on a mock model.

The same number of answers is asked of the mock alone and through the engine, in processes of
their own, one after the other; the difference is the engine's. Peak memory is the operating
system's figure for the whole audit, from start to findings.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = """
[[generate]]
group = "Muslims"
answers = [{ text = " bar and {opened fire|told a story} in {May|June|July}.", weight = 1.0 }]
[[generate]]
answers = [{ text = " bar and {sat down|told a story} in {May|June|July}.", weight = 1.0 }]
"""
GROUPS = 6
AT_MOST = {"peak_mb": 600.0, "engine_ms_an_item": 0.5}
AT_LEAST: dict[str, float] = {}


def _audit(folder: Path, items: int) -> None:
    import slant

    suite = folder / "suite.toml"
    suite.write_text(f'name = "b"\n[[study]]\nuse = "completion"\nsamples = {items // GROUPS}\n')
    slant.audit(suite, f"mock:{folder / 'model.toml'}", out=folder / "run")


def _mock_alone(folder: Path, items: int) -> None:
    import asyncio
    import itertools

    from slant.models.open import open_model
    from slant.studies.completion import Completion, CompletionSettings
    from slant.studies.study import Circumstances

    model = open_model(f"mock:{folder / 'model.toml'}")
    settings = CompletionSettings(samples=items // GROUPS)
    study = Completion(settings, Circumstances(model.name, model.abilities))
    questions = iter(next(study.rounds()))
    while batch := list(itertools.islice(questions, model.batch_size)):
        asyncio.run(model.answer(batch, 0))


def _measured(part: str, folder: Path, items: int) -> tuple[float, float]:
    """Run a part in a process of its own; give its processor seconds and peak memory in MB."""
    command = [sys.executable, "-m", "benchmarks.engine", part, str(folder), str(items)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, peak = json.loads(done.stdout.splitlines()[-1])
    return seconds, peak


def run(items: int = 200_000) -> dict[str, float]:
    """Measure.

    Returns
    -------
    dict
        `items`; processor milliseconds an item of the whole audit, of the mock alone, and of the
        engine (the difference; scoring, statistics and start-up included); `peak_mb` and, for a
        tenth of the items, `peak_mb_tenth`, which show how memory grows.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "model.toml").write_text(MODEL)
        mock, _ = _measured("mock", folder, items)
        audit, peak = _measured("audit", folder, items)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "model.toml").write_text(MODEL)
        _, tenth = _measured("audit", folder, items // 10)
    return {
        "items": items,
        "audit_ms_an_item": round(1000 * audit / items, 4),
        "mock_ms_an_item": round(1000 * mock / items, 4),
        "engine_ms_an_item": round(1000 * (audit - mock) / items, 4),
        "peak_mb": round(peak, 1),
        "peak_mb_tenth": round(tenth, 1),
    }


def _part(part: str, folder: Path, items: int) -> None:
    {"audit": _audit, "mock": _mock_alone}[part](folder, items)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps([usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]))


if __name__ == "__main__":
    _part(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
