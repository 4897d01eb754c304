"""The house: each floor imports only from the floors below it, and from its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import slant

SOURCE = Path(slant.__file__).parent
FLOORS = [
    {
        "by_chance",
        "errors",
        "expectation",
        "finding",
        "records",
        "version",
        "registry",
        "toml_file",
        "table_file",
        "findings_frame",
        "finding_file",
        "finding_migration",
        "signature",
        "wheel_file",
        "enclosed",
        "limits",
        "parquet_size",
        "regular_file",
        "strict",
        "whole_file",
        "linear_pattern",
    },
    {"embeddings", "imports"},
    {"groups", "stats", "data", "corpora"},
    {"knowledge_graph"},
    {"measures", "readings", "templates", "topics"},
    {"likelihoods", "meanings"},
    {"models"},
    {"studies", "reproduce"},
    {"engine"},
    {"annotations", "exports", "play", "transcripts"},
    {"reports"},
    {"comparison"},
    {"gating"},
    {"calibration"},
    {"planning"},
    {"web"},
    {"cli", "api"},
    {"__main__", "pytest_plugin"},
]
HEIGHT = {name: height for height, names in enumerate(FLOORS) for name in names}
FILES = sorted(SOURCE.rglob("*.py"))


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Give the modules that a file imports anywhere, with their lines."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: relative import"
            if node.module == "slant":
                yield from ((node.lineno, f"slant.{each.name}") for each in node.names)
            else:
                yield node.lineno, node.module or ""


def floor(module: str) -> str:
    return module.split(".")[1]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_imports_go_down(file: Path) -> None:
    place = file.relative_to(SOURCE)
    own = place.parts[0].removesuffix(".py")
    if own == "__init__":  # the public face shows what is on any floor
        return
    for line, module in imported(file):
        if module == "slant":
            assert own == "cli", f"{place}:{line} imports the whole house"
        elif module.startswith("slant."):
            assert HEIGHT[floor(module)] <= HEIGHT[own], f"{place}:{line} imports {module}"
            same_height = HEIGHT[floor(module)] == HEIGHT[own]
            may_share = HEIGHT[own] == 0 or floor(module) == own
            assert not same_height or may_share, f"{place}:{line} imports its neighbour {module}"


def test_no_module_needs_itself() -> None:
    needed = {name(file): set(run_time(file)) for file in FILES}
    TopologicalSorter(
        {
            own: {each for each in modules if each in needed} - {own}
            for own, modules in needed.items()
        }
    ).prepare()  # raises where modules import one another in a circle


def name(file: Path) -> str:
    return ".".join(("slant", *file.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
        ".__init__"
    )


def run_time(file: Path) -> Iterator[str]:
    """Give what a file imports when it runs: modules, and what may be one inside a package."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for_types = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for each in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            inner = [f"{node.module}.{each.name}" for each in node.names]
            whole = all(
                (SOURCE.parent / each.replace(".", "/")).is_dir()
                or (SOURCE.parent / f"{each.replace('.', '/')}.py").is_file()
                for each in inner
            )
            yield from inner if whole else [node.module or ""]


def test_every_part_has_a_floor() -> None:
    parts = {file.relative_to(SOURCE).parts[0].removesuffix(".py") for file in FILES}
    assert parts - {"__init__"} <= HEIGHT.keys()


def test_pure_statistics_know_nothing_of_the_rest() -> None:
    for file in SOURCE.glob("stats/*.py"):
        for _, module in imported(file):
            own = module.startswith(("slant.stats", "slant.by_chance"))
            assert own or not module.startswith("slant.")
