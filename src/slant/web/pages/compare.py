"""Runs or models side by side: what changed, what is new, what is gone, what stayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.routing import Route

from slant.comparison.change import STATES
from slant.comparison.side import paired_sides, sides_from
from slant.comparison.wording import STATE_WORDS
from slant.errors import InputError, unknown
from slant.web.render import page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from slant.comparison.side import Side
    from slant.comparison.view import ChangeRow, ComparisonView
    from slant.web.run_index import RunIndex

_MOST = 8
_FILTERS = ("study", "axis", "state")


@dataclass(frozen=True)
class Choice:
    """A run, or one of its models, that may be compared.

    Attributes
    ----------
    value
        What the address calls it: `RUN`, or `RUN:MODEL`.
    run, model
        Its name, and its model's.
    title, created
        Of the run.
    chosen
        Its place among those compared, from 1; 0 if it is none of them.
    """

    value: str
    run: str
    model: str
    title: str
    created: str
    chosen: int


def compare(request: Request) -> Response:
    """Compare the runs that the address names, or ask which."""
    run_index: RunIndex = request.app.state.run_index
    asked = list(dict.fromkeys(request.query_params.getlist("run")))
    base = request.query_params.get("base", "")
    # Marked as the base alone, or beside one other, it is meant to be compared.
    if base in asked or (base and len(asked) < 2):
        asked = [base, *(name for name in asked if name != base)]
    if len(asked) > _MOST:
        raise InputError(f"{_MOST} runs or models can be compared at once, not {len(asked)}")
    chosen = [_sides(run_index, name) for name in asked]
    alone = len(chosen) == 1 and len(chosen[0]) == 1
    choices = _choices(run_index, asked)
    if not chosen or alone:
        return page(request, "compare_choose.html.j2", choices=choices, asked=asked, most=_MOST)
    found = request.app.state.comparisons.views(paired_sides(chosen))
    if found is None:
        answer = page(request, "compare_wait.html.j2", asked=asked)
        answer.headers["Refresh"] = "1"
        return answer
    views, models = found
    wanted = {name: request.query_params.get(name, "") for name in _FILTERS}
    return page(
        request,
        "compare.html.j2",
        views=views,
        models=models,
        several=len(views) > 1,
        asked=asked,
        choices=choices,
        most=_MOST,
        wanted=wanted,
        known=_known(views),
        rows=[_kept(view.rows, wanted) for view in views],
    )


def _sides(run_index: RunIndex, name: str) -> list[Side]:
    """Find a run by its name, or a model of it behind a colon; both may hold colons."""
    names = run_index.names()
    for run in sorted(names, key=len, reverse=True):
        if name != run and not name.startswith(f"{run}:"):
            continue
        model = name[len(run) + 1 :]
        opened = run_index.open(run)
        sides = sides_from(opened.run, opened.findings().values())
        own = [side for side in sides if model in ("", side.model)]
        if not own:
            raise unknown(f"model of {run}", model, [side.model for side in sides])
        return own
    raise unknown("run", name, names)


def _choices(run_index: RunIndex, asked: Sequence[str]) -> list[Choice]:
    """List the runs that have findings, each with its models if there are several."""
    choices = []
    for name in run_index.names():
        try:
            run = run_index.open(name)
            if not run.concluded:
                continue
        except InputError:
            continue  # the list of runs says why it cannot be read
        config = run.config
        created = config.created.strftime("%Y-%m-%d %H:%M")
        models = list(run.run.environment.get("models", {})) or [str(config.file or "")]
        values = [name] if len(models) == 1 else [f"{name}:{model}" for model in models]
        # A run that was asked for as a whole stands for its models.
        if len(models) > 1 and name in asked:
            values, models = [name], [", ".join(models)]
        choices += [
            Choice(
                value, name, model, run.title, created,
                asked.index(value) + 1 if value in asked else 0,
            )
            for value, model in zip(values, models, strict=True)
        ]  # fmt: skip
    return choices


def _known(views: Sequence[ComparisonView]) -> dict[str, list[tuple[str, str]]]:
    """List what can be filtered by, each value with its words."""
    changes = [change for view in views for change in view.comparison.changes]
    states = {change.state for change in changes}
    return {
        "study": [(study, study) for study in dict.fromkeys(c.study for c in changes)],
        "axis": [
            (axis, axis.replace("_", " ")) for axis in dict.fromkeys(c.key[2] for c in changes)
        ],
        "state": [(state, STATE_WORDS[state]) for state in STATES if state in states],
    }


def _kept(rows: Sequence[ChangeRow], wanted: dict[str, str]) -> list[ChangeRow]:
    return [
        row
        for row in rows
        if wanted["study"] in ("", row.change.study)
        and wanted["axis"] in ("", row.change.key[2])
        and wanted["state"] in ("", row.change.state)
    ]


ROUTES = [Route("/compare", compare)]
