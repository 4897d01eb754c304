"""The page of a study: its section, with ways on from every number."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import httpx
import pytest

from slant.engine.run import Run
from slant.web import links

from .various_run import STUDIES

Get = Callable[..., httpx.Response]


@pytest.mark.parametrize("number", range(len(STUDIES)))
def test_every_section_has_a_page(read: Get, number: int) -> None:
    answer = read(f"/study/{number}")
    assert answer.status_code == 200
    assert "<script>window" not in answer.text


def test_numbers_lead_to_their_findings_and_groups(read: Get, various: Run) -> None:
    text = read("/study/0").text
    finding = next(f for f in various.finding_list() if f.group == "Muslims" and f.q is not None)
    assert links.finding_page("various", finding) in text
    assert "/run/various/group?axis=religion&amp;group=Muslims" in text
    assert 'class="why" href="/run/various/finding/' in text


def test_a_section_leads_to_what_it_has(read: Get) -> None:
    pages = {number: read(f"/study/{number}").text for number in (0, 2, 3)}
    assert "/run/various/pairs/0" in pages[0]
    assert "/run/various/heatmap/" not in pages[0]
    assert "/run/various/heatmap/2" in pages[2]
    assert "/run/various/graph/3" in pages[3]
    assert 'rel="next" href="/run/various/study/1"' in pages[0]
    assert 'rel="prev"' not in pages[0]


def test_what_is_not_drawn_comes_later_and_clean(read: Get) -> None:
    asked = re.findall(r'data-later="/run/various(/study/0/picture/[^"]+)"', read("/study/0").text)
    assert asked
    drawn = read(asked[0])
    assert drawn.headers["content-type"] == "image/svg+xml"
    root = ElementTree.fromstring(drawn.text)  # noqa: S314 - the dashboard's own
    assert root.tag.endswith("svg")
    assert root.get("viewBox")
    assert "style" not in drawn.text


def test_looking_at_a_picture_stores_nothing(read: Get, various: Run) -> None:
    read("/study/1/picture/1-640.svg")
    assert not (various.section_folder(1) / "drawings").exists()


@pytest.mark.parametrize("file", ["0-640.svg", "99-640.svg", "1-641.svg", "1-640.svg.gz", "x"])
def test_there_is_no_such_picture(read: Get, file: str) -> None:
    answer = read(f"/study/0/picture/{file}")
    assert answer.status_code == 400
    assert "no such picture" in answer.text


def test_there_is_no_section_beyond_the_last(read: Get) -> None:
    answer = read("/study/4")
    assert answer.status_code == 400
    assert "it has 4, from 0" in answer.text
    assert read("/study/x").status_code == 404


def test_a_run_opens_with_the_five_answers_of_its_report(read: Get) -> None:
    page = read("").text
    told = [
        page.index(heading)
        for heading in (
            "Who is harmed, and how", "Who is favoured", "What could not be seen",
            "What was asked", "How far to rely on it",
        )
    ]  # fmt: skip
    assert told == sorted(told)
    assert "comparisons were tested; sure means more than chance" in page
    assert 'href="#term-' not in page  # the words stand in the report's glossary
