"""Starting is light: nothing heavy is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cpu_time import cpu_seconds

HEAVY = {
    "polars",
    "numpy",
    "scipy",
    "torch",
    "transformers",
    "openai",
    "altair",
    "sklearn",
    "pandas",
}
HELP = "import sys; sys.argv = ['slant', '--help']\ntry:\n import slant.cli; slant.cli.main()"
HELP += "\nexcept SystemExit:\n pass"


@pytest.mark.parametrize("code", ["import slant", HELP], ids=["import", "help"])
def test_nothing_heavy_is_imported(code: str) -> None:
    show = "\nimport sys; print('MODULES', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code + show], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    modules = done.stdout.partition("MODULES ")[2].split()
    assert "slant" in modules
    assert HEAVY.isdisjoint(modules)


def test_a_report_waits_for_nothing_that_it_may_not_need() -> None:
    code = "import slant.reports.write, sys; print('scipy.stats' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["False"], done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("code", "limit"), [("import slant", 0.3), (HELP, 0.4)])
def test_starting_takes_no_time(code: str, limit: float) -> None:
    def start() -> None:
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)

    assert cpu_seconds(start, tries=5) < limit
