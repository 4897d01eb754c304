"""Everything behind one number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import httpx
import polars as pl
import pytest

from slant.engine.run import Run
from slant.records import Finding
from slant.signature import Signature
from slant.studies.signature import COMMON
from slant.web import links
from slant.web.finding_answers import behind
from slant.web.open_run import OpenRun
from slant.web.signature_words import parameters

from .various_run import HARMLESS

Get = Callable[..., httpx.Response]


def chosen(run: Run, metric: str, contrast: str, group: str = "Muslims") -> Finding:
    return next(
        f
        for f in run.finding_list()
        if (f.metric, f.contrast, f.group) == (metric, contrast, group)
    )


def path(finding: Finding) -> str:
    return links.finding_page("various", finding).removeprefix("/run/various")


def test_the_answers_shown_are_those_that_the_rate_counts(various: Run) -> None:
    for group in ("Muslims", "Jews"):
        finding = chosen(various, "violence_rate", "rate", group)
        rests = behind(OpenRun(various.directory), finding)
        assert rests is not None
        table = rests.table()
        by_prompt = table.group_by("condition").agg(pl.col("value").mean())
        assert by_prompt["value"].mean() == pytest.approx(finding.value)
        assert table["value"].count() == finding.n
        assert (table["outcome"] == "refused").sum() == finding.outcomes["refused"]


def test_a_comparison_shows_its_answers_with_what_caused_their_scores(
    read: Get, various: Run
) -> None:
    text = read(path(chosen(various, "violence_rate", "vs_rest"))).text
    assert "Difference from the median of the other groups" in text
    assert "100 answers about" in text
    assert "<mark>shot</mark>" in text
    assert "Show sensitive text" in text
    assert "By prompt or condition (2)" in text
    assert "/run/various/answer?model=harsh" in text


def test_a_word_narrows_the_answers(read: Get, various: Run) -> None:
    text = read(path(chosen(various, "violence_rate", "rate")), params={"word": "stabbed"}).text
    assert "scored for “<bdi>stabbed</bdi>”" in text
    assert text.count('class="answer"') == text.count("<mark>stabbed</mark>") > 0


def test_answers_are_narrowed_and_turned_page_by_page(read: Get, various: Run) -> None:
    at = path(chosen(various, "violence_rate", "rate"))
    first, second = read(at).text, read(at, params={"page": "2"}).text
    assert first.count('class="answer"') == 20
    assert second.count('class="answer"') == 20
    last = read(at, params={"page": "99"}).text
    assert "page 5 of 5" in last
    assert 'rel="next" href="/run/various/finding/' in first
    prompt = {"condition": "The {group} next door", "score": "none"}
    narrowed = read(at, params=prompt).text
    assert "“<bdi>The {group} next door</bdi>” with a score of 0" in narrowed
    assert "Two Muslims" not in narrowed.split('class="answers"')[1].split("</ol>")[0]


@pytest.mark.parametrize("page", ["0", "-1", "nan", "99999999999999999999", "²", "1e3"])
def test_a_page_that_cannot_be_meant_is_the_first_or_the_last(
    read: Get, various: Run, page: str
) -> None:
    answer = read(path(chosen(various, "violence_rate", "rate")), params={"page": page})
    assert answer.status_code == 200


def test_a_number_shows_where_chance_puts_it(read: Get, various: Run) -> None:
    finding = chosen(various, "violence_rate", "vs_rest")
    at = path(finding)
    assert f'data-later="/run/various{at}/null-640.svg"' in read(at).text
    drawn = read(f"{at}/null-640.svg")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")
    assert read(f"{at}/null-1.svg").status_code == 400


def test_without_draws_the_page_says_why(read: Get, various: Run) -> None:
    finding = next(f for f in various.finding_list() if f.chance is None and f.value is not None)
    assert "No chance line was worked out" in read(path(finding)).text


def test_questions_answered_by_probabilities_are_shown_as_such(read: Get, various: Run) -> None:
    text = read(path(chosen(various, "yes_answers", "vs_rest"))).text
    assert "Yes 9" in text  # 9 of 10, more or less
    likely = next(f for f in various.finding_list() if f.metric == "affinity_strength")
    assert "log-probability −" in read(path(likely)).text


def test_a_descriptor_finds_its_own_questions(various: Run) -> None:
    finding = next(f for f in various.finding_list() if f.metric == "affinity" and f.condition)
    rests = behind(OpenRun(various.directory), finding)
    assert rests is not None
    rows = rests.rows(rests.table()["position"].to_list())
    assert rows
    assert all(finding.condition in row.prompt for row in rows)


def test_a_number_about_everybody_shows_tables(read: Get, various: Run) -> None:
    finding = next(f for f in various.finding_list() if f.metric == "yes_bias")
    text = read(path(finding)).text
    assert "No single question was about" in text


def test_what_a_triple_was_judged_to_be_blurs_its_answer(various: Run) -> None:
    rests = behind(OpenRun(various.directory), chosen(various, "violence_rate", "rate", "Jews"))
    assert rests is not None
    rows = rests.rows(rests.table()["position"].to_list())
    hurt = {row.sensitive for row in rows if row.text == HARMLESS and "walked" in row.prompt}
    harmless = {row.sensitive for row in rows if row.text == HARMLESS and "next" in row.prompt}
    assert hurt != harmless
    assert hurt | harmless == {True, False}


def test_an_unknown_finding_is_told(read: Get) -> None:
    answer = read("/finding/0123456789ab")
    assert answer.status_code == 400
    assert "has no finding" in answer.text
    assert "Traceback" not in answer.text


def test_hostile_answers_stand_as_text(read: Get, various: Run) -> None:
    text = read(path(chosen(various, "violence_rate", "rate")), params={"order": "asked"}).text
    assert "window.pwned=1" in text
    for mark_up in ("<script>window", "<img src=x", "<svg onload", "<style>body"):
        assert mark_up not in text
    assert "\u202e" not in text
    word = '"><script>window.pwned=1</script>'
    echoed = read(path(chosen(various, "violence_rate", "rate")), params={"word": word})
    assert "<script>window" not in echoed.text


def test_a_rate_is_shown_by_the_measure_it_says_it_counts(various: Run) -> None:
    open_run = OpenRun(various.directory)
    rate = chosen(various, "violence_rate", "rate")
    for finding, measure in (
        (rate, "violence.robust"),
        (replace(rate, measure="refusal"), "refusal"),
        (replace(rate, metric="non_refusal_rate", measure="violence.robust"), "violence.robust"),
        (replace(rate, measure="of no table"), ""),
    ):
        found = behind(open_run, finding)
        assert found is not None
        assert found.measure == measure


def test_a_signature_is_taken_apart() -> None:
    signature = Signature(slant="0.1.0", measure="violence@f0|robust", own_words=5, topics=7)
    read_ = parameters(signature, {**COMMON, "topics": "Number of topics"})
    assert [(each.words, each.value) for each in read_] == [
        ("Version of slant", "0.1.0"),
        ("What scored the answers", "violence@f0|robust"),
        ("own words", "5"),
        ("Number of topics", "7"),
    ]
