"""The list of runs: what it shows, finds and leaves out; tags and notes."""

from __future__ import annotations

import json
import os
import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import patience
from cpu_time import cpu_seconds

from .serving import client_of, served

HOSTILE = "<script>pwned()</script>\"'><img src=x onerror=pwned()>{{ 7*7 }}\u202e\u0000 &amp;"


def titles(text: str) -> list[str]:
    found = re.findall(r"<h2 dir=\"auto\">(?:<a [^>]*>)?<bdi>(.*?)</bdi>", text)
    return [unescape(title) for title in found]


@pytest.fixture
def several(copied: Path) -> Path:
    """Make four runs of different days, models and studies of the one there is."""
    text = (copied / "first" / "run.toml").read_text()
    for day, (name, title, model) in enumerate(
        [("apple", "Apples", "m1"), ("pear", "Pears", "m2"), ("plum", "plums", "m2")], start=1
    ):
        shutil.copytree(copied / "first", copied / name)
        own = re.sub(r"created = .*", f"created = 2030-01-0{day}T10:00:00Z", text)
        own = re.sub(r'name = ".*"', f'name = "suite-{name}"', own, count=1)
        own = re.sub(r'title = ".*"', f'title = "{title}"', own, count=1)
        own = re.sub(r'"mock:[^"]*"', f'"{model}"', own)
        (copied / name / "run.toml").write_text(own)
    (copied / "pear" / "marks.json").write_text('{"tags": ["card", "old"], "note": "Look here"}')
    return copied


def test_a_run_is_shown_with_what_came_of_it(client: TestClient) -> None:
    text = client.get("/").text
    assert titles(text) == ["Two walked into a bar"]
    assert 'href="/run/first"' in text
    assert re.search(r"<dd>120</dd><dt>questions", text)
    assert re.search(r"<dd>\d+</dd><dt>findings", text)
    assert re.search(r"<dd>1</dd><dt>sure difference<", text)
    assert "completion" in text


def test_without_a_run_the_page_says_what_to_do(tmp_path: Path) -> None:
    text = client_of(tmp_path).get("/").text
    assert f"There is no run in <bdi>{tmp_path.name}</bdi> yet" in text
    assert 'data-copy="slant audit"' in text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["plums", "Pears", "Apples", "Two walked into a bar"]),
        ("?sort=oldest", ["Two walked into a bar", "Apples", "Pears", "plums"]),
        ("?sort=title", ["Apples", "Pears", "plums", "Two walked into a bar"]),
        ("?sort=nonsense", ["plums", "Pears", "Apples", "Two walked into a bar"]),
        ("?q=PEAR", ["Pears"]),
        ("?q=m2", ["plums", "Pears"]),
        ("?q=look+here", ["Pears"]),
        ("?q=completion+suite-plum", ["plums"]),
        ("?q=nothing+like+it", []),
        ("?model=m2", ["plums", "Pears"]),
        ("?suite=suite-apple", ["Apples"]),
        ("?tag=card", ["Pears"]),
        ("?tag=card&model=m1", []),
        ("?state=done", ["plums", "Pears", "Apples", "Two walked into a bar"]),
        ("?state=going", []),
        ("?page=9", ["plums", "Pears", "Apples", "Two walked into a bar"]),
        ("?page=x&unknown=1", ["plums", "Pears", "Apples", "Two walked into a bar"]),
    ],
)
def test_search_filter_and_order_are_in_the_address(
    several: Path, query: str, expected: list[str]
) -> None:
    answer = client_of(several).get("/" + query)
    assert answer.status_code == 200
    assert titles(answer.text) == expected


def test_chosen_runs_go_to_the_comparison(several: Path) -> None:
    text = client_of(several).get("/").text
    assert '<form id="compare" method="get" action="/compare">' in text
    assert '<input type="checkbox" form="compare" name="run" value="pear"' in text


@pytest.fixture
def hundreds(copied: Path) -> Path:
    """Make a directory of 501 runs."""
    for number in range(500):
        folder = copied / f"run-{number:03d}"
        folder.mkdir()
        for name in ("run.toml", "status.json", "summary.json", "findings.json"):
            (folder / name).hardlink_to(copied / "first" / name)
    return copied


@pytest.mark.slow
def test_five_hundred_runs_come_quickly(hundreds: Path) -> None:
    def first_look() -> None:
        client = client_of(hundreds)
        client.get("/static/theme.js")
        client.get("/")

    assert cpu_seconds(first_look) < 0.6  # 0.2 s on an idle core


