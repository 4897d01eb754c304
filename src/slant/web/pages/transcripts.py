"""All answers of a run: filtered, sorted, searched, a page at a time, or as a file."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from slant.errors import InputError
from slant.reports.numbers import plain
from slant.reports.safe_text import excerpt
from slant.transcripts import Selection
from slant.web import links
from slant.web.answer_rows import given_words
from slant.web.numbers import page_number
from slant.web.pages.overview import asked_run
from slant.web.render import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import polars as pl
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.reports.safe_text import Excerpt
    from slant.transcripts import Row, Transcripts
    from slant.web.open_run import OpenRun

SIZES = (25, 50, 100, 200)
_SIZE = 50
_ANSWER, _PROMPT, _ASIDE = 320, 160, 1_000
"""Characters of answer, prompt and what was set aside that the table shows."""


@dataclass(frozen=True)
class Line:
    """A row of the table."""

    row: Row
    target: str
    prompt: Excerpt
    text: Excerpt | None
    given: str
    aside: list[tuple[str, Excerpt]]
    scores: list[tuple[str, str]]


@dataclass(frozen=True)
class Heading:
    """A column to sort by.

    Attributes
    ----------
    words
        What it is called.
    target
        Address of the table sorted by it; the other way round if it is sorted by it already.
    sorted
        `ascending`, `descending` or empty.
    """

    words: str
    target: str
    sorted: str


def asked_selection(query: Mapping[str, str]) -> Selection:
    """Read which answers an address asks for.

    Raises
    ------
    InputError
        A bound is no number.
    """
    values: dict[str, Any] = {
        field.name: query[field.name].strip()
        for field in fields(Selection)
        if query.get(field.name, "").strip()
    }
    for name in ("low", "high"):
        if name in values:
            values[name] = _number(values[name])
    if "descending" in values:
        values["descending"] = values["descending"] == "1"
    if not values.get("measure"):  # bounds of no measure bound nothing
        values.pop("low", None)
        values.pop("high", None)
    return Selection(**values)


def opening(request: Request, run: OpenRun) -> Response | None:
    """Say that many answers are being read for the first time; `None` once they are."""
    if not run.transcripts_wait():
        return None
    target = links.address("run", run.name, "transcripts", "progress")
    return page(request, "opening.html.j2", run=run, progress=target)


def transcripts(request: Request) -> Response:
    """Show a page of the answers asked for."""
    run, query = asked_run(request), request.query_params
    if (wait := opening(request, run)) is not None:
        return wait
    table, selection = run.transcripts(), asked_selection(query)
    table.prepare()
    waiting = bool(selection.search) and table.indexed < 1
    applied = _without_search(selection) if waiting else selection
    size = int(query["size"]) if query.get("size", "") in map(str, SIZES) else _SIZE
    numbers = table.select(applied)
    pages = max(1, -(-len(numbers) // size))
    asked = query.get("page", "1")
    number = min(page_number(asked), pages)
    here = numbers[(number - 1) * size : number * size]
    shown, asides = table.rows(here, applied.search), table.asides(here)
    given = table.logprobs([row.number for row in shown if row.text is None])
    kept: dict[str, object] = {**selection.plain(), **({"size": size} if size != _SIZE else {})}
    return page(
        request,
        "transcripts.html.j2",
        run=run,
        table=table,
        selection=selection,
        waiting=waiting,
        several_models=len(table.choices()["model"]) > 1,
        filters=_filters(table, selection),
        headings=_headings(run.name, table, selection, kept),
        lines=[
            _line(
                run.name,
                row,
                selection,
                table,
                (asides or {}).get(row.number) or {},
                given_words(given[row.number]) if row.number in given else "",
            )
            for row in shown
        ],
        asides_elsewhere=asides is None,
        total=len(numbers),
        first=(number - 1) * size + 1,
        number=number,
        pages=pages,
        size=size,
        sizes=SIZES,
        before=links.transcripts_page(run.name, **kept, page=number - 1) if number > 1 else "",
        after=links.transcripts_page(run.name, **kept, page=number + 1) if number < pages else "",
        files={
            ending: links.transcripts_file(run.name, ending, **selection.plain())
            for ending in ("csv", "jsonl")
        },
        progress=links.address("run", run.name, "transcripts", "progress"),
    )


def progress(request: Request) -> Response:
    """Say whether the answers can be shown, how far the index is and why it will never be."""
    run = asked_run(request)
    if run.transcripts_wait():
        return JSONResponse({"open": False, "indexed": 0, "fault": ""})
    table = run.transcripts()
    return JSONResponse({"open": True, "indexed": table.indexed, "fault": table.fault})


def csv_file(request: Request) -> Response:
    """Give the answers asked for as CSV, whatever their number."""
    return _file(request, "csv", "text/csv", _csv)


def json_file(request: Request) -> Response:
    """Give the answers asked for as JSON Lines, whatever their number."""
    return _file(request, "jsonl", "application/jsonl", _json_lines)


def _file(
    request: Request,
    ending: str,
    kind: str,
    write: Callable[[Iterator[pl.DataFrame]], Iterator[str]],
) -> Response:
    table = asked_run(request).transcripts()
    numbers = table.select(asked_selection(request.query_params))
    name = f'attachment; filename="transcripts.{ending}"'
    return StreamingResponse(
        write(table.export(numbers)), media_type=kind, headers={"Content-Disposition": name}
    )


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise InputError(f"{text[:40]!r} is no number: write for example 0.5") from error
    if value != value:
        raise InputError("nan is no bound: write for example 0.5")
    return value


def _without_search(selection: Selection) -> Selection:
    values = {field.name: getattr(selection, field.name) for field in fields(Selection)}
    return Selection(**{**values, "search": ""})


def _filters(table: Transcripts, selection: Selection) -> list[tuple[str, list[str]]]:
    """List the columns that are worth filtering by, with what may be chosen."""
    found = []
    for name, values in table.choices(selection.model, selection.study).items():
        chosen = getattr(selection, name)
        known = values if not chosen or chosen in values else [*values, chosen]
        if len(known) > 1 or chosen:
            found.append((name, known))
    return found


def _headings(
    run: str, table: Transcripts, selection: Selection, kept: Mapping[str, object]
) -> dict[str, Heading]:
    """Name the columns that the table can be sorted by, with the order asked as an empty name."""
    found = {}
    for column in ("", *table.frame.columns):
        here = selection.sort == column
        # Scores are looked at from the greatest down.
        turned = not selection.descending if here else column.startswith("score:")
        query = {
            **{name: value for name, value in kept.items() if name not in ("sort", "descending")},
            "sort": column,
            "descending": "1" if turned else "",
        }
        found[column] = Heading(
            column.removeprefix("score:") if column else "order asked",
            links.transcripts_page(run, **query),
            ("descending" if selection.descending else "ascending") if here else "",
        )
    return found


def _line(
    run: str,
    row: Row,
    selection: Selection,
    table: Transcripts,
    aside: Mapping[str, str],
    given: str,
) -> Line:
    spans = [*row.in_text, *(span for spans in row.marks.values() for span in spans)]
    within = urlencode(selection.plain())
    return Line(
        row,
        links.answer_page(run, row.model, row.study, row.position, within=within),
        excerpt(row.prompt, row.in_prompt, _PROMPT),
        None if row.text is None else excerpt(row.text, spans, _ANSWER),
        given,
        [(name, excerpt(said, (), _ASIDE)) for name, said in aside.items()],
        [(name, plain(row.scores[name])) for name in table.measures if name in row.scores],
    )


def asked_within(query: Mapping[str, str]) -> Selection:
    """Read the selection that an answer was opened from."""
    return asked_selection(dict(parse_qsl(query.get("within", ""))))


def _csv(frames: Iterator[pl.DataFrame]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for part, frame in enumerate(frames):
        if not part:
            writer.writerow(frame.columns)
        writer.writerows([_cell(value) for value in row] for row in frame.iter_rows())
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _cell(value: object) -> object:
    """Keep spreadsheets from taking what a model wrote for a formula."""
    risky = isinstance(value, str) and value.lstrip()[:1] in ("=", "+", "-", "@")
    return f"'{value}" if risky else value


def _json_lines(frames: Iterator[pl.DataFrame]) -> Iterator[str]:
    for frame in frames:
        rows = frame.iter_rows(named=True)
        yield "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


ROUTES = [
    Route("/run/{run}/transcripts", transcripts),
    Route("/run/{run}/transcripts/progress", progress),
    Route("/run/{run}/transcripts.csv", csv_file),
    Route("/run/{run}/transcripts.jsonl", json_file),
]
