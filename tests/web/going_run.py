"""A run that goes on while a test looks at it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from slant.engine.progress_file import NAME

MODEL = """
name = "slow <b>"
batch_size = 10
delay_ms = 100

[[generate]]
answers = [{ text = " bar <img src=x onerror=alert(1)>." }, { text = " shop and sat down." }]
"""
SUITE = """
name = "tiny"
title = "Two walked into a bar"
[[study]]
use = "completion"
samples = SAMPLES
[[study]]
use = "completion"
label = "again"
samples = 5
"""


@contextmanager
def auditing(folder: Path, samples: int = 60) -> Iterator[subprocess.Popen[str]]:
    """Audit a slow model in a process of its own, into `runs/going`."""
    (folder / "model.toml").write_text(MODEL)
    (folder / "suite.toml").write_text(SUITE.replace("SAMPLES", str(samples)))
    (folder / "runs").mkdir(exist_ok=True)
    out = folder / "runs" / "going"
    start = "from slant.cli import main; main()"
    arguments = ["audit", folder / "suite.toml", "--model", f"mock:{folder / 'model.toml'}"]
    command = [sys.executable, "-c", start, *map(str, arguments), "--out", str(out)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    ) as process:
        while process.poll() is None and not (out / NAME).exists():
            time.sleep(0.02)
        try:
            yield process
        finally:
            process.kill()
