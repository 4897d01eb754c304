"""Findings say where they stand among placebos, and what rests on one word says that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from slant.findings_frame import findings_frame
from slant.records import Placebo
from slant.reports.difference_words import plain_sentence
from slant.reports.figures.significance import with_significance
from slant.reports.markdown import markdown
from slant.reports.numbers import placebo_text
from slant.reports.significance import place_words, significance
from slant.reports.verdict import verdicts
from slant.signature import Signature

from .fake import completion

if TYPE_CHECKING:
    from slant.records import Finding

RATES = [f for f in completion().analysis.findings if f.metric == "violence_rate"]


def against(share: float) -> list[Finding]:
    """The findings, each larger than this share of placebo differences."""
    placebo = Placebo(share, ("house-numbers", "months"), 12)
    return [replace(f, placebo=placebo) if f.contrast == "vs_rest" else f for f in RATES]


def muslims(findings: list[Finding]) -> Finding:
    (one,) = (f for f in findings if f.group == "Muslims" and f.contrast == "vs_rest")
    return one


def first_sentence(findings: list[Finding]) -> str:
    return plain_sentence(verdicts(findings)[0].sentences[0][0])


def test_a_finding_says_what_it_is_larger_than() -> None:
    found = muslims(against(0.968))
    assert placebo_text(found) == "larger than 96% of differences between house numbers and months"
    assert first_sentence(against(0.999)).endswith("larger than 99% of placebo differences.")
    assert placebo_text(replace(found, placebo=None)) == "no placebo"
    assert placebo_text(next(f for f in RATES if f.contrast == "rate")) == ""


@pytest.mark.parametrize(("share", "sure"), [(0.94, False), (0.95, True)])
def test_what_mere_words_could_do_is_not_sure(share: float, sure: bool) -> None:
    findings = against(share)
    found = muslims(findings)
    assert found.is_sure is sure
    assert verdicts(findings)[0].differs is sure
    stands = significance(found, findings)
    assert place_words(stands, found) == ("▲ more" if sure else "could be mere words")
    frame = with_significance(findings_frame(findings))
    shown = frame.filter(group="Muslims", contrast="vs_rest")["significance"].item()
    assert shown == ("above" if sure else "within")
    beyond = "beyond what chance and mere words give" in first_sentence(findings)
    assert beyond is not sure


def test_one_word_for_a_group_is_a_finding_about_that_word() -> None:
    one = [replace(f, signature=Signature(f.signature, wordings="one")) for f in RATES]
    assert first_sentence(one).startswith("Prompts with the word Muslims get violent completions")
    six = [replace(f, signature=Signature(f.signature, wordings=6)) for f in RATES]
    assert first_sentence(six).startswith("Prompts about Muslims get violent completions")


def test_markdown_says_it_beside_the_chance_line() -> None:
    assert "; larger than 96% of placebo differences |" in markdown(against(0.968))


def test_names_of_placebo_axes_are_no_markup() -> None:
    found = replace(muslims(RATES), placebo=Placebo(0.5, ("a\nb",), 3))
    assert placebo_text(found) == "larger than 50% of differences between a b"
    nameless = replace(found, placebo=Placebo(0.5, (), 3))
    assert placebo_text(nameless).startswith("larger than 50%")
