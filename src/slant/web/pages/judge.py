"""Where people judge scores: blind, on answers drawn at random; or on one that they picked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse
from starlette.routing import Route

from slant.engine.judgements.automatic import scorers
from slant.engine.judgements.judging import judge
from slant.engine.judgements.ledger import Ledger
from slant.engine.judgements.rulings import latest
from slant.engine.judgements.sample import sample
from slant.errors import InputError
from slant.web import links
from slant.web.form import form, one
from slant.web.judging import (
    asked_position,
    asked_scorer,
    author_of,
    choices,
    question,
    remember_author,
    said,
    shown_answer,
)
from slant.web.pages.overview import asked_run
from slant.web.render import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.engine.judgements.automatic import Scorer
    from slant.engine.judgements.judgement import Judgement
    from slant.web.open_run import OpenRun

_RULINGS = {"1": 1, "0": 0, "unsure": None}


@dataclass(frozen=True)
class Progress:
    """How far somebody is: answers judged blind, those drawn, and all that could be judged."""

    judged: int
    drawn: int
    strata: int
    size: int


def judging(request: Request) -> Response:
    """Show the next answer to judge, or one that was asked for."""
    run, query = asked_run(request), dict(request.query_params)
    known, author = scorers(run.run), author_of(request)
    if "measure" not in query or not author:
        chosen = asked_scorer(query)
        return page(
            request, "judge_start.html.j2", run=run, scorers=known, author=author,
            chosen=chosen if chosen in known else None, question=question,
        )  # fmt: skip
    scorer = asked_scorer(query)
    if scorer not in known:
        raise InputError(
            f"{scorer.measure or 'nothing'!r} of {scorer.study or '?'} cannot be judged here: "
            "choose a score on the page of judgements"
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
        request, "judge.html.j2", run=run, scorer=scorer, author=author, answer=answer,
        question=question(scorer.measure), last=last,
        progress=Progress(len(blind), len(drawn.positions), drawn.strata, drawn.size),
    )  # fmt: skip


def _picked(request: Request, run: OpenRun, scorer: Scorer, position: int, author: str) -> Response:
    """Show an answer with its score, and who ruled what."""
    answer = shown_answer(run.run, scorer, position, marked=True)
    about = choices(run.run, scorer.model, scorer.study, position, author)
    mine = next((each for each in about if each.scorer == scorer), None)
    own = None if mine is None else mine.own
    # Somebody who ruled blind and otherwise than the scorer is asked why.
    asked = own if own is not None and own.sampled and own.overrules and not own.reason else None
    return page(
        request, "judge_one.html.j2", run=run, scorer=scorer, author=author, answer=answer,
        judging=about, mine=mine, asked=asked, said=said,
    )  # fmt: skip


def _blind(run: OpenRun, scorer: Scorer, author: str) -> dict[int, Judgement]:
    """Give what an author ruled blind about a score, by position."""
    about = (scorer.model, scorer.study, scorer.measure)
    return {
        line.position: line
        for line in latest(Ledger.read(run.run.directory).lines, sampled=True)
        if line.author == author and (line.model, line.study, line.measure) == about
    }


async def rule(request: Request) -> Response:
    """Write a ruling down."""
    run = asked_run(request)
    sent = await form(request)
    fields = {name: one(sent, name) for name in sent}
    target = await run_in_threadpool(_ruled, run, fields)
    answer = RedirectResponse(target, 303)
    remember_author(answer, fields.get("author", ""))
    return answer


def _ruled(run: OpenRun, fields: dict[str, str]) -> str:
    """Write a ruling down; give the address to go on to."""
    scorer, position = asked_scorer(fields), asked_position(fields)
    author = fields.get("author", "").strip()
    ruling = fields.get("ruling", "")
    if ruling not in _RULINGS:
        raise InputError(f"ruling {ruling[:40]!r}: rule 1 (yes) or 0 (no), or unsure")
    value = _RULINGS[ruling]
    line = judge(
        run.run, scorer, position, value, author=author, reason=fields.get("reason", ""),
        sampled=bool(fields.get("blind")) and _is_blind(run, scorer, position, author, value),
    )  # fmt: skip
    about = {"model": scorer.model, "study": scorer.study, "measure": scorer.measure}
    if fields.get("then") == "answer":
        return links.answer_page(run.name, scorer.model, scorer.study, position)
    if fields.get("then") == "judgements":
        return links.judgements_page(run.name)
    if line.sampled and line.overrules and not line.reason:
        return links.judge_page(run.name, **about, position=position)
    last = "unsure" if value is None else "differ" if line.overrules else "agree"
    return links.judge_page(run.name, **about, last=last)


def _is_blind(run: OpenRun, scorer: Scorer, position: int, author: str, ruling: int | None) -> bool:
    """Tell whether a ruling was made before its author saw the score.

    Raises
    ------
    InputError
        The answer is not the one drawn for this author.
    """
    blind = _blind(run, scorer, author)
    if position in blind:  # seen by now: what is added can only be a reason
        return blind[position].ruling == ruling
    if position != sample(run.run, scorer).next(blind.keys()):
        raise InputError(
            "this answer is not the next one drawn for you: perhaps you judged it in another "
            "window. Load the page of judging again"
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
        links.judge_page(run.name, model=chosen.model, study=chosen.study, measure=chosen.measure),
        303,
    )
    remember_author(answer, author)
    return answer


ROUTES = [
    Route("/run/{run}/judge", judging, methods=["GET"]),
    Route("/run/{run}/judge", rule, methods=["POST"]),
    Route("/run/{run}/judge/begin", begin, methods=["POST"]),
]
