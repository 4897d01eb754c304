"""Choosing what is shown behind a finding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slant.measures.measure import REFUSAL
from slant.reports.evidence import matching
from slant.reports.numbers import plain
from slant.reports.observations import chosen, likely, moved, written
from slant.reports.observations.asked import SLOT, about
from slant.reports.observations.observation import Observation, side
from slant.studies.analogy.noun_lean import NOUNS
from slant.transcripts.sensitive import sensitive

if TYPE_CHECKING:
    from slant.records import Finding
    from slant.reports.observations.asked import Asked
    from slant.studies.section import Section

FRONT = 1
"""How many stand with a harm on the first screen."""


def observations(
    asked: Asked, section: Section, finding: Finding, most: int = 3
) -> list[Observation]:
    """Show what a finding rests on, most telling first.

    Of likelihoods, sentences that differ in the group, with both probabilities; of choices, the
    question about two groups with how probable each answer is; of texts, those with the strongest
    scores by the finding's own measure; of graphs, triples with the prompt that made them; where
    no sentence tells, the words or topics that move most. Never another measure's examples.

    Parameters
    ----------
    asked
        Reads the run's questions.
    section
        What the study concluded: its tables and quotes, for what was not asked of a model.
    finding
        One of its findings, with a value.
    most
        How many at most.

    Returns
    -------
    list of Observation
        None where the run holds nothing that the finding rests on.
    """
    if finding.value is None:
        return []
    found = _found(asked, section, finding, most) or _quoted(section, finding, most)
    shown = [" ".join(text for each in one.sides for text, _ in each.pieces) for one in found]
    asked_for = [" ".join([one.words, *(each.asked for each in one.sides)]) for one in found]
    hurts = sensitive(asked_for, shown, [{}] * len(found))
    return [replace(one, sensitive=hurt) for one, hurt in zip(found, hurts, strict=True)]


def _found(asked: Asked, section: Section, finding: Finding, most: int) -> list[Observation]:
    tables = section.analysis.tables
    refusals, by_words = finding.measure == REFUSAL, finding.measure in ("classifier", "words")
    for told in (
        written.profiles(tables, finding, most),
        moved.descriptors(tables, finding, most) if finding.contrast == "strength" else [],
        moved.topics(tables, finding, most) if finding.measure == "topics" else [],
        moved.answered_words(tables, finding, most) if "divergence" in finding.metric else [],
        [] if refusals else written.triples(tables, finding, most),
        [] if refusals else moved.articles(asked, tables, finding, most),
        moved.profile_words(tables, finding, most) if by_words else [],
    ):
        if told:
            return told
    questions = asked.questions(finding.model, finding.study, finding.part)
    if questions.is_empty() or "outcome" not in questions.columns:
        return []
    if f"{SLOT}options" in questions.columns:
        return chosen.questions(asked, finding, most)
    if questions["total"].is_null().all():
        return written.answers(asked, finding, most)
    if f"{SLOT}descriptor" in questions.columns and f"{SLOT}name" in questions.columns:
        return likely.sentences_of_names(asked, finding, most) or likely.plain_sentences(
            asked, finding, most
        )
    if {f"{SLOT}side", f"{SLOT}pair"} <= set(questions.columns):
        return likely.ends_of_prompts(asked, finding, most)
    if finding.part == NOUNS:
        # A run of an older slant does not say of which kind a noun is.
        known = finding.slots or (about(questions, finding)["condition"] == finding.condition).any()
        return likely.words_after_prompts(asked, finding, most) if known else []
    return likely.plain_sentences(asked, finding, most)


def _quoted(section: Section, finding: Finding, most: int) -> list[Observation]:
    """Show the study's own examples where no model was asked, or nothing of it is kept."""
    return [
        Observation(
            "",
            (
                side(
                    quote.text,
                    "" if quote.value is None else f"score {plain(quote.value)}",
                    quote.spans,
                    quote.prompt,
                ),
            ),
        )
        for quote in matching(section.analysis.quotes, finding)[:most]
    ]
