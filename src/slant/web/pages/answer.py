"""One answer in full: what was asked, what came back, and every score with what it rests on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import numpy as np
from starlette.routing import Route

from slant.errors import InputError
from slant.records import Choose, Generate, Likelihood
from slant.reports.numbers import plain
from slant.reports.safe_text import Excerpt, excerpt
from slant.transcripts import Selection
from slant.web import links
from slant.web.annotating import author_of, choices, said
from slant.web.numbers import page_number
from slant.web.pages.overview import asked_run
from slant.web.pages.transcripts import asked_within, opening
from slant.web.render import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.records import Message, Prompt
    from slant.transcripts import Score, Transcripts, Whole
    from slant.web.annotating import Choice
    from slant.web.open_run import OpenRun

_PART = 20_000
"""Characters of a text that a page shows."""

_WORDS = 20
"""Matched words of a score that are listed."""


@dataclass(frozen=True)
class Turn:
    """Something that was said to the model, by whom."""

    role: str
    text: Excerpt
    picture: str = ""


@dataclass(frozen=True)
class ScoreShown:
    """A score in words.

    Attributes
    ----------
    measure, value
        What was measured; a dash where there is no value.
    reason
        Why there is none.
    words
        What the value rests on.
    """

    measure: str
    value: str
    reason: str
    words: list[str]


@dataclass(frozen=True)
class Chosen:
    """An option, how probable it was, and its natural logarithm."""

    option: str
    probability: str
    logprob: str


def answer(request: Request) -> Response:
    """Show one answer."""
    run, query = asked_run(request), request.query_params
    if (wait := opening(request, run)) is not None:
        return wait
    table = run.transcripts()
    asked = query.get("position", "")
    if not asked.isdecimal() or len(asked) > 15:
        raise InputError(f"{asked[:40]!r} is no position: it is a number from 0")
    number = table.number(query.get("model", ""), query.get("study", ""), int(asked))
    within = asked_within(query)
    around = (
        within
        if query.get("within")
        else replace(Selection(), model=query.get("model", ""), study=query.get("study", ""))
    )
    if table.indexed < 1:
        around = replace(around, search="")
    place, before, after, total = _neighbours(run, table, number, around)
    whole = table.whole(number, around.search)
    text, spans = whole.row.text or "", [span for score in whole.scores for span in score.spans]
    parts = max(1, -(-len(text) // _PART))
    wanted = query.get("part", "1")
    part = min(page_number(wanted), parts)
    start = (part - 1) * _PART
    shifted = [(left - start, right - start) for left, right in [*spans, *whole.row.in_text]]
    here = (run.name, whole.row.model, whole.row.study, whole.row.position)
    kept = query.get("within", "")
    section = _section(run, whole)
    annotating, fault = _judging(request, run, whole)
    return page(
        request,
        "answer.html.j2",
        run=run,
        row=whole.row,
        whole=whole,
        turns=_turns(whole),
        aside=[
            (name, excerpt(said, (), _PART))
            for name, said in ((table.asides([number], 2 * _PART) or {}).get(number) or {}).items()
        ],
        options=_options(whole),
        logprobs=_logprobs(whole),
        settings=_settings(whole),
        text=excerpt(text[start : start + _PART], shifted, _PART) if text else None,
        length=len(text),
        part=part,
        parts=[links.answer_page(*here, within=kept, part=each + 1) for each in range(parts)],
        scores=[_told(score, text) for score in whole.scores],
        before=before,
        after=after,
        place=place,
        total=total,
        table_page=links.transcripts_page(
            run.name, **around.plain(), page=(place // 50 + 1) if place is not None else ""
        ),
        pairs=""
        if section is None or not whole.row.group
        else links.pairs_page(
            run.name,
            section,
            axis=whole.row.axis,
            a=whole.row.group,
            condition=whole.row.condition,
        ),
        study=None if section is None else links.study_page(run.name, section),
        annotating=annotating,
        judging_fault=fault,
        author=author_of(request),
        position=whole.row.position,
        said=said,
    )


def _judging(request: Request, run: OpenRun, whole: Whole) -> tuple[list[Choice], str]:
    """List the scores that can be judged here, or say why they cannot."""
    row = whole.row
    try:
        found = choices(run.run, row.model, row.study, row.position, author_of(request))
    except InputError as error:  # the answer is there to be read all the same
        return [], str(error)
    return found, ""


def _neighbours(
    run: OpenRun, table: Transcripts, number: int, around: Selection
) -> tuple[int | None, str, str, int]:
    """Find an answer among those it was opened from: its place, and the addresses next to it."""
    numbers = table.select(around)
    found = np.flatnonzero(numbers == number)
    if not len(found):
        return None, "", "", len(numbers)
    place = int(found[0])
    within = urlencode(around.plain())

    def address(other: int) -> str:
        if not 0 <= other < len(numbers):
            return ""
        row = table.frame.row(int(numbers[other]), named=True)
        return links.answer_page(
            run.name, row["model"], row["study"], row["position"], within=within
        )

    return place, address(place - 1), address(place + 1), len(numbers)


def _section(run: OpenRun, whole: Whole) -> int | None:
    """Find the section that the answer belongs to: by model, then by study, as the run asked."""
    models = list(run.run.environment.get("models", {}))
    labels = [study.settings.get("label") or study.use for study in run.config.study]
    if whole.row.model not in models or whole.row.study not in labels or not run.concluded:
        return None
    number = models.index(whole.row.model) * len(labels) + labels.index(whole.row.study)
    return number if number < run.section_count() else None


def _turns(whole: Whole) -> list[Turn]:
    request = whole.request
    if request is None:
        return [Turn("", excerpt(whole.row.prompt, whole.row.in_prompt, _PART))]
    if isinstance(request, Likelihood):
        given = [] if request.source is None else [("given", request.source)]
        said = [*given, ("how probable is", request.text)]
        return [Turn(role, excerpt(text, (), _PART)) for role, text in said]
    return _prompt(request.prompt, whole)


def _prompt(prompt: Prompt, whole: Whole) -> list[Turn]:
    if isinstance(prompt, str):
        return [Turn("to continue", excerpt(prompt, whole.row.in_prompt, _PART))]
    return [_turn(message) for message in prompt]


def _turn(message: Message) -> Turn:
    shown = message.picture
    picture = "" if shown is None else f"{shown.media_type}, sha256 {shown.sha256}"
    return Turn(message.role, excerpt(message.content, (), _PART), picture)


def _options(whole: Whole) -> list[Chosen]:
    request, logprobs = whole.request, whole.logprobs
    if not isinstance(request, Choose) or not logprobs or len(logprobs) != len(request.options):
        return []
    return [
        Chosen(option, f"{100 * math.exp(value):.2f}%", plain(value))
        for option, value in zip(request.options, logprobs, strict=True)
    ]


def _logprobs(whole: Whole) -> tuple[str, str, str] | None:
    """Write the log-probabilities of tokens: all of them, their sum and their mean."""
    values = whole.logprobs
    if not values or isinstance(whole.request, Choose):
        return None
    total = sum(values)
    return ", ".join(plain(value) for value in values), plain(total), plain(total / len(values))


def _settings(whole: Whole) -> list[tuple[str, str]]:
    """Write how the text was drawn."""
    if not isinstance(whole.request, Generate):
        return []
    drawn = whole.request.sampling
    found = [
        ("at most", f"{drawn.max_tokens:,} tokens"),
        ("temperature", plain(drawn.temperature)),
        ("top p", plain(drawn.top_p)),
        ("presence penalty", plain(drawn.presence_penalty) if drawn.presence_penalty else ""),
        ("frequency penalty", plain(drawn.frequency_penalty) if drawn.frequency_penalty else ""),
        ("stops at", ", ".join(map(repr, drawn.stop))),
        ("held to the JSON schema", whole.request.schema),
    ]
    return [(name, value) for name, value in found if value]


def _told(score: Score, text: str) -> ScoreShown:
    words = list(dict.fromkeys(text[start:end] for start, end in score.spans))[:_WORDS]
    value = "–" if score.value is None else plain(score.value)
    return ScoreShown(score.measure, value, score.reason or "", words)


ROUTES = [Route("/run/{run}/answer", answer)]
