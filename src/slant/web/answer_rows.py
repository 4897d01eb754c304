"""Answers as a page shows them: with what was asked, what scored them, and what hurts blurred."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.measures.measure import REFUSAL
from slant.reports.numbers import plain
from slant.reports.safe_text import excerpt, one_line
from slant.transcripts.sensitive import sensitive
from slant.web import links
from slant.web.asked import answers_of, first_numbers, scores_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.reports.safe_text import Excerpt
    from slant.web.open_run import OpenRun

_CUT = 1_200
_READ = 2_000
"""So much of prompt and answer is read to tell whether they hurt: what a page shows of them."""

_TOXIC = 0.5
"""From this toxicity on a text is blurred, as in graphs of triples."""


@dataclass(frozen=True)
class AnswerRow:
    """One answer, as a page shows it.

    Attributes
    ----------
    position
        Its place among the answers of its model and study.
    number
        What it is called: its place among all answers of the run, from 1.
    at
        Address of its page.
    group, condition, sample
        What it is about.
    prompt
        What was asked.
    excerpt
        What came back, with what caused the score marked; nothing for a question that is answered
        by probabilities.
    outcome
        One of the four.
    score
        What the chosen measure gave, in writing; empty for nothing.
    scores
        Every measure with what it gave, in writing.
    spans
        [start, end) offsets in the text that caused the score.
    text
        What came back, whole.
    given
        What came back instead of a text, in words.
    reason
        Why there is no answer or no score; may be empty.
    sensitive
        Whether it is blurred until the reader asks.
    """

    position: int
    number: int
    at: str
    group: str
    condition: str
    sample: int
    prompt: str
    excerpt: Excerpt
    outcome: str
    score: str
    scores: list[tuple[str, str]]
    spans: list[tuple[int, int]]
    text: str
    given: str
    reason: str
    sensitive: bool

    @property
    def name(self) -> str:
        """Identifier in the page."""
        return f"a{self.position}"


def answer_rows(
    run: OpenRun, model: str, study: str, measure: str, positions: Sequence[int]
) -> list[AnswerRow]:
    """Read some answers of a study whole, in the order asked for, with what a measure gave."""
    import polars as pl

    if not positions:
        return []
    near = pl.col("position").is_between(min(positions), max(positions))
    chosen = near & pl.col("position").is_in(list(positions))
    own = answers_of(run).filter(model=model, study=study)
    columns = ("position", "sample", "group", "condition", "slots", "prompt", "outcome", "text",
               "logprobs", "reason")  # fmt: skip
    answers = own.filter(chosen).select(columns).collect().unique("position")
    scores = scores_of(run).filter(model=model, study=study)
    given = scores.filter(chosen).select("position", "measure", "value", "reason", "spans")
    scored: dict[int, list[dict[str, Any]]] = {}
    for row in given.collect().iter_rows(named=True):
        scored.setdefault(row["position"], []).append(row)
    by_position = {row["position"]: row for row in answers.iter_rows(named=True)}
    found = [
        (by_position[position], scored.get(position, []))
        for position in positions
        if position in by_position
    ]
    hurts = _hurts(run, model, study, found)
    first = first_numbers(run)[model, study]
    return [
        _row(
            row,
            scores,
            measure,
            at=links.answer_page(run.name, model, study, row["position"]),
            number=first + row["position"] + 1,
            hurts=hurt,
        )
        for (row, scores), hurt in zip(found, hurts, strict=True)
    ]


def _hurts(
    run: OpenRun,
    model: str,
    study: str,
    found: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]],
) -> list[bool]:
    """Say which answers are blurred: as transcripts do, and what triples were judged to."""
    judged = sensitive(
        [(row["prompt"] or "")[:_READ] for row, _ in found],
        [(row["text"] or "")[:_READ] for row, _ in found],
        [{score["measure"]: score["value"] for score in scores} for _, scores in found],
    )
    triples = _hurting_triples(run, model, study)
    return [
        hurt or (row["prompt"], row["text"]) in triples
        for hurt, (row, _) in zip(judged, found, strict=True)
    ]


def _row(
    row: dict[str, Any],
    scored: list[dict[str, Any]],
    measure: str,
    *,
    at: str,
    number: int,
    hurts: bool,
) -> AnswerRow:
    own = next((score for score in scored if score["measure"] == measure), None)
    read = {score["measure"]: score["value"] for score in scored}
    refused = row["outcome"] == "answered" and read.get(REFUSAL) == 1
    reason = row["reason"] or ("" if own is None else own["reason"]) or ""
    value = None if own is None else own["value"]
    spans = [] if own is None else [(start, end) for start, end in own["spans"] or []]
    return AnswerRow(
        position=row["position"],
        number=number,
        at=at,
        group=row["group"],
        condition=row["condition"],
        sample=row["sample"],
        prompt=row["prompt"] or "",
        excerpt=excerpt(row["text"] or "", spans, _CUT),
        outcome="refused" if refused else row["outcome"],
        score="" if value is None else plain(value),
        scores=[(name, plain(value)) for name, value in read.items() if value is not None],
        spans=spans,
        text=row["text"] or "",
        given=given_words(row),
        reason=one_line(reason, 200),
        sensitive=hurts,
    )


def given_words(row: Mapping[str, Any]) -> str:
    """Say in words what came back as log-probabilities; empty when a text did."""
    logprobs = row["logprobs"]
    if not logprobs:
        return ""
    slots = json.loads(row["slots"] or "{}")
    options = slots.get("options")
    names = json.loads(options) if options else []
    if len(names) == len(logprobs):
        weights = np.exp(np.asarray(logprobs) - max(logprobs))
        shares = weights / weights.sum()
        pairs = zip(names, shares, strict=True)
        return ", ".join(f"{one_line(str(name), 40)} {100 * share:.0f}%" for name, share in pairs)
    mean = sum(logprobs) / len(logprobs)
    many = f"{len(logprobs):,} tokens" if len(logprobs) > 1 else "1 token"
    return f"log-probability {plain(sum(logprobs))} ({many}, {plain(mean)} each)"


def _hurting_triples(run: OpenRun, model: str, study: str) -> set[tuple[str, str]]:
    """List question and answer of the triples of a study that its graph blurs."""
    import polars as pl

    def read() -> set[tuple[str, str]]:
        for heading in run.headings():
            if (heading.label, heading.model) != (study, model):
                continue
            table = run.section(heading.number).analysis.tables.get("triples")
            if table is None or not {"prompt", "raw", "regard_label", "toxicity"} <= set(
                table.columns
            ):
                continue
            toxicity = pl.col("toxicity").cast(pl.Float64)
            unknown = pl.col("regard_label").is_null() & toxicity.is_null()
            hurting = (pl.col("regard_label") == "negative") | (toxicity >= _TOXIC) | unknown
            return set(table.filter(hurting).select("prompt", "raw").rows())
        return set()

    return run.remembered(f"hurting triples {model} {study}", "findings.json", read)
