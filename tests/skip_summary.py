"""The hook that sums up at the end of a test run what was skipped."""

from __future__ import annotations

import pytest

from skipped import skipped_lines


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were skipped, why, and what to install."""
    reports = terminalreporter.stats.get("skipped", [])
    for line in skipped_lines(report.longrepr[2] for report in reports):
        terminalreporter.write_line(line)
