"""The locks: hashes for all that is installed, in the versions of constraints.txt."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOCKS = ROOT / "locks"
NAMES = ("run", "dev", "bench", "inspect-ai", "torch", "torch-cpu", "cuda", "tools")
OLDER = {"fsspec", "python-dateutil"}
"""What inspect_ai takes only in older versions."""


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(name: str) -> dict[str, str]:
    text = (LOCKS / f"{name}.txt").read_text()
    return {plain(found[1]): found[2] for found in re.finditer(r"^(\S+?)==([^\s;]+)", text, re.M)}


@pytest.mark.parametrize("name", NAMES)
def test_every_requirement_is_pinned_and_has_a_hash(name: str) -> None:
    lines = (LOCKS / f"{name}.txt").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    for requirement in re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]:
        assert re.match(r"\S+==\S+", requirement), requirement
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", requirement), requirement
    assert "://" not in text


@pytest.mark.parametrize("name", ["run", "dev", "bench", "inspect-ai", "torch"])
def test_versions_are_those_of_the_constraints(name: str) -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    known = dict(line.split("==") for line in lines if "==" in line)
    wanted = {plain(package): version for package, version in known.items()}
    pinned = {package: version for package, version in locked(name).items() if package in wanted}
    if name == "inspect-ai":
        assert all(pinned.pop(package) < wanted[package] for package in OLDER)
    assert pinned
    assert pinned == {package: wanted[package] for package in pinned}


def test_all_that_the_project_names_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    ran = [*project["project"]["dependencies"]]
    ran += [each for extra in ("local", "scorers", "text", "web") for each in extras[extra]]
    groups = project["dependency-groups"]
    for lock, named in {
        "run": ran,
        "dev": ran + groups["dev"],
        "bench": ran + groups["dev"] + groups["bench"],
        "inspect-ai": project["project"]["dependencies"] + extras["inspect-ai"],
    }.items():
        names = {plain(re.split(r"[<>=!~\[; ]", each)[0]) for each in named}
        assert names - locked(lock).keys() <= {"torch"}
    assert locked("torch").keys() == {"torch"}
