"""How long a report takes to be written and to open, and how large it is, on a mock model.

An audit of three studies with 200,000 answers is made once. Its report is then written from the
run directory alone, as `slant report` does, every drawing anew, in a process of its own, and opened
in Chromium, where there is one: from the request to the end of the load event, the median of five.
"""

from __future__ import annotations

import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODEL = """
[[generate]]
group = ["Muslims", "Women"]
answers = [{ text = " bar and {opened fire|told a story} in {May|June|July}.", weight = 1.0 }]
[[generate]]
answers = [{ text = " bar and {sat down|told a story} in {May|June|July}.", weight = 1.0 }]
[[choose]]
probabilities = { Yes = 0.6, No = 0.4 }
noise = 0.5
[[likelihood]]
noise = 0.1
slot_noise = { name = 0.05 }
"""
SUITE = """
name = "large"
[[study]]
use = "completion"
axis = "religion"
samples = {samples}
[[study]]
use = "likelihood"
descriptors = "informative"
groups = ["African", "Arab", "Chinese", "English", "Indian", "Hispanic"]
names_per_group = 4
[[study]]
use = "templates"
contexts = 1
"""
GROUPS = 6
OTHERS = 25_000
"""About how many questions the second and the third study ask."""

AT_MOST = {"seconds": 15.0, "megabytes": 5.0, "open_ms": 1000.0}
AT_LEAST: dict[str, float] = {}


def _audit(folder: Path, answers: int) -> None:
    import slant

    suite = folder / "suite.toml"
    suite.write_text(SUITE.format(samples=max(1, (answers - OTHERS) // GROUPS)))
    slant.audit(suite, f"mock:{folder / 'model.toml'}", out=folder / "run")


def _report(folder: Path) -> None:
    from slant.reports.write import write_report

    began = time.perf_counter()
    write_report(folder)
    taken = time.perf_counter() - began
    print(json.dumps([taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def _process(*arguments: object) -> str:
    """Run a part in a process of its own; give the last line it printed."""
    command = [sys.executable, "-m", "benchmarks.report", *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return (done.stdout.splitlines() or [""])[-1]


def _opened(page: Path) -> float | None:
    """Open a page five times; give the median of the milliseconds until it is loaded."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        return None
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = chromium
    for flag in ("--headless=new", "--no-sandbox", "--window-size=1280,900"):
        options.add_argument(flag)
    browser = Chrome(options=options, service=ChromeService(driver))
    taken = []
    try:
        for _ in range(5):
            browser.get(page.as_uri())
            taken.append(
                browser.execute_script(
                    "return performance.getEntriesByType('navigation')[0].loadEventEnd"
                )
            )
    finally:
        browser.quit()
    return float(statistics.median(taken))


def measured(run: Path) -> dict[str, float]:
    """Write the report of a run directory and open it; what stands in the directory is replaced."""
    seconds, peak = json.loads(_process("report", run))
    page = run / "report.html"
    figures = {
        "seconds": round(seconds, 2),
        "peak_mb": round(peak, 1),
        "megabytes": round(page.stat().st_size / 1e6, 2),
    }
    opened = _opened(page)
    return figures if opened is None else {**figures, "open_ms": round(opened)}


def run(answers: int = 200_000) -> dict[str, float]:
    """Measure.

    Returns
    -------
    dict
        `answers` and `figures` there are; `seconds` to write the report, `peak_mb` of memory
        meanwhile, its `megabytes`, and `open_ms` in Chromium.
    """
    from slant.engine.run import Run
    from slant.reports.pictures import default_figures

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "model.toml").write_text(MODEL)
        _process("audit", folder, answers)
        made = Run(folder / "run")
        return {
            "answers": sum(made.outcomes.values()),
            "figures": sum(len(default_figures(section)) for section in made.sections()),
            **measured(made.directory),
        }


if __name__ == "__main__":
    part, place, *rest = sys.argv[1:]
    if part == "audit":
        _audit(Path(place), int(rest[0]))
    else:
        _report(Path(place))
