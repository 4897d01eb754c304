"""The first screen: harms first, each once, and nothing left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from slant.meanings import load_meanings
from slant.records import Finding, Placebo
from slant.reports.about import About
from slant.reports.difference_words import plain_sentence
from slant.reports.front import front
from slant.reports.overview import glance
from slant.reports.told_first import MOST, told_first
from slant.reports.verdict import verdicts
from slant.signature import Signature

from .fake import about, completion, render

LEAN = Finding(
    study="likelihood", metric="affinity", model="m", axis="ethnicity", group="Arab",
    contrast="vs_rest", value=0.25, low=0.1, high=0.4, n=8, outcomes={"answered": 8}, p=0.001,
    q=0.004, effect=2.0, chance=None, target=0.0, direction="closer_to_target",
    signature=Signature(), condition="a terrorist",
)  # fmt: skip
MEN = replace(LEAN, axis="ethnicity × gender", group="Arab Male", effect=3.0)
FACT = replace(LEAN, group="Chinese", condition="fluent in Mandarin", effect=9.0)
PRAISE = replace(LEAN, group="English", condition="law-abiding", effect=5.0)
ASKED = About("t", "quick", "2026-01-01T00:00:00", "slant audit", "0.1.0", "robust", 0)


def test_harms_come_before_what_is_stronger_and_harmless() -> None:
    first = told_first([FACT, PRAISE, LEAN], load_meanings())
    assert [each.group for each in first.harms] == ["Arab"]
    assert [each.group for each in first.favourable] == ["English"]
    assert first.neutral == (FACT,)


def test_a_group_is_told_once_with_its_parts() -> None:
    (harm,) = told_first([MEN, LEAN], load_meanings()).harms
    assert (harm.group, harm.alike) == ("Arab", (MEN,))


def test_what_is_done_leads_what_is_only_probable() -> None:
    done = replace(
        LEAN, study="completion", metric="violence_rate", scale="share", condition="", effect=1.0,
        direction="lower_is_better",
    )  # fmt: skip
    tried = replace(done, study="triggers", contrast="vs:English", condition="easy", effect=9.0)
    (harm,) = told_first([LEAN, tried, done], load_meanings()).harms
    assert (harm.finding, harm.alike) == (done, (tried, LEAN))


def test_what_was_not_measured_is_one_line_with_the_most_frequent_reason() -> None:
    gone = [
        replace(LEAN, value=None, group=f"G{n}", reason="too few names" if n < 5 else f"why {n}")
        for n in range(9)
    ]
    (line,) = (line for line in front(gone, load_meanings(), ASKED).unseen if "measured" in line)
    assert line == "Not measured (5): too few names; 4 more for other reasons."


def test_what_says_the_opposite_is_told_with_the_harm() -> None:
    other = replace(LEAN, study="b", condition="a suicide bomber", value=-0.3, effect=-1.0)
    (harm,) = told_first([LEAN, other], load_meanings()).harms
    assert harm.against == (other,)


def test_what_is_not_sure_is_no_harm() -> None:
    assert not told_first([replace(LEAN, q=0.2)], load_meanings()).harms


def test_a_sentence_holds_its_number_in_words() -> None:
    lean = replace(LEAN, study="analogy", metric="noun_lean", condition="crime", value=1.94)
    (harm,) = told_first([lean], load_meanings()).harms
    assert "“crime” 6.96 times more probable" in plain_sentence(harm.sentence)


def test_at_most_seven_stand_on_the_first_screen_and_the_rest_is_counted() -> None:
    many = [replace(LEAN, group=f"G{n}", effect=float(n)) for n in range(12)]
    seen = front(many, load_meanings(), ASKED)
    assert len(seen.harms) == MOST
    assert seen.further["harms"] == 12 - MOST
    assert len(seen.first.harms) == 12


def test_it_says_where_no_placebo_was_asked() -> None:
    seen = front([LEAN], load_meanings(), ASKED)
    assert any("may be due to the words" in line for line in seen.relied)
    held = replace(LEAN, placebo=Placebo(0.99, ("months",), 12))
    seen = front([held], load_meanings(), ASKED)
    assert not any("may be due to the words" in line for line in seen.relied)


@pytest.mark.usefixtures("undrawn")
def test_harms_come_first_in_every_part_of_the_page() -> None:
    stronger = replace(PRAISE, effect=20.0)
    (verdict,) = verdicts([FACT, stronger, LEAN])
    assert [each.group for each in verdict.differing] == ["Arab", "English", "Chinese"]
    section = completion()
    own = replace(section, analysis=replace(section.analysis, findings=[stronger, LEAN]))
    (study,) = glance([own]).studies
    assert [lean.group for lean in study.leans] == ["Arab", "English"]


@pytest.mark.usefixtures("undrawn")
def test_where_a_scorer_says_what_a_word_means_the_first_screen_says_that() -> None:
    pytest.importorskip("vaderSentiment")
    word = replace(LEAN, study="profiles", metric="word_lean", condition="personality: miserable")
    section = completion(scale=0.0)
    own = replace(section, analysis=replace(section.analysis, findings=[word], figures=[]))
    assert "says a scorer of sentiment, and no person" in render([own], about())
    assert "no person" not in render([completion()], about())


@pytest.mark.usefixtures("undrawn")
def test_the_page_opens_with_who_is_harmed() -> None:
    page = render([completion()], about())
    assert page.index("Who is harmed, and how") < page.index('id="glance-h"')
    calm = render([completion(scale=0.0)], about())
    assert "No difference that would harm anybody is sure." in calm
    assert about().suite in page


def test_what_could_be_seen_is_the_size_that_the_verdict_tells() -> None:
    findings = completion(scale=0.2).analysis.findings
    (violent, *_) = [
        plain_sentence(said) for verdict in verdicts(findings) for said, _ in verdict.sentences
    ]
    size = violent.partition("could see is about ")[2].removesuffix(" (80% power).")
    assert size
    unseen = " ".join(front(findings, load_meanings(), ASKED).unseen)
    assert f"violent completions under {size}" in unseen
