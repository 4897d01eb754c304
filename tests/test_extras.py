"""slant with its core alone and with one extra alone: what is missing is named, with its remedy.

Every environment is made anew from the locks, with slant's own wheel in it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = {name: own for name, own in PROJECT["optional-dependencies"].items() if name != "all"}
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
BUILDS = {"editables", "hatchling", "packaging", "pathspec", "pluggy", "trove-classifiers"}
NOT_TRIED = {
    "local": "torch alone is larger than all the rest",
    "inspect-ai": "it has an environment of its own: make test-inspect-ai",
}

WITHOUT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""What is tried is the wheel, not the source."""

BRINGS = {"pdf": ("pictures",)}  # reportlab needs pillow

PROBES = {
    "local": 'slant.audit(suite, "hf:" + str(folder / "model"), out=folder / "local")',
    "text": 'measure(levels=["document"], lemmas="words", topics=[2])',
    "scorers": 'measure(levels=["sentence"], scorers=["vader"])',
    "topics": 'measure(levels=["document"], lemmas="none", topic_engine="gensim", topics=[2])',
    "inspect": 'slant.measure("completion", folder / "inspect.eval", out=folder / "inspect")',
    "names": "from slant.groups.name_building.candidates import from_faker; from_faker()",
    "ray": 'slant.audit(suite, mock, executor="ray:127.0.0.1:9", out=folder / "ray")',
}
"""What only works with an extra."""

PROBE = """
import json, sys
from pathlib import Path
import slant
from slant.errors import InputError
folder = Path(sys.argv[1])
suite, mock = folder / "suite.toml", "mock:" + str(folder / "mock.toml")
def measure(**settings):
    out = folder / "-".join(settings)
    slant.measure("news", folder / "pairs.jsonl", settings=settings, out=out)
told = {}
for extra, probe in json.loads(sys.argv[2]).items():
    try:
        exec(probe)
        told[extra] = "there"
    except InputError as error:
        told[extra] = str(error)
print("TOLD" + json.dumps(told))
"""


def needed(requirements: Iterable[str]) -> set[str]:
    """Name the packages that some requirements bring, as they are installed here."""
    found: set[str] = set()
    left = [Requirement(text) for text in requirements]
    while left:
        one = left.pop()
        if canonicalize_name(one.name) in found:
            continue
        found.add(canonicalize_name(one.name))
        for text in distribution(one.name).requires or ():
            further = Requirement(text)
            extras = one.extras or {""}
            if further.marker is None or any(
                further.marker.evaluate({"extra": each}) for each in extras
            ):
                left.append(further)
    return found


def locked(packages: set[str]) -> str:
    """Give the lines of the lock for some packages."""
    blocks = re.split(r"^(?=\w)", (ROOT / "locks" / "dev.txt").read_text(), flags=re.MULTILINE)
    return "".join(each for each in blocks if each.partition("==")[0] in packages)


def install(folder: Path, packages: set[str], *wheels: Path) -> None:
    """Put packages of the lock, and wheels of our own, into an environment."""
    into = (*PIP, "--python", str(folder), "install", "--quiet", "--no-deps", "--no-compile")
    lock = folder / "lock.txt"
    lock.write_text(locked(packages))
    command = [*into, "--require-hashes", "--only-binary", ":all:", "--requirement", str(lock)]
    subprocess.run(command, check=True)
    if wheels:
        subprocess.run([*into, *map(str, wheels)], check=True)


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=WITHOUT)


def site(folder: Path) -> Path:
    return next(folder.glob("lib/python*/site-packages"))


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with what slant cannot do without."""
    folder = tmp_path_factory.mktemp("core")
    for name in ("builds", "env"):
        venv.create(folder / name)
    install(folder / "builds", BUILDS)
    command = [*PIP, "--python", str(folder / "builds"), "wheel", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    install(folder / "env", needed(PROJECT["dependencies"]), *folder.glob("slant-*.whl"))
    return folder / "env"


def told(environment: Path, scratch: Path) -> dict[str, str]:
    """Try what needs an extra, one after the other, and give what is said."""
    rows = [
        {"id": str(n), "title": "T", "reference": "She sang. He ran.", "generated": "He sang."}
        for n in range(8)
    ]
    (scratch / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    shutil.copy(ROOT / "tests" / "imports" / "inspect.eval", scratch)
    (scratch / "suite.toml").write_text(
        'name = "s"\n[[study]]\nuse = "completion"\naxis = "gender"\nprompts = ["A {group}"]\n'
    )
    (scratch / "mock.toml").write_text('name = "m"\n[[generate]]\nanswers = [{ text = "x" }]\n')
    (scratch / "model").mkdir()
    (scratch / "model" / "config.json").write_text('{"model_type": "gpt2"}')
    python = environment / "bin" / "python"
    done = run(python, "-I", "-c", PROBE, scratch, json.dumps(PROBES))
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout.partition("TOLD")[2])
    return found


def doctor(environment: Path) -> dict[str, bool]:
    """Say for every extra whether `slant doctor` finds it."""
    words = " ".join(run(environment / "bin" / "slant", "doctor").stdout.split())
    return {extra: f"pip install 'slant[{extra}]'" not in words for extra in EXTRAS}


def test_the_core_alone_says_of_every_extra_how_to_get_it(core: Path, tmp_path: Path) -> None:
    for extra, message in told(core, tmp_path).items():
        assert f"pip install 'slant[{extra}]'" in message
        assert "is not installed" in message
    assert doctor(core) == dict.fromkeys(EXTRAS, False)
    slant = core / "bin" / "slant"
    view = run(slant, "view", tmp_path, "--no-open")
    assert view.returncode == 2
    assert "pip install 'slant[web]'" in view.stderr
    (tmp_path / "answers.csv").write_text("group,text\nwomen,She ran away\nmen,He was kind\n")
    done = run(slant, "measure", "completion", tmp_path / "answers.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_alone_is_enough_for_what_it_is_for(
    core: Path, tmp_path: Path, extra: str
) -> None:
    if extra in NOT_TRIED:
        pytest.skip(NOT_TRIED[extra])
    packages = needed(EXTRAS[extra])
    if "torch" in packages:  # bertopic wants it, gensim does not
        packages = needed(each for each in EXTRAS[extra] if "torch" not in needed([each]))
    environment = tmp_path / "env"
    venv.create(environment)
    (site(environment) / "core.pth").write_text(f"{site(core)}\n")
    install(environment, packages - needed(PROJECT["dependencies"]))
    (environment / "bin" / "slant").write_text(
        f"#!{environment / 'bin' / 'python'}\nfrom slant.cli import main\nmain()\n"
    )
    (environment / "bin" / "slant").chmod(0o755)

    found = told(environment, tmp_path)
    if extra in PROBES:
        assert "pip install" not in found.pop(extra)
    for other, message in found.items():
        assert f"pip install 'slant[{other}]'" in message
    if extra == "web":
        done = run(environment / "bin" / "python", "-I", "-c", "import slant.web.serve")
        assert done.returncode == 0, done.stderr
    if extra != "topics":
        there = {each for each, is_there in doctor(environment).items() if is_there}
        assert there == {extra, *BRINGS.get(extra, ())}
