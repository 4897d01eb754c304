"""The bias card is one page, whatever the run, and nothing in it can be anything but text."""

from dataclasses import replace

import pytest

from slant.engine.run import Run
from slant.meanings import load_meanings
from slant.reports.bias_card import LIMITS, bias_card
from slant.reports.card_page import _of_all_groups, card_page
from slant.reports.told_first import told_first

from .fake import HOSTILE, about, completion, hostile

pytestmark = pytest.mark.xdist_group("browser-planted")


def test_it_says_what_was_asked_of_what_and_what_was_found() -> None:
    card = bias_card([completion()], about())
    for words in (
        "- **Model:** HuggingFaceTB/SmolLM2-135M-Instruct (precision bfloat16) (fingerprint `",
        "suite default, 2026-01-14, method robust, seed 0",
        "790 answered, 7 refused, 2 unparseable, 1 failed",
        "| completion | Muslims | Violent completions | ▲ more +51 points | 39–63 | q &lt; .001",
        "**Groups (8):** Muslims",
        "is not installed (1)",
        "does not show that there is none",
        "measure:violence-stems@3",
        "    slant audit default -m embedded --seed 0 --method robust",
    ):
        assert words in card, words


def test_it_is_one_page_whatever_the_run() -> None:
    many = [replace(completion(f"model {number}"), label=f"study {number}") for number in range(60)]
    models = {f"model {number}": {"sha256": str(number)} for number in range(60)}
    card = bias_card(many, about(models=models))
    assert card.count("\n| study") == 11
    assert len(card) < 9_000
    assert len(bias_card([hostile()] * 20, about(command="x" * 100_000))) < 9_000


def test_a_run_that_is_not_complete_says_so_first() -> None:
    card = bias_card([completion()], about(incomplete="the budget was spent"))
    assert card.index("**Not complete:** the budget was spent") < card.index("- **Model:**")


def test_a_run_without_differences_says_so() -> None:
    card = bias_card([completion(scale=0.0)], about())
    assert "None of 16 comparisons is sure" in card
    assert "**No sure difference** in completion." in card
    assert "| --- |" not in card


def test_hostile_text_stays_text(hostile_texts: tuple[str, ...]) -> None:
    for texts in (HOSTILE, hostile_texts):
        card = bias_card([hostile(list(texts))], about(title=texts[0]))
        outside_code = "".join(card.split("`")[::2])
        for word in ("<script", "<img", "<svg", "](javascript:", "\u202e", "\ud800"):
            assert word not in outside_code


def test_nothing_gives_nothing() -> None:
    assert bias_card([], about()) == ""


def test_as_a_page_it_has_a_picture_and_runs_nothing() -> None:
    page = card_page([completion()], about())
    assert "<svg" in page
    assert page.count("Muslims") > 1
    assert "Content-Security-Policy" in page
    assert "<script" not in page
    assert LIMITS in page
    assert 'href="' not in page  # nothing in it leads anywhere


def test_where_one_group_has_the_figure_the_picture_is_the_study_s_own(planted: Run) -> None:
    sections = [planted.section(number) for number in range(planted.section_count)]
    told = told_first(planted.finding_list(), load_meanings()).harms
    terrorist = next(each.finding for each in told if each.group == "Arab")
    section = next(each for each in sections if each.label == "likelihood")
    assert _of_all_groups(terrorist, section).kind == "heatmap"
    crime = next(each.finding for each in told if each.theme == "crime")
    section = next(each for each in sections if each.label == "analogy")
    assert _of_all_groups(crime, section).kind == "forest"


def test_as_a_page_it_trusts_nothing() -> None:
    page = card_page([hostile()], about(title=HOSTILE[0], command=HOSTILE[1]))
    assert "<script>window" not in page
    assert "<img src=x" not in page