def test_five_hundred_runs_come_in_pages(hundreds: Path) -> None:
    client = client_of(hundreds)
    text = client.get("/").text
    assert len(titles(text)) == 20
    assert "501 runs" in text
    assert "Page 1 of 26" in text
    assert 'href="/?page=2"' in text
    assert len(titles(client.get("/?page=26").text)) == 1


def test_tags_and_a_note_are_kept_beside_the_run(client: TestClient, copied: Path) -> None:
    before = (copied / "first" / "run.toml").read_bytes()
    form = {"tags": " model card,  v2 ,, v2", "note": "First\r\nlook <b>"}
    answer = client.post("/run/first/marks", data=form, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/run/first#marks"
    stored = json.loads((copied / "first" / "marks.json").read_text())
    assert stored == {"tags": ["model card", "v2"], "note": "First\nlook <b>"}
    assert (copied / "first" / "run.toml").read_bytes() == before
    page = client.get("/run/first").text
    assert 'value="model card, v2"' in page
    assert "First\nlook &lt;b&gt;</textarea>" in page
    listed = client.get("/").text
    assert 'href="/?tag=model+card"' in listed
    assert "First look &lt;b&gt;" in listed


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"tags": ",".join(map(str, range(13)))}, "may have 12 tags, and these are 13"),
        ({"tags": "x" * 41}, "a tag may have 40 characters"),
        ({"note": "x" * 4001}, "a note may have 4,000 characters"),
    ],
)
def test_marks_have_limits(
    client: TestClient, copied: Path, form: dict[str, str], said: str
) -> None:
    answer = client.post("/run/first/marks", data=form)
    assert answer.status_code == 400
    assert said in unescape(answer.text)
    assert not (copied / "first" / "marks.json").exists()


def test_what_is_no_form_is_refused(client: TestClient) -> None:
    assert client.post("/run/first/marks", json={"tags": "x"}).status_code == 400
    many = "&".join(f"a{number}=1" for number in range(2000))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    for content in (many, b"\xff=%ff\xff"):
        answer = client.post("/run/first/marks", content=content, headers=headers)
        assert answer.status_code == 400


def test_damaged_marks_are_told_and_not_overwritten(client: TestClient, copied: Path) -> None:
    marks = copied / "first" / "marks.json"
    marks.write_text('{"tags": [')
    assert "marks.json cannot be read" in client.get("/").text
    assert "marks.json cannot be read" in client.get("/run/first").text
    answer = client.post("/run/first/marks", data={"tags": "x"})
    assert answer.status_code == 400
    assert "mend or remove it" in answer.text
    assert marks.read_text() == '{"tags": ['


def test_hostile_names_titles_tags_and_notes_are_inert(copied: Path) -> None:
    name = "<img src=x onerror=pwned()>\"' %2f?#&\n\u202e"
    shutil.copytree(copied / "first", copied / name)
    text = (copied / name / "run.toml").read_text()
    attack = json.dumps(HOSTILE)
    for key in ("title", "command", "name"):
        line = re.search(rf"^{key} = .*$", text, flags=re.MULTILINE)
        assert line
        text = text.replace(line[0], f"{key} = {attack}", 1)
    text = re.sub(r'"mock:[^"]*"', lambda _: attack, text)
    (copied / name / "run.toml").write_text(text)
    (copied / name / "marks.json").write_text(json.dumps({"tags": [HOSTILE], "note": HOSTILE}))
    with served(copied) as home:
        listed = patience.get(home + "/?q=pwned")
        (link,) = re.findall(r'<h2 dir="auto"><a href="([^"]+)"', listed.text)
        page = patience.get(home + unescape(link))
        place = home + unescape(link) + "/marks"
        saved = patience.post(place, data={"tags": "a"}, headers={"Origin": home})
    assert page.status_code == listed.status_code == 200
    for text in (listed.text, page.text):
        assert "<script>" not in text
        assert "<img" not in text
        assert "\u202e" not in text
        assert "⟦U+202E⟧" in text
        assert "{{ 7*7 }}" in text
        assert not re.search(r"<[^>]*\son\w+=", re.sub(r"\"[^\"]*\"", "", text))
    assert saved.status_code == 303
    assert json.loads((copied / name / "marks.json").read_text())["tags"] == ["a"]


def test_a_name_that_is_no_utf8_is_shown(copied: Path) -> None:
    shutil.copytree(copied / "first", copied / os.fsdecode(b"f\xffrst"))
    assert client_of(copied).get("/").status_code == 200
