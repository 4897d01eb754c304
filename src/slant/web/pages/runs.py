"""The first page: which runs there are; searched, filtered, sorted, all in its address."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from starlette.routing import Route

from slant.web import links
from slant.web.numbers import page_number
from slant.web.render import page
from slant.web.run_state import KINDS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.engine.run_config import RunConfig
    from slant.reports.summary import Summary
    from slant.web.run_index import RunIndex
    from slant.web.run_row import RunRow
    from slant.web.run_state import RunState
    from slant.web.tags import Tags

PAGE = 20
"""Runs on a page."""

SORTS = {"newest": "newest first", "oldest": "oldest first", "title": "by title"}


@dataclass(frozen=True)
class Row:
    """A run in the list.

    Attributes
    ----------
    name, title, config, marks, state
        Of the run; `config` is `None` if `run.toml` is damaged.
    studies
        What it asks, and how often.
    summary
        What it came to; `None` if it came to nothing yet, or that cannot be read.
    fault
        Why its marks cannot be read; empty when they can.
    """

    name: str
    title: str
    config: RunConfig | None
    studies: list[tuple[str, int]]
    marks: Tags
    state: RunState
    summary: Summary | None
    fault: str


@dataclass(frozen=True)
class Asked:
    """What is asked of the list."""

    q: str = ""
    state: str = ""
    model: str = ""
    suite: str = ""
    tag: str = ""
    sort: str = "newest"
    page: int = 1

    @classmethod
    def of(cls, request: Request) -> Asked:
        """Read it from an address; what makes no sense there is as good as absent."""
        given = {name: request.query_params.get(name, "").strip()[:200] for name in _WORDS}
        number = request.query_params.get("page", "1")
        if given["sort"] not in SORTS:
            given["sort"] = "newest"
        return cls(**given, page=page_number(number))

    def address(self, **changed: object) -> str:
        """Give the address of the same list, but for what is changed."""
        asked = {**vars(self), "page": 1, **changed}
        kept = {
            name: value
            for name, value in asked.items()
            if value and (name, value) not in (("page", 1), ("sort", "newest"))
        }
        return links.address("", **kept)

    @property
    def narrowed(self) -> bool:
        """Whether anything but the order is asked for."""
        return any((self.q, self.state, self.model, self.suite, self.tag))


_WORDS = ("q", "state", "model", "suite", "tag", "sort")


def runs(request: Request) -> Response:
    """List the runs."""
    run_index: RunIndex = request.app.state.run_index
    entries, asked = run_index.entries(), Asked.of(request)
    found = _sorted(_found(entries, asked), asked.sort)
    pages = max(1, -(-len(found) // PAGE))
    number = min(max(asked.page, 1), pages)
    shown = found[(number - 1) * PAGE : number * PAGE]
    return page(
        request,
        "runs.html.j2",
        rows=[_row(entry) for entry in shown],
        total=len(entries),
        found=len(found),
        asked=asked,
        number=number,
        pages=pages,
        choices=_choices(entries, asked),
        directory=run_index.directory.name,
    )


def _found(entries: list[RunRow], asked: Asked) -> list[RunRow]:
    words = asked.q.lower().split()
    return [
        entry
        for entry in entries
        if (not words or entry.answers_to(words))
        and (not asked.model or (entry.config and asked.model in entry.config.models))
        and (not asked.suite or (entry.config and asked.suite == entry.config.name))
        and (not asked.tag or asked.tag in entry.marks.tags)
        and (not asked.state or asked.state == entry.state().kind)
    ]


def _sorted(entries: list[RunRow], order: str) -> list[RunRow]:
    """Put runs in order; those whose `run.toml` is damaged come last."""
    dated = [(config, entry) for entry in entries if (config := entry.config) is not None]
    if order == "title":
        dated.sort(key=lambda pair: pair[1].title.lower())
    else:
        dated.sort(key=lambda pair: _moment(pair[0]), reverse=order == "newest")
    return [entry for _, entry in dated] + [e for e in entries if e.config is None]


def _moment(config: RunConfig) -> datetime:
    """Give when a run began; a time without a zone, as anybody may write it, counts as UTC."""
    return config.created if config.created.tzinfo else config.created.replace(tzinfo=UTC)


def _row(entry: RunRow) -> Row:
    config = entry.config
    return Row(
        name=entry.name,
        title=entry.title,
        config=config,
        studies=[] if config is None else list(Counter(s.use for s in config.study).items()),
        marks=entry.marks,
        state=entry.state(),
        summary=entry.counted().summary,
        fault=entry.marks.fault,
    )


def _choices(
    entries: list[RunRow], asked: Asked
) -> list[tuple[str, str, list[tuple[str, str]], str]]:
    """List the selections: what each is called, what can be chosen, what is; useless ones not."""
    configs = [entry.config for entry in entries if entry.config]
    given = [
        ("model", "Model", Counter(model for config in configs for model in config.models)),
        ("suite", "Suite", Counter(config.name for config in configs)),
        ("tag", "Tag", Counter(tag for entry in entries for tag in entry.marks.tags)),
    ]
    choices = [("state", "State", [("", "any"), *KINDS.items()], asked.state)]
    for name, words, counts in given:
        chosen = getattr(asked, name)
        if chosen or len(counts) > (name != "tag"):
            known = [(value, f"{value} ({count})") for value, count in sorted(counts.items())]
            choices.append((name, words, [("", "any"), *known], chosen))
    return [*choices, ("sort", "Order", list(SORTS.items()), asked.sort)]


ROUTES = [Route("/", runs)]
