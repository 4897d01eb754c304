"""Requests and runs of an attacker: a page, or words that say what is wrong, and never a defect."""

from __future__ import annotations

import json
import random
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from slant.comparison.side import sides_of
from slant.errors import InputError
from slant.studies.checksums import remember_conclusions

DIGITS = "9" * 5000


@pytest.mark.parametrize(
    "path",
    [
        f"/run/first/study/{DIGITS}",
        f"/run/first/study/{DIGITS}/picture/1-640.svg",
        f"/run/first/study/0/picture/{DIGITS}-640.svg",
        f"/run/first/pairs/{DIGITS}",
        f"/run/first/pairs/0?at={DIGITS}",
        f"/run/first/graph/{DIGITS}",
        f"/run/first/heatmap/{DIGITS}",
        f"/run/first/transcripts?page={DIGITS}",
        f"/run/first/annotations?page={DIGITS}",
        f"/run/first/answer?model=x&study=y&position={DIGITS}",
        f"/?page={DIGITS}",
        f"/compare?run={':' * 30_000}",
        f"/compare?run=first{':' * 30_000}",
        "/run/first/study/\u0663",
    ],
    ids=lambda path: path[:40],
)
def test_an_endless_number_or_name_is_no_defect(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (200, 400, 404)
    assert len(answer.text) < 200_000


def test_a_side_of_endless_colons_is_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Path] = []

    def look(path: Path) -> bool:
        looked.append(path)
        return False

    monkeypatch.setattr(Path, "exists", look)
    with pytest.raises(InputError, match="30,000 characters"):
        sides_of(":" * 30_000)
    assert looked == []


def test_the_report_is_shut_off_from_everything(client: TestClient) -> None:
    policy = client.get("/run/first/report.html").headers["Content-Security-Policy"]
    for part in (
        "sandbox allow-scripts allow-downloads;", "default-src 'none'", "connect-src 'none'",
        "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
    ):  # fmt: skip
        assert part in policy


@pytest.mark.parametrize("name", ["answers.parquet", "scores.parquet"])
@pytest.mark.parametrize("sealed", [True, False])
def test_a_damaged_table_is_told_with_the_command_that_mends_it(
    client: TestClient, copied: Path, name: str, sealed: bool
) -> None:
    run = copied / "first"
    if not sealed:  # as runs of an older slant
        (run / "checksums.json").unlink()
    path = run / name
    content = bytearray(path.read_bytes())
    # The end, which says what the table holds, stays: the damage is met in the middle.
    chance = random.Random(3)
    for place in chance.sample(range(8, len(content) // 2), 40):
        content[place] ^= 0xFF
    path.write_bytes(content)
    said = 0
    for page in ("", "/study/0", "/pairs/0", "/transcripts", "/annotations", "/group?axis=x"):
        answer = client.get(f"/run/first{page}")
        assert answer.status_code in (200, 400), page
        said += name in answer.text and f"slant rescore {run}" in unescape(answer.text)
    assert said
    assert client.get("/").status_code == 200


def test_groups_with_marks_of_direction_have_pages(client: TestClient, copied: Path) -> None:
    run, odd = copied / "first", "evil\u202egpj\u202c \u2066x\u2069 \ud800"
    for path in (run / "findings.json", *run.glob("sections/*/section.json")):
        content = json.loads(path.read_text())
        for finding in content["findings"]:
            finding["group"] = odd if finding["group"] == "Muslims" else finding["group"]
        path.write_text(json.dumps(content))
    remember_conclusions(run)
    (axis,) = {each["axis"] for each in content["findings"]}
    asked = {"axis": axis, "group": odd.replace("\ud800", "?")}
    shown = client.get("/run/first/group", params=asked)
    assert shown.status_code == 200, unescape(shown.text)[-900:]
    linked = [part.split('"')[0] for part in client.get("/run/first").text.split('href="')[1:]]
    mine = {unescape(link) for link in linked if "evil" in link}
    assert mine
    for link in mine:
        assert client.get(link).status_code == 200, link
