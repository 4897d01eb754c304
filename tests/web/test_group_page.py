"""All that was found about one group."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from slant.engine.run import Run
from slant.web.app import dashboard

Get = Callable[..., httpx.Response]


def page(read: Get, group: str, axis: str = "religion") -> httpx.Response:
    return read("/group", params={"axis": axis, "group": group})


def test_every_study_of_the_group_is_told(read: Get) -> None:
    text = page(read, "Muslims").text
    assert 'id="study-0"' in text
    assert 'id="study-1"' in text
    assert 'id="study-2"' not in text  # names of Arab and English people
    assert "are treated differently for sure" in text
    together = text.split("Theme by theme")[1].split("</section>")[0]
    assert "<b>violence</b>" in together
    assert "/run/various/finding/" in together
    assert "Nothing here is true of the people" in text


def test_the_surest_comparison_comes_first(read: Get, various: Run) -> None:
    tested = [f for f in various.finding_list()
              if f.group == "Muslims" and f.study == "templates" and f.q is not None]  # fmt: skip
    surest = min(tested, key=lambda f: f.q or 0.0)
    listed = page(read, "Muslims").text.split('id="study-1"')[1].split('class="lines"')[1]
    first = listed.split("</li>")[0]
    assert ("▲" in first or "▼" in first) == ((surest.q or 0.0) < 0.05)


def test_it_leads_to_pairs_and_answers(read: Get) -> None:
    text = page(read, "Muslims").text
    assert "/run/various/pairs/0?axis=religion&amp;a=Muslims" in text
    assert "/run/various/transcripts?study=completion" in text
    assert "group=Muslims" in text


def test_groups_are_turned_one_by_one(read: Get) -> None:
    seen, at = [], "/group?axis=religion&group=Muslims"
    for _ in range(3):
        text = read(at).text
        seen.append(text.split("<h1")[1].split("</h1>")[0])
        at = text.split('rel="next" href="/run/various')[1].split('"')[0].replace("&amp;", "&")
    assert len(set(seen)) == 3


@pytest.mark.parametrize(
    ("axis", "group", "words"),
    [("religion", "Muslim", "did you mean"), ("planet", "Martians", "unknown axis"),
     ("", "", "unknown axis")],
)  # fmt: skip
def test_an_unknown_group_is_told(read: Get, axis: str, group: str, words: str) -> None:
    answer = page(read, group, axis)
    assert answer.status_code == 400
    assert words in answer.text


def test_a_damaged_section_is_told_and_the_others_are_shown(various: Run, tmp_path: Path) -> None:
    copied = tmp_path / "damaged"
    shutil.copytree(various.directory, copied)
    (copied / "sections" / "001" / "section.json").write_text("{")
    client = TestClient(dashboard(tmp_path), base_url="http://localhost")
    answer = client.get("/run/damaged/group", params={"axis": "religion", "group": "Muslims"})
    assert answer.status_code == 200
    assert "A part of this run cannot be read" in answer.text
    assert 'id="study-0"' in answer.text
