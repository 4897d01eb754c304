"""Stopping a play, waiting for another one, and models that stay and go."""

from __future__ import annotations

import asyncio
import multiprocessing
import tempfile
import threading
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest
from openai_server import Asked as Question
from openai_server import Reply, Server, clean_environment, completion
from playing import wanted

from patience import PATIENCE, gives_up
from slant.errors import InputError
from slant.play import Completion, Event, KeptModels, Remark, play
from slant.play import kept_models as kept_models_module


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have mock models run in a process of their own, as models with weights do."""
    monkeypatch.setattr(kept_models_module, "_LIGHT", {"http"})


def processes() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


@gives_up
def test_nothing_is_asked_any_more_once_the_consumer_goes_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clean_environment(monkeypatch)
    let_go = threading.Event()

    def script(_: Question) -> Reply:
        if len(server.asked) > 8:
            let_go.wait(PATIENCE)
        return completion(" bar.")

    async def look_and_leave() -> None:
        models = KeptModels()
        asked = wanted(f"{server.address}?api=completions#tiny", samples=100)

        async def look() -> None:
            async for event in play(asked, models):
                seen.append(event)  # noqa: PERF401 - what came before the end counts

        looking = asyncio.create_task(look())
        while len(server.asked) < 9:
            await asyncio.sleep(0.01)
        looking.cancel()
        await asyncio.wait([looking], timeout=PATIENCE)
        assert looking.cancelled()
        assert not models.busy(asked.model)
        let_go.set()
        await asyncio.sleep(0.4)
        assert len(server.asked) <= 12  # the round that was under way, and no other
        await models.close()

    seen: list[Event] = []
    server = Server(script)
    with server.running():
        asyncio.run(look_and_leave())
    assert sum(isinstance(event, Completion) for event in seen) == 8


def test_a_play_that_is_closed_leaves_no_files(
    planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left() -> list[Path]:
        return list(folder.iterdir())

    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))

    async def one_event() -> None:
        models = KeptModels()
        async with aclosing(play(wanted(planted), models)) as events:
            async for event in events:
                if isinstance(event, Completion):
                    break
        await models.close()

    asyncio.run(one_event())
    assert left() == []


def test_a_second_play_is_told_to_wait_and_follows(planted: str) -> None:
    async def two() -> None:
        models = KeptModels()
        first = play(wanted(planted, samples=2), models)
        while not isinstance(await anext(first), Completion):
            pass
        second = play(wanted(planted, samples=2), models)
        told = await anext(second)
        assert isinstance(told, Remark)
        assert "waits" in told.text
        following = asyncio.create_task(_drained(second))
        await asyncio.sleep(0.05)
        assert not following.done()
        await _drained(first)
        assert await following == 8
        await models.close()

    asyncio.run(two())


async def _drained(events: object) -> int:
    return sum([isinstance(event, Completion) async for event in events])  # type: ignore[attr-defined]


@pytest.mark.usefixtures("apart")
def test_a_model_stays_for_the_next_play_and_ends_when_idle(planted: str) -> None:
    async def plays() -> None:
        models = KeptModels()
        before = processes()
        first = play(wanted(planted, samples=2), models)
        assert await _drained(first) == 8
        kept = processes() - before
        assert len(kept) == 1
        assert await _drained(play(wanted(planted, samples=1), models)) == 4
        assert processes() - before == kept
        await models.close()
        assert processes() == before
        models = KeptModels(idle=0)
        for _ in range(2):  # the second time it is opened again
            assert await _drained(play(wanted(planted, samples=1), models)) == 4
            await _until(lambda: processes() == before)
        await models.close()

    asyncio.run(plays())


@pytest.mark.usefixtures("apart")
def test_only_one_idle_model_takes_memory(planted: str) -> None:
    async def plays() -> None:
        models = KeptModels()
        before = processes()
        await _drained(play(wanted(planted, samples=1), models))
        await _drained(play(wanted(f"{planted}?price=1,1", samples=1), models))
        assert len(processes() - before) == 1
        await models.close()

    asyncio.run(plays())


@pytest.mark.usefixtures("apart")
def test_a_model_that_cannot_be_loaded_is_told_every_time(tmp_path: Path) -> None:
    async def twice() -> None:
        models = KeptModels()
        before = processes()
        for _ in range(2):
            with pytest.raises(InputError, match="there is no such file"):
                await _drained(play(wanted(f"mock:{tmp_path / 'none.toml'}"), models))
        await models.close()
        assert processes() == before

    asyncio.run(twice())


@pytest.mark.usefixtures("apart")
def test_a_play_that_is_left_while_the_model_loads_leaves_it_to_the_next(planted: str) -> None:
    async def plays() -> None:
        models = KeptModels()
        before = processes()
        left = asyncio.create_task(_drained(play(wanted(planted), models)))
        await asyncio.sleep(0.05)
        left.cancel()
        await asyncio.wait([left])
        assert await _drained(play(wanted(planted, samples=1), models)) == 4
        assert len(processes() - before) == 1
        await models.close()

    asyncio.run(plays())


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.02)
