"""How quickly the dashboard shows a run of a million answers, and what memory its server takes.

The run is made once and kept in the cache directory. `slant view` serves it in a process of its
own; pages are asked for over HTTP, one at a time, as a browser would. Most of what is asked for is
asked several times, and the slowest counts. The index of words is thrown away first, so that the
server's memory and the pages' times are also taken while it is made anew.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import platformdirs

from benchmarks.million import make
from slant.engine.run import Run
from slant.web import links

if TYPE_CHECKING:
    from collections.abc import Iterator

AT_MOST = {
    "first_page_ms": 300.0,
    "any_page_ms": 500.0,
    "transcripts_ms": 200.0,
    "server_mb": 500.0,
    "pages_not_shown": 0.0,
}
AT_LEAST: dict[str, float] = {}

_TIMES = 5
_STUDY, _GROUP = "completion-religion", "Muslims"
_SCORE = "violence.robust"


def run(directory: Path | None = None) -> dict[str, Any]:
    """Measure.

    Parameters
    ----------
    directory
        The run; made in the cache directory when not given.

    Returns
    -------
    dict
        Milliseconds: `first_page_ms` after the start, `any_page_ms` and `transcripts_ms` (the
        slowest request); for each kind of page median, slowest, and what processor time the server
        took for a request on average, which a busy machine changes less; the median of the
        transcripts while the index was made. Further `opened_seconds` until the transcripts were
        shown for the first time, `index_seconds` until they could be searched, `server_mb` (peak
        resident memory of the server), and `pages_not_shown`: how many kinds of pages were answered
        with an error, and which.
    """
    directory = directory or platformdirs.user_cache_path("slant") / "benchmarks/million/run"
    make(directory)
    for file in directory.glob("transcripts.sqlite*"):
        file.unlink()
    with _served(directory) as (server, client):
        first = _ask(client, "/")
        figures = _measured(client, directory, server.pid)
        peak = _peak_mb(server.pid)
    slowest = max(value for name, value in figures.items() if name.endswith("_worst_ms"))
    words = max(
        value for name, value in figures.items()
        if name.startswith("transcripts") and name.endswith("_worst_ms")
    )  # fmt: skip
    return {
        "first_page_ms": round(first, 1),
        "any_page_ms": slowest,
        "transcripts_ms": words,
        "server_mb": round(peak),
        **figures,
    }


@contextmanager
def _served(directory: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    start = "from slant.cli import main; main()"
    command = [sys.executable, "-c", start, "view", str(directory), "--no-open", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None  # noqa: S101 - for the type checker
        said = server.stderr.readline()
        found = re.search(r"http://\S+/", said)
        if found is None:
            raise RuntimeError(f"slant view did not start: {said}")
        with httpx.Client(base_url=found[0], timeout=60) as client:
            yield server, client
    finally:
        server.terminate()
        server.wait()


def _ask(client: httpx.Client, address: str) -> float:
    """Ask for a page; give the milliseconds until it was there."""
    started = time.perf_counter()
    client.get(address).raise_for_status()
    return 1000 * (time.perf_counter() - started)


def _measured(client: httpx.Client, directory: Path, server: int) -> dict[str, Any]:
    name = directory.name
    figures: dict[str, Any] = {}
    started = time.perf_counter()
    opened = [_ask(client, links.transcripts_page(name))]
    while not _progress(client, name)["open"]:
        opened.append(_ask(client, links.transcripts_page(name)))
        time.sleep(0.2)
    figures["opened_seconds"] = round(time.perf_counter() - started, 1)
    opened.append(_ask(client, links.transcripts_page(name)))
    figures["opened_worst_ms"] = round(max(opened), 1)
    indexing: list[float] = []
    while _progress(client, name)["indexed"] < 1:
        indexing.append(_ask(client, links.transcripts_page(name, page=1 + 997 * len(indexing))))
        time.sleep(0.2)
    figures["index_seconds"] = round(time.perf_counter() - started, 1)
    if indexing:
        figures["while_indexing_ms"] = round(statistics.median(indexing), 1)
    missing = []
    for kind, addresses in _kinds(Run(directory)).items():
        before = _processor_ms(server)
        try:
            taken = [_ask(client, address) for address in addresses for _ in range(_TIMES)]
        except httpx.HTTPStatusError:
            missing.append(kind)
            continue
        spent = (_processor_ms(server) - before) / len(taken)
        figures[f"{kind}_processor_ms"] = round(spent, 1)
        figures[f"{kind}_median_ms"] = round(statistics.median(taken), 1)
        figures[f"{kind}_worst_ms"] = round(max(taken), 1)
    figures["pages_not_shown"] = len(missing)
    if missing:
        figures["not_shown"] = ", ".join(missing)
    return figures


def _progress(client: httpx.Client, name: str) -> dict[str, Any]:
    known: dict[str, Any] = client.get(links.address("run", name, "transcripts", "progress")).json()
    if known["fault"]:
        raise RuntimeError(known["fault"])
    return known


def _kinds(run: Run) -> dict[str, list[str]]:
    """List addresses of every kind of page; the transcripts' in kinds of their own."""
    name = run.directory.name
    finding = next(each for each in run.finding_list() if each.group == _GROUP)
    sections = len(list(run.path("sections").iterdir()))
    templates, grid = sections // 2 - 2, sections // 2 - 1

    def table(**query: object) -> str:
        return links.transcripts_page(name, **query)

    return {
        "runs": ["/"],
        "overview": [links.run_page(name)],
        "study": [links.study_page(name, number) for number in range(sections)],
        "finding": [links.finding_page(name, finding)],
        "group": [links.group_page(name, finding.axis, _GROUP)],
        "pairs": [links.pairs_page(name, 0), links.pairs_page(name, templates)],
        "heatmap": [links.heat_map_page(name, grid)],
        "annotations": [links.annotations_page(name)],
        "answer": [
            links.answer_page(name, model, _STUDY, position)
            for model in ("mild", "harsh") for position in (0, 123_456)
        ],
        "answer_of_list": [
            links.answer_page(name, "harsh", _STUDY, 6, within="search=the&sort=condition")
        ],
        "transcripts": [table(), table(page=10_001), table(page=999_999), table(size=200)],
        "transcripts_filter": [
            table(group=_GROUP), table(model="harsh", study=_STUDY, outcome="refused"),
            table(measure=_SCORE, low=1), table(study="templates", group="Men", page=3),
        ],
        "transcripts_sort": [
            table(sort=column, descending=down)
            for column in ("group", "condition", "sample", f"score:{_SCORE}") for down in ("", "1")
        ],
        "transcripts_search": [
            table(search=words)
            for words in (
                "skateboarder", "bomb", "Muslims bomb", "the", "said that", '"in the"', "b*",
                '"nobody in the old hall"', "cafe", "zzz",
            )
        ],
        "transcripts_all_at_once": [
            table(search="the", group=_GROUP, measure=_SCORE, low=1, sort="condition", page=100),
            table(search="s*", model="mild", sort=f"score:{_SCORE}", descending="1", size=100),
        ],
        "play": [links.play_page()],
        # Last, for it goes on working after it has answered.
        "compare": [links.compare_page(name)],
    }  # fmt: skip


def _processor_ms(process: int) -> float:
    """Give the processor time that a process has taken, in milliseconds, as Linux counts it."""
    content = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    user, system = content.rsplit(")", 1)[1].split()[11:13]
    return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _peak_mb(process: int) -> float:
    """Give the peak resident memory of a process, as Linux counts it."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None  # noqa: S101 - Linux always says so
    return int(found[1]) / 1024


if __name__ == "__main__":
    for figure, value in run(Path(sys.argv[1]) if sys.argv[1:] else None).items():
        print(f"{figure:32} {value}")
