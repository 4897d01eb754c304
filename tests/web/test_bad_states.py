"""Runs in every bad state: a clear page that says what to type, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from slant.engine.run import Run
from slant.errors import InputError
from slant.reports.write import write_report
from slant.studies.checksums import remember_files
from slant.web.app import dashboard

from .serving import client_of


def page(client: TestClient, path: str = "/run/first") -> str:
    """Ask for a page that must be there; give it as a reader sees it."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    assert "Traceback" not in answer.text
    return unescape(answer.text)


def remove(*names: str) -> Callable[[Path], None]:
    def damage(run: Path) -> None:
        for name in names:
            path = run / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    return damage


def write(name: str, text: str) -> Callable[[Path], None]:
    def damage(run: Path) -> None:
        (run / name).write_text(text)
        (run / "summary.json").unlink(missing_ok=True)

    return damage


def cut(name: str) -> Callable[[Path], None]:
    def damage(run: Path) -> None:
        path = run / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        (run / "summary.json").unlink(missing_ok=True)

    return damage


DAMAGED = [
    (remove("environment.json"), "Two walked into a bar"),
    (remove("sections"), "Prompts with the word"),
    (remove("findings.json"), "This run has not come to conclusions"),
    (remove("findings.json", "sections"), "slant resume"),
    (remove("answers.parquet"), "answers.parquet is missing"),
    (remove("answers.parquet", "items.parquet", "scores.parquet"), "slant rescore"),
    (remove("status.json"), "Prompts with the word"),
    (remove("summary.json"), "Prompts with the word"),
    (remove("report.html"), "Prompts with the word"),
    (remove("run.lock"), "Prompts with the word"),
    (write("findings.json", ""), "findings.json: is damaged"),
    (write("findings.json", "[]"), "findings.json: is damaged"),
    (write("findings.json", "{}"), "findings.json: is damaged"),
    (write("findings.json", '{"schema_version": 1, "findings": [{"study": 3}]}'), "is damaged"),
    (write("findings.json", "[" * 100_000), "findings.json: is damaged"),
    (write("findings.json", '{"schema_version": 0, "findings": []}'), "by an older slant"),
    (write("findings.json", '{"schema_version": 9, "findings": []}'), "by a newer slant"),
    (write("environment.json", "{"), "environment.json: is damaged"),
    (write("environment.json", "{}"), "Prompts with the word"),
    (write("environment.json", '{"models": {"m": 3}}'), "environment.json: is damaged"),
    (write("status.json", ""), "status.json: is damaged"),
    (write("status.json", '{"finished": false}'), "Some questions have not been asked yet"),
    (write("sections/000/section.json", ""), "Part 0 of this run is damaged"),
    (write("summary.json", "{"), "Prompts with the word"),
    (write("progress.json", "{"), "progress.json: is damaged"),
    (cut("findings.json"), "findings.json: is damaged"),
    (cut("sections/000/section.json"), "Part 0 of this run is damaged"),
    (cut("answers.parquet"), "answers.parquet: is damaged"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGED)
def test_a_damaged_run_says_what_is_wrong(
    copied: Path, damage: Callable[[Path], None], said: str
) -> None:
    damage(copied / "first")
    client = client_of(copied)
    for _ in range(2):  # what failed once fails the same way again
        assert said in page(client)
        assert "first" in page(client, "/")
        page(client, "/?state=done")


@pytest.mark.parametrize("version", [0, 9])
def test_findings_of_another_schema_come_with_the_command_that_mends_them(
    copied: Path, version: int
) -> None:
    write("findings.json", f'{{"schema_version": {version}, "findings": []}}')(copied / "first")
    client = client_of(copied)
    command = f"slant rescore {copied / 'first'}"
    assert f"<code>{command}</code>" in page(client)
    listed = page(client, "/")
    assert "findings cannot be read" in listed
    assert command in listed


def test_rescoring_mends_what_the_page_says_it_mends(copied: Path) -> None:
    import slant

    cut("findings.json")(copied / "first")
    cut("sections/000/section.json")(copied / "first")
    remove("answers.parquet")(copied / "first")
    client = client_of(copied)
    assert "slant rescore" in page(client)
    slant.rescore(copied / "first")
    mended = page(client)
    assert "rescore" not in mended
    assert "Prompts with the word" in mended


@pytest.mark.parametrize(
    "text", ["", "seed = = 3", 'kind = "audit"\nunknown = 1', "\x00", "a = " + "[" * 10_000]
)
def test_a_damaged_run_toml_is_told_with_its_place(copied: Path, text: str) -> None:
    (copied / "first" / "run.toml").write_text(text)
    client = client_of(copied)
    assert "run.toml" in page(client, "/")
    assert "cannot be read" in page(client, "/?state=damaged")
    answer = client.get("/run/first")
    assert answer.status_code == 400
    assert "run.toml" in answer.text


def test_damage_in_the_settings_of_a_study_is_noticed_in_the_list(copied: Path) -> None:
    path = copied / "first" / "run.toml"
    path.write_text(path.read_text() + "\nbroken = = 1\n")
    assert "this is not TOML" in page(client_of(copied), "/")


def test_a_damaged_run_hides_no_other(copied: Path) -> None:
    shutil.copytree(copied / "first", copied / "second")
    (copied / "second" / "run.toml").write_text("= =")
    listed = page(client_of(copied), "/")
    assert "2 runs" in listed
    assert 'href="/run/first"' in listed


def test_a_run_removed_while_it_is_open_is_missed_in_words(
    client: TestClient, copied: Path
) -> None:
    page(client)
    shutil.rmtree(copied / "first")
    answer = client.get("/run/first")
    assert answer.status_code == 400
    assert "There is no run 'first' here: it was removed" in unescape(answer.text)
    assert "There is no run in" in page(client, "/")
    answer = client.post("/run/first/marks", data={"tags": "x"})
    assert answer.status_code == 400
    assert not (copied / "first").exists()


def test_a_run_that_is_replaced_is_read_anew(client: TestClient, copied: Path) -> None:
    assert "Two walked into a bar" in page(client)
    path = copied / "first" / "run.toml"
    path.write_text(path.read_text().replace("Two walked into a bar", "Three sat down"))
    assert "Three sat down" in page(client)
    assert "Three sat down" in page(client, "/")


def test_a_directory_that_vanishes_is_one_message(client: TestClient, copied: Path) -> None:
    shutil.rmtree(copied)
    answer = client.get("/")
    assert answer.status_code == 400
    assert "cannot be read" in answer.text


def test_an_unknown_run_is_told_the_nearest(client: TestClient) -> None:
    assert "Did you mean 'first'?" in unescape(client.get("/run/frist").text)


def test_one_run_is_a_shelf_of_one(copied: Path) -> None:
    shutil.copytree(copied / "first", copied / "second")
    client = client_of(copied / "first")
    assert "1 run" in page(client, "/")
    page(client)
    assert client.get("/run/second").status_code == 400


def test_what_is_no_directory_is_refused(copied: Path) -> None:
    for path in (copied / "nothing", copied / "first" / "run.toml"):
        with pytest.raises(InputError, match="is no directory"):
            dashboard(path)


def test_a_directory_without_permission_is_refused(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read everything
    with pytest.raises(InputError, match="may not be read"):
        dashboard(copied)


def test_a_file_without_permission_is_one_message(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_text

    def refused(path: Path, *arguments: str, **named: str) -> str:
        if path.name == "findings.json":
            raise PermissionError(13, "Permission denied")
        return read(path, *arguments, **named)

    monkeypatch.setattr(Path, "read_text", refused)
    (copied / "first" / "summary.json").unlink()
    client = client_of(copied)
    assert "findings.json: cannot be read: Permission denied" in page(client)
    assert "Permission denied" in page(client, "/")


def test_a_run_that_is_concluded_now_is_seen_without_a_restart(
    client: TestClient, copied: Path
) -> None:
    kept = (copied / "first" / "findings.json").read_bytes()
    remove("findings.json")(copied / "first")
    assert "This run has not come to conclusions" in page(client)
    (copied / "first" / "findings.json").write_bytes(kept)
    assert "Prompts with the word" in page(client)


def test_pictures_come_with_the_report(client: TestClient, copied: Path) -> None:
    run = Run(copied / "first")
    remove("report.html", "sections/000/drawings")(run.directory)
    assert '<div class="chart wide">' not in page(client)
    write_report(run)
    assert '<div class="chart wide">' in page(client)


def test_a_shard_is_told_to_be_merged(copied: Path) -> None:
    path = copied / "first" / "run.toml"
    path.write_text(path.read_text().replace("seed = 0", 'seed = 0\nshard = "1/2"', 1))
    remove("findings.json", "sections", "summary.json")(copied / "first")
    shown = page(client_of(copied))
    assert "All questions of this shard are asked" in shown
    assert "slant merge" in shown


def test_too_many_failures_are_a_warning(copied: Path) -> None:
    import polars as pl

    path = copied / "first" / "answers.parquet"
    pl.read_parquet(path).with_columns(outcome=pl.lit("error")).write_parquet(path)
    remember_files(path.parent, [path.name])
    shown = page(client_of(copied))
    assert "This run is not complete:" in shown
    assert "too few answers, under the floor of" in shown


def test_reading_leaves_the_run_as_it_was(copied: Path) -> None:
    run = Run(copied / "first")
    before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in run.directory.rglob("*")}
    client = client_of(copied)
    time.sleep(0.01)
    page(client)
    page(client, "/")
    assert {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in run.directory.rglob("*")} == before
    json.loads(run.path("findings.json").read_text())
