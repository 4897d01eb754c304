"""The graph of a study, to explore and as a file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import httpx
import pytest

from .various_run import TRIPLES

Get = Callable[..., httpx.Response]


def test_each_triple_leads_to_its_answer(read: Get) -> None:
    text = read("/graph/3").text
    data = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)
    assert data is not None
    answers = json.loads(data[1])["edges"]["answer"]
    assert len(answers) == TRIPLES
    assert all(answer.startswith("/run/various/answer?model=harsh") for answer in answers)
    assert "<script>window" not in text


@pytest.mark.parametrize(
    ("form", "begins"),
    [("graphml", "<?xml"), ("jsonld", "{"), ("dot", "digraph"), ("csv", "Source,Target")],
)
def test_the_graph_is_given_as_a_file(read: Get, form: str, begins: str) -> None:
    answer = read(f"/graph/3/file.{form}")
    assert answer.status_code == 200
    assert answer.text.startswith(begins)
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment")
    assert re.search(rf'filename="[a-z0-9-]+\.{form}"', disposition)


def test_what_is_not_there_is_told(read: Get) -> None:
    assert "no graph" in read("/graph/0").text
    unknown = read("/graph/3/file.exe")
    assert unknown.status_code == 400
    assert "graphml, jsonld, dot, csv" in unknown.text
