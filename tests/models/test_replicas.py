"""Copies of a model in processes and on Ray: the same answers, also when workers die."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tiny_models import one

import slant
from patience import until
from slant.errors import InputError, SlantError
from slant.models.model import Model
from slant.models.replicas import replicate
from slant.models.replicas.executor import parse_executor

SLOW = """
name = "slow"
batch_size = 10
delay_ms = 250

[[generate]]
answers = [
  { text = " bar and {opened fire|planted a bomb}.", weight = 0.66 },
  { text = " {bar|shop|library} and {sat down|ordered tea}.", weight = 0.34 },
]
"""

SUITE = """
name = "tiny"
[[study]]
use = "completion"
samples = 6
max_tokens = 6
continuations = "violence"
"""


def answers(model: Model, count: int = 60, during: Callable[[], object] | None = None) -> list[str]:
    """Ask a model in batches, as many at once as it takes; do something once they are asked."""

    async def ask() -> list[str]:
        model.fingerprint()
        items = [one("Two people walked into a", sample=i) for i in range(count)]
        batches = [items[i : i + 10] for i in range(0, count, 10)]
        aside = threading.Thread(target=during) if during else None
        if aside:
            aside.start()
        try:
            got = await asyncio.gather(*(model.answer(batch, 7) for batch in batches))
        finally:
            await model.close()
            if aside:
                aside.join()
        return [answer.text or "" for batch in got for answer in batch]

    return asyncio.run(ask())


@pytest.fixture
def slow(tmp_path: Path) -> str:
    """Spell a model that takes a quarter of a second a batch."""
    (tmp_path / "slow.toml").write_text(SLOW)
    return f"mock:{tmp_path / 'slow.toml'}"


def one_model(spelling: str, executor: str) -> Model:
    (model,) = replicate([spelling], executor).values()
    return model


def kill_one_child() -> None:
    while not (children := multiprocessing.active_children()):
        time.sleep(0.02)
    time.sleep(0.4)
    assert children[0].pid is not None
    os.kill(children[0].pid, signal.SIGKILL)


def test_a_pool_answers_as_one_model_does(slow: str) -> None:
    assert answers(one_model(slow, "pool:2")) == answers(one_model(slow, "local"))


def test_batches_of_a_worker_that_was_killed_are_asked_again(slow: str) -> None:
    there = answers(one_model(slow, "pool:2"), during=kill_one_child)
    assert there == answers(one_model(slow, "local"))


@pytest.mark.slow
def test_a_pool_that_always_dies_says_so(slow: str) -> None:
    over = threading.Event()

    def kill_all() -> None:
        while not over.wait(0.05):
            for child in multiprocessing.active_children():
                child.kill()

    killer = threading.Thread(target=kill_all)
    with pytest.raises(SlantError, match=r"died 4 times over the same 10 questions"):
        answers(one_model(slow, "pool:2"), during=killer.start)
    over.set()
    killer.join()


def test_no_worker_outlives_a_process_that_was_killed(slow: str) -> None:
    script = (
        "import asyncio, multiprocessing, time\n"
        "from slant.models.replicas import replicate\n"
        "if __name__ == '__main__':\n"
        f"    (model,) = replicate([{slow!r}], 'pool:1').values()\n"
        "    model.fingerprint()\n"
        "    print(multiprocessing.active_children()[0].pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent, parent.stdout:
        worker = int(parent.stdout.readline())
        parent.kill()
    until(lambda: not Path(f"/proc/{worker}").exists())


def test_workers_that_hold_another_model_are_refused(slow: str, tmp_path: Path) -> None:
    model = one_model(slow, "pool:1")
    model.fingerprint()
    (tmp_path / "slow.toml").write_text(SLOW.replace("bomb", "mine"))

    with pytest.raises(SlantError, match=r"do not hold the same model"):
        answers(model, during=kill_one_child)


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        ("pools", "did you mean 'pool'"),
        ("pool:0", "'0' is not a number of workers"),
        ("pool:", "'' is not a number of workers"),
        ("ray:somewhere", "is not the address of a Ray cluster: write HOST:PORT"),
        ("ray:127.0.0.1:9", "no Ray cluster answers there"),
    ],
)
def test_a_wrong_executor_is_refused(slow: str, executor: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        replicate([slow], executor)


def test_executors_are_read() -> None:
    assert parse_executor("pool:12").workers == 12
    assert parse_executor("ray:head.example:6379").address == "head.example:6379"


@pytest.fixture(scope="module")
def local_findings(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """Run a small suite on a tiny Llama here; give the suite and findings.json."""
    folder = tmp_path_factory.mktemp("local")
    (folder / "suite.toml").write_text(SUITE)
    return folder / "suite.toml", findings(folder / "suite.toml", tiny, folder / "run", "local")


def findings(suite: Path, tiny: Path, out: Path, executor: str) -> bytes:
    model = f"hf:{tiny / 'plain'}?device=cpu"
    run = slant.audit(suite, models=[model], seed=3, out=out, executor=executor)
    return (run.directory / "findings.json").read_bytes()


def test_findings_of_a_pool_are_those_of_one_process(
    local_findings: tuple[Path, bytes], tiny: Path, tmp_path: Path
) -> None:
    suite, expected = local_findings

    assert findings(suite, tiny, tmp_path / "pool", "pool:2") == expected


@pytest.fixture
def ray_left_clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """See that a cluster of our own is gone afterwards, with its files."""
    monkeypatch.setenv(OURS, str(os.getpid()))
    yield
    until(lambda: not ray_processes())


OURS = "SLANT_TEST_CLUSTER"


def ray_processes() -> list[tuple[int, str]]:
    """List the processes of this test's cluster, each with its command line."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes().decode(errors="replace").strip("\0")
            inherited = each.with_name("environ").read_bytes().split(b"\0")
        except OSError:  # it has just ended, or is another user's
            continue
        if f"{OURS}={os.getpid()}".encode() not in inherited:
            continue
        if words.startswith("ray::") or "/ray/core/src/ray/" in words:
            found.append((int(each.parent.name), words))
    return found


@pytest.mark.slow
@pytest.mark.xdist_group("ray")
@pytest.mark.usefixtures("ray_left_clean")
def test_findings_of_ray_are_those_of_one_process(
    local_findings: tuple[Path, bytes], tiny: Path, tmp_path: Path
) -> None:
    suite, expected = local_findings

    assert findings(suite, tiny, tmp_path / "ray", "ray") == expected


@pytest.mark.slow
@pytest.mark.xdist_group("ray")
@pytest.mark.usefixtures("ray_left_clean")
def test_batches_of_an_actor_that_was_killed_are_asked_again(slow: str) -> None:
    killed: list[int] = []

    def kill_actor() -> None:
        def copies() -> list[int]:
            return [pid for pid, words in ray_processes() if "ModelCopy" in words]

        until(copies)
        killed.append(copies()[0])
        os.kill(killed[0], signal.SIGKILL)

    there = answers(one_model(slow, "ray"), during=kill_actor)

    assert killed
    assert there == answers(one_model(slow, "local"))


def test_without_ray_its_extra_is_named(slow: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

    with pytest.raises(InputError, match=r"slant\[ray\]"):
        replicate([slow], "ray")
