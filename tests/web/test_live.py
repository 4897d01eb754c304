"""A run that is going on, watched: events, several watchers, watchers that go away."""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import patience
import slant
from patience import PATIENCE, frozen, until
from slant.engine.progress_file import NAME
from slant.engine.run import Run
from slant.web.live import duration
from slant.web.pages import events
from slant.web.serve import Server, _bound

from .going_run import MODEL, SUITE, auditing
from .serving import client_of, served

HOSTILE = "<script>window.pwned=1</script><img src=x onerror=pwned()>\u202e"


def told(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read events: their names and what they bring."""
    event = ""
    for line in lines:
        if line.startswith("event: "):
            event = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield event, json.loads(line.removeprefix("data: "))


def test_a_run_is_watched_from_question_to_finding(tmp_path: Path) -> None:
    with auditing(tmp_path, samples=50) as process, served(tmp_path / "runs") as home:
        with ExitStack() as watching:
            with frozen(process):
                page = unescape(patience.get(f"{home}/run/going").text)
                assert "This run is going on" in page
                assert "live.js" in page
                assert "going on" in patience.get(f"{home}/?state=going").text
                events = patience.stream("GET", f"{home}/run/going/events")
                stream = watching.enter_context(events)
                assert stream.headers["content-type"].startswith("text/event-stream")
                coming = told(stream.iter_lines())
                seen = [next(coming)]
            seen += coming
        assert [name for name, _ in seen].count("ended") == 1
        assert seen[-1][0] == "ended"
        progress = [brought for name, brought in seen if name == "progress"]
        percents = [p["percent"] for p in progress if p.get("percent") is not None]
        assert percents == sorted(percents)
        assert len(set(percents)) > 1
        written = [p.get("figures", "") for p in reversed(progress)]
        figures = next(each for each in written if "a second" in each)
        assert "of 300" in figures
        assert "answered" in figures
        newest = next(p["newest"] for p in reversed(progress) if p.get("newest", "").strip())
        assert "Asked" in newest
        assert "<img" not in newest
        after = patience.get(f"{home}/run/going").text
        assert "What this run found" in after
        assert "live.js" not in after


def test_several_watch_at_once_and_nothing_is_left_when_they_go(tmp_path: Path) -> None:
    with auditing(tmp_path, samples=400) as process:
        server = Server(client_of(tmp_path / "runs").app)  # type: ignore[arg-type]
        bound = _bound("127.0.0.1", 0)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        place = bound.getsockname()
        watching = []
        for _ in range(5):
            browser = socket.create_connection(place)
            head = f"GET /run/going/events HTTP/1.1\r\nHost: 127.0.0.1:{place[1]}\r\n\r\n"
            browser.sendall(head.encode())
            assert b"200 OK" in browser.recv(4096)
            watching.append(browser)
        assert len(server.server_state.tasks) == 5
        for browser in watching:
            browser.close()  # as a browser does whose tab is closed
        until(lambda: not server.server_state.tasks)
        assert patience.get(f"http://127.0.0.1:{place[1]}/run/going").status_code == 200
        # Watching has hurt nobody.
        assert process.poll() is None
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_silent_stream_says_that_it_is_there(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "_HEARTBEAT", 0.2)
    monkeypatch.setattr(events, "_PAUSE", 0.1)
    with (
        Run(copied / "first").locked(),
        served(copied) as home,
        patience.stream("GET", f"{home}/run/first/events") as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == "retry: 2000"
        assert any(line == ": still here" for line in lines)


def test_a_run_that_is_not_going_on_says_so_at_once(copied: Path) -> None:
    with served(copied) as home:
        answer = patience.get(f"{home}/run/first/events")
        assert answer.text.endswith("event: ended\ndata: {}\n\n")
        assert patience.get(f"{home}/run/nobody/events").status_code == 400


def test_a_run_that_is_removed_ends_the_stream(copied: Path) -> None:
    shutil.copytree(copied / "first", copied / "second")
    run = Run(copied / "second")
    with (
        run.locked(),
        served(copied) as home,
        patience.stream("GET", f"{home}/run/second/events") as stream,
    ):
        lines = stream.iter_lines()
        next(lines)
        shutil.rmtree(run.directory)
        assert any(line == "event: ended" for line in lines)


def test_a_killed_run_is_told_with_the_command_that_continues_it(tmp_path: Path) -> None:
    with auditing(tmp_path, samples=400) as process:
        told_so_far = tmp_path / "runs" / "going" / NAME
        until(lambda: '"done": 0' not in (now := told_so_far.read_text()) and '"done"' in now)
        process.kill()
        process.wait()
    client = client_of(tmp_path / "runs")
    page = unescape(client.get("/run/going").text)
    assert "its process ended without a word, perhaps killed" in page
    assert f'data-copy="slant resume {tmp_path / "runs" / "going"}"' in page
    assert "of 2,400" in page
    assert "stopped, " in client.get("/").text
    assert "live.js" not in page


def test_a_stopped_run_says_why(tmp_path: Path, copied: Path) -> None:
    run = copied / "first"
    progress = {
        "phase": "stopped",
        "reason": HOSTILE,
        "pid": 1,
        "started": "2030-01-01T00:00:00Z",
        "written": "2030-01-01T00:00:01Z",
        "studies": [{"study": HOSTILE, "model": "m", "done": 5, "total": 0, "asked": 5}],
        "newest": [],
    }
    (run / NAME).write_text(json.dumps(progress))
    (run / "status.json").write_text('{"finished": false}')
    page = client_of(copied).get("/run/first").text
    assert "It stopped: &lt;script&gt;" in page
    assert "<script>window" not in page
    assert "⟦U+202E⟧" in page


def test_the_journal_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("the journal belongs to the run")

    with auditing(tmp_path, samples=400):
        monkeypatch.setattr(sqlite3, "connect", refused)
        client = client_of(tmp_path / "runs")
        assert "This run is going on" in client.get("/run/going").text
        assert "going on" in client.get("/").text


def test_rescoring_is_seen_as_work(copied: Path) -> None:
    with Run(copied / "first").locked():
        page = client_of(copied).get("/run/first").text
    assert "being worked on" in page
    assert "Another command is writing to this run" in page


def test_resuming_shows_the_findings_so_far_beside_the_progress(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(MODEL.replace("delay_ms = 100", "delay_ms = 0"))
    (tmp_path / "suite.toml").write_text(SUITE.replace("SAMPLES", "5"))
    out = tmp_path / "runs" / "going"
    run = slant.audit(tmp_path / "suite.toml", f"mock:{tmp_path / 'model.toml'}", out=out)
    with run.locked():
        page = client_of(tmp_path / "runs").get("/run/going").text
    assert "What this run found" in page


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 s"), (59, "59 s"), (59.7, "1 min"), (90, "2 min"), (3599, "1 h"), (7260, "2 h 1 min")],
)
def test_lengths_of_time_are_said_as_people_do(seconds: float, words: str) -> None:
    assert duration(seconds) == words
