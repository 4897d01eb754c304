"""How far a run is, in words that change while one looks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from slant.reports.wording import OUTCOME_WORDS
from slant.web.run_state import planned, share_done

if TYPE_CHECKING:
    from slant.engine.progress_file import Heard, RunProgress, StudyProgress
    from slant.web.open_run import OpenRun
    from slant.web.run_state import RunState

_LATE = 15.0
"""Seconds without news after which the page says so."""


@dataclass(frozen=True)
class StudyLine:
    """How far one study is with one model, in words.

    Attributes
    ----------
    study, model
        Which.
    done, total
        Questions; `total` is `None` where a study finds out as it goes.
    rate, left
        How fast, and how long still; empty where that is not known, or over.
    outcomes
        What became of the questions so far.
    ended
        Whether it has come to its end.
    """

    study: str
    model: str
    done: int
    total: int | None
    rate: str
    left: str
    outcomes: str
    ended: bool


@dataclass(frozen=True)
class Live:
    """How far a run is.

    Attributes
    ----------
    headline
        In a sentence.
    percent
        Of the studies, each counting the same; `None` where that is not known.
    studies
        Those that have begun.
    waiting
        How many have not.
    spent
        In US dollars; empty for nothing.
    late
        Since when there was no news, if that is long ago.
    newest
        The last answers.
    """

    headline: str
    percent: int | None
    studies: list[StudyLine]
    waiting: int
    spent: str
    late: str
    newest: list[Heard]


def live_view(run: OpenRun, state: RunState) -> Live | None:
    """Say how far a run is, or was when it stopped; `None` where nothing is known."""
    progress = state.progress
    if progress is None:
        return None
    share = share_done(run.run, progress)
    silence = (datetime.now(UTC) - progress.written).total_seconds()
    late = state.kind == "going" and silence > _LATE
    return Live(
        headline=_headline(run, progress, share),
        percent=None if share is None else int(100 * share),
        studies=[_line(study, going=state.kind == "going") for study in progress.studies],
        waiting=planned(run.run, progress) - len(progress.studies),
        spent=f"${progress.spent:,.4f}" if progress.spent else "",
        late=f"{progress.written:%H:%M:%S} UTC" if late else "",
        newest=progress.newest,
    )


def _headline(run: OpenRun, progress: RunProgress, share: float | None) -> str:
    if progress.phase == "concluding":
        return "Everything is asked; conclusions are being drawn"
    if not progress.studies:
        return "The model is being made ready"
    place = f"study {len(progress.studies)} of {planned(run.run, progress)}"
    return place.capitalize() if share is None else f"{share:.0%} asked, {place}"


def _line(study: StudyProgress, *, going: bool) -> StudyLine:
    rate = study.asked / study.seconds if study.seconds > 0 else 0.0
    open_ = None if study.total is None else max(study.total - study.done, 0)
    under_way = going and not study.ended and rate > 0
    return StudyLine(
        study=study.study,
        model=study.model,
        done=study.done,
        total=study.total,
        rate=f"{rate:,.1f} a second" if rate > 0 else "",
        left=duration(open_ / rate) if under_way and open_ is not None else "",
        outcomes=", ".join(
            f"{count:,} {OUTCOME_WORDS.get(name, name)}"
            for name, count in study.outcomes.items()
            if count
        ),
        ended=study.ended,
    )


def duration(seconds: float) -> str:
    """Write a length of time as people say it.

    Examples
    --------
    >>> duration(8), duration(200), duration(9000)
    ('8 s', '3 min', '2 h 30 min')
    """
    if round(seconds) < 60:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours:,} h {rest} min" if rest else f"{hours:,} h"
