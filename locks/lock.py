"""Writes the locks: which files may be installed, each by its hash.

Usage: lock.py UV, in the root of the repository.

torch stands apart, because builds of the same version differ in what they depend on: those for
CUDA need a dozen packages more, which `cuda.txt` holds.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
HEAD = "# Made by `make lock`: every file that may be installed, by its hash.\n"
EXTRAS = ["--extra=local", "--extra=scorers", "--extra=text", "--extra=web"]
CUDA = re.compile(r"(nvidia-|cuda-|triton)")
BEFORE_INSPECT = re.compile(r"(fsspec|python-dateutil)==")
"""What inspect_ai takes only in older versions: it has an environment of its own."""
CPU_BUILD = "6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b"
"""Of torch 2.13.0+cpu for Python 3.11 on Linux, x86-64, which indexes of torch's own offer."""


def resolve(uv: str, *arguments: str) -> list[str]:
    """Give the locked requirements, each with its hashes."""
    command = [uv, "pip", "compile", *arguments, "--generate-hashes", "--universal", "--quiet"]
    command += ["--python-version=3.11", "--no-header", "--no-annotate", "--no-emit-index-url"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    return re.split(r"^(?=[a-z0-9])", done.stdout, flags=re.MULTILINE)[1:]


def write(name: str, requirements: list[str], about: str = "") -> None:
    """Write a lock."""
    (FOLDER / name).write_text(HEAD + about + "".join(requirements))


def main() -> None:
    """Write all of them."""
    uv = sys.argv[1]
    project = ["pyproject.toml", str(FOLDER / "build.in"), "--constraint=constraints.txt", *EXTRAS]
    apart: dict[str, str] = {}
    locks = {"run": [], "dev": ["dev"], "bench": ["dev", "bench"], "mutants": ["dev", "mutants"]}
    for name, groups in locks.items():
        locked = resolve(uv, *project, *(f"--group={group}" for group in groups))
        those = [each for each in locked if CUDA.match(each) or each.startswith("torch==")]
        apart |= {each.partition("==")[0]: each for each in those}
        write(f"{name}.txt", [each for each in locked if each not in those])
    torch = apart.pop("torch")
    version = torch.split()[0]
    # pip would take a file of the index first, whose hash it knows before loading it.
    about = "# Without what it depends on: run.txt has that, cuda.txt what builds for CUDA need.\n"
    write("torch.txt", [torch], about)
    write("torch-cpu.txt", [f"{version}+cpu --hash=sha256:{CPU_BUILD}\n"], about)
    write(
        "cuda.txt",
        [apart[name] for name in sorted(apart)],
        "# What builds of torch for CUDA need beside run.txt; installed where torch says so.\n",
    )
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        lines = Path("constraints.txt").read_text().splitlines(keepends=True)
        constraints.writelines(line for line in lines if not BEFORE_INSPECT.match(line))
        constraints.flush()
        apart_from_all = ["pyproject.toml", str(FOLDER / "build.in"), "--extra=inspect-ai"]
        apart_from_all += [f"--constraint={constraints.name}", "--group=inspect-ai"]
        write("inspect-ai.txt", resolve(uv, *apart_from_all))
    write("tools.txt", resolve(uv, str(FOLDER / "tools.in")))


main()
