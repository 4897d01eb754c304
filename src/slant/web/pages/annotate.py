"""Where people judge scores: blind, on answers drawn at random; or on one that they picked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse
from starlette.routing import Route

from slant.annotations.annotating import annotate
from slant.annotations.automatic import own_texts, scorers
from slant.annotations.labels import latest
from slant.annotations.ledger import Ledger
from slant.annotations.sample import sample
from slant.errors import InputError
from slant.web import links
from slant.web.annotating import (
    asked_position,
    asked_scorer,
    author_of,
    choices,
    question,
    remember_author,
    said,
    shown_answer,
)
from slant.web.form import form, one
from slant.web.pages.overview import asked_run
from slant.web.render import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.annotations.annotation import Annotation
    from slant.annotations.automatic import Scorer
    from slant.web.open_run import OpenRun

_LABELS = {"1": 1, "0": 0, "unsure": None}


@dataclass(frozen=True)
class Progress:
    """How far somebody is: answers judged blind, those drawn, and all that could be judged."""

    judged: int
    drawn: int
    strata: int
    size: int


def annotating(request: Request) -> Response:
    """Show the next answer to judge, or one that was asked for."""
    run, query = asked_run(request), dict(request.query_params)
    known, author = scorers(run.run), author_of(request)
    if "measure" not in query or not author:
        chosen = asked_scorer(query)
        return page(
            request, "annotate_start.html.j2", run=run, scorers=known, author=author,
            chosen=chosen if chosen in known else None, question=question,
        )  # fmt: skip
    scorer = asked_scorer(query)
    if scorer not in known:
        raise InputError(
            f"{scorer.measure or 'nothing'!r} of {scorer.study or '?'} cannot be judged here: "
            "choose a score on the page of annotations"
        )
    if "position" in query:
        return _picked(request, run, scorer, asked_position(query), author)
    return _next(request, run, scorer, author, query.get("last", ""))


def _next(request: Request, run: OpenRun, scorer: Scorer, author: str, last: str) -> Response:
    drawn = sample(run.run, scorer)
    blind = _blind(run, scorer, author)
    position = drawn.next(blind.keys())
    answer = None if position is None else shown_answer(run.run, scorer, position, marked=False)
    return page(
        request, "annotate.html.j2", run=run, scorer=scorer, author=author, answer=answer,
        question=question(scorer.measure), last=last,
        progress=Progress(len(blind), len(drawn.positions), drawn.strata, drawn.size),
    )  # fmt: skip


def _picked(request: Request, run: OpenRun, scorer: Scorer, position: int, author: str) -> Response:
    """Show an answer with its score, and who ruled what."""
    answer = shown_answer(run.run, scorer, position, marked=True)
    own_text = scorer if own_texts(run.run, scorer) is not None else None
    about = choices(run.run, scorer.model, scorer.study, position, author, own_text)
    mine = next((each for each in about if each.scorer == scorer), None)
    own = None if mine is None else mine.own
    # Somebody who ruled blind and otherwise than the scorer is asked why.
    asked = own if own is not None and own.sampled and own.overrules and not own.reason else None
    return page(
        request, "annotate_one.html.j2", run=run, scorer=scorer, author=author, answer=answer,
        annotating=about, mine=mine, asked=asked, said=said,
    )  # fmt: skip


def _blind(run: OpenRun, scorer: Scorer, author: str) -> dict[int, Annotation]:
    """Give what an author ruled blind about a score, by position."""
    about = (scorer.model, scorer.study, scorer.measure)
    return {
        line.position: line
        for line in latest(Ledger.read(run.run.directory).lines, sampled=True)
        if line.author == author and (line.model, line.study, line.measure) == about
    }


async def rule(request: Request) -> Response:
    """Write a label down."""
    run = asked_run(request)
    sent = await form(request)
    fields = {name: one(sent, name) for name in sent}
    target = await run_in_threadpool(_ruled, run, fields)
    answer = RedirectResponse(target, 303)
    remember_author(answer, fields.get("author", ""))
    return answer


def _ruled(run: OpenRun, fields: dict[str, str]) -> str:
    """Write a label down; give the address to go on to."""
    scorer, position = asked_scorer(fields), asked_position(fields)
    author = fields.get("author", "").strip()
    label = fields.get("label", "")
    if label not in _LABELS:
        raise InputError(f"label {label[:40]!r}: rule 1 (yes) or 0 (no), or unsure")
    value = _LABELS[label]
    line = annotate(
        run.run, scorer, position, value, author=author, reason=fields.get("reason", ""),
        sampled=bool(fields.get("blind")) and _is_blind(run, scorer, position, author, value),
    )  # fmt: skip
    about = {"model": scorer.model, "study": scorer.study, "measure": scorer.measure}
    if fields.get("then") == "answer":
        return links.answer_page(run.name, scorer.model, scorer.study, position)
    if fields.get("then") == "annotations":
        return links.annotations_page(run.name)
    if line.sampled and line.overrules and not line.reason:
        return links.annotate_page(run.name, **about, position=position)
    last = "unsure" if value is None else "differ" if line.overrules else "agree"
    return links.annotate_page(run.name, **about, last=last)


def _is_blind(run: OpenRun, scorer: Scorer, position: int, author: str, label: int | None) -> bool:
    """Tell whether a label was made before its author saw the score.

    Raises
    ------
    InputError
        The answer is not the one drawn for this author.
    """
    blind = _blind(run, scorer, author)
    if position in blind:  # seen by now: what is added can only be a reason
        return blind[position].label == label
    if position != sample(run.run, scorer).next(blind.keys()):
        raise InputError(
            "this answer is not the next one drawn for you: perhaps you judged it in another "
            "window. Load the page of annotating again"
        )
    return True


async def begin(request: Request) -> Response:
    """Remember who judges and what, and go there."""
    run = asked_run(request)
    sent = await form(request)
    author = one(sent, "author").strip()
    known, place = scorers(run.run), one(sent, "scorer")
    if not (place.isdecimal() and len(place) < 10 and int(place) < len(known)):
        raise InputError("choose a score from the list")
    chosen = known[int(place)]
    if not author:
        raise InputError("author: say who judges; a name or initials will do")
    answer = RedirectResponse(
        links.annotate_page(
            run.name, model=chosen.model, study=chosen.study, measure=chosen.measure
        ),
        303,
    )
    remember_author(answer, author)
    return answer


ROUTES = [
    Route("/run/{run}/annotate", annotating, methods=["GET"]),
    Route("/run/{run}/annotate", rule, methods=["POST"]),
    Route("/run/{run}/annotate/begin", begin, methods=["POST"]),
]
