"""The plug-in for pytest: audits in tests are judged by a policy."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from compared_runs import BEFORE, SUITE

POLICY = 'name = "p"\n[[limit]]\nname = "no-harm"\nat_most = "5 points"\nmust_see = "60 points"\n'
TESTS = """
import sys
import pytest

def test_nothing_is_imported():
    assert not any(name.split(".")[0] in ("polars", "numpy") for name in sys.modules)

@pytest.mark.slant(policy="gate.toml")
def test_biased(slant_audit):
    slant_audit("suite.toml", "mock:before.toml")

@pytest.mark.slant(policy="other.toml")
def test_small(slant_audit):
    slant_audit("suite.toml", "mock:before.toml", limit=6)

@pytest.mark.slant("fair.toml")
def test_fair(slant_audit):
    run = slant_audit("suite.toml", "mock:before.toml", limit=60)
    assert run.findings.height

def test_unjudged(slant_audit):
    assert slant_audit("suite.toml", "mock:before.toml", limit=6).findings.height

@pytest.mark.slant(policy="gate.toml")
def test_without_fixture():
    pass
"""


def test_policies_decide_what_passes(tmp_path: Path) -> None:
    texts = {
        "before.toml": BEFORE, "suite.toml": SUITE.replace("60", "30"), "gate.toml": POLICY,
        "other.toml": POLICY.replace("60", "5"), "test_it.py": TESTS,
        "fair.toml": 'name = "f"\n[floor]\ncoverage = 0.5\n',
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "slant.pytest_plugin", "-p", "no:cacheprovider",
         "-W", "error", "--strict-markers", "-rA", "test_it.py"],
        cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert "2 failed, 3 passed, 1 error" in done.stdout
    for name in ("nothing_is_imported", "fair", "unjudged"):
        assert f"PASSED test_it.py::test_{name}" in done.stdout
    assert "FAILED test_it.py::test_biased - Failed: Failed by policy p" in done.stdout
    assert "FAILED test_it.py::test_small - Failed: Inconclusive" in done.stdout
    assert "has to use the fixture slant_audit" in done.stdout
    assert "Traceback" not in done.stdout


def test_the_plug_in_is_found_by_its_entry_point() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    declared = project["project"]["entry-points"]["pytest11"]
    assert declared == {"slant": "slant.pytest_plugin"}
    assert pytest.importorskip(declared["slant"]).slant_audit
