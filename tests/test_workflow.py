"""The workflow for GitHub Actions: actionlint accepts it, and its commands do what it says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / "examples/github/slant.yml"
LINTER = ROOT / ".venv/actionlint/node.cjs"
LINT = """
const [linter, file] = process.argv.slice(1);
const text = require("fs").readFileSync(file, "utf8");
require(linter).createLinter().then(lint => {
  console.log(JSON.stringify(lint(text, file)));
  process.exit();
});
"""


def linted(file: Path) -> list[dict[str, Any]]:
    if not LINTER.exists() or shutil.which("node") is None:
        pytest.skip("needs node, and actionlint in .venv/actionlint: make test puts it there")
    done = subprocess.run(["node", "-e", LINT, LINTER, file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    faults: list[dict[str, Any]] = json.loads(done.stdout)
    return faults


def test_actionlint_finds_no_fault_in_it(tmp_path: Path) -> None:
    assert linted(WORKFLOW) == []
    faulty = tmp_path / "faulty.yml"
    faulty.write_text(WORKFLOW.read_text().replace("secrets.SLANT", "secret.SLANT"))
    assert "undefined variable" in linted(faulty)[0]["message"]


def test_its_audit_fails_the_planted_model_and_leaves_what_it_says(tmp_path: Path) -> None:
    (job,) = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"].values()
    steps = {step["name"]: step for step in job["steps"] if "name" in step}
    start = f'#!/bin/sh\nexec {sys.executable} -m slant "$@"\n'
    (tmp_path / "slant").write_text(start)
    (tmp_path / "slant").chmod(0o755)
    environment = {
        **os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "MODEL": "mock:planted.toml",
        "GITHUB_STEP_SUMMARY": "step.md",
    }  # fmt: skip
    script = f"slant init\n{steps['Audit']['run']} --limit 300"
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], cwd=tmp_path, env=environment,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 100, done.stderr
    assert (tmp_path / "step.md").read_text(encoding="utf-8").startswith("### Failed by policy")
    for kept in steps["Keep the run"]["with"]["path"].split():
        assert (tmp_path / kept).exists()
