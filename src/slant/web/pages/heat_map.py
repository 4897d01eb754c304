"""A study's heat maps: every cell a link to what lies behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.routing import Route

from slant.errors import InputError
from slant.records import is_sure
from slant.reports.numbers import plain, probability
from slant.reports.safe_text import one_line
from slant.reports.significance import SIGNIFICANCE_WORDS, place
from slant.reports.written_table import cell
from slant.studies.profiles.metrics import word_condition
from slant.web import links
from slant.web.asked import groups_asked
from slant.web.finding_answers import Behind
from slant.web.grids import COLUMNS, ORDERS, grid, grid_names, grid_table
from slant.web.numbers import NUMBER
from slant.web.pages.study import asked_section, places_to_go
from slant.web.render import page
from slant.web.tables_about import tables_about

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.records import Finding
    from slant.studies.section import Section
    from slant.web.grids import Order
    from slant.web.open_run import OpenRun

_SHOWN = 12
"""Answers that a cell shows; the transcripts have the rest."""


def heat_map(request: Request) -> Response:
    """Show a grid and, where a cell is chosen, what lies behind it."""
    run, number, section = asked_section(request)
    query = request.query_params
    names = grid_names(section)
    if not names:
        raise InputError("this study made no heat map: it has no table of groups and descriptors")
    chosen = min(_count(query, "map"), len(names) - 1)
    table = grid_table(section, names[chosen])
    find, first = query.get("find", ""), _count(query, "from")
    asked = {
        "map": chosen,
        "rows": _order(query, "rows", "given"),
        "columns": _order(query, "columns", "sure"),
        "find": find,
        "from": first,
    }

    def turned(**changes: object) -> str:
        return links.heat_map_page(run.name, number, **{**asked, **changes})

    shown = grid(
        table,
        rows=_order(query, "rows", "given"),
        columns=_order(query, "columns", "sure"),
        find=find,
        first=first,
    )
    group, descriptor = query.get("group", ""), query.get("descriptor", "")
    return page(
        request,
        "heat_map.html.j2",
        run=run,
        number=number,
        section=section,
        places=places_to_go(run, number),
        names=names,
        name=names[chosen],
        asked=asked,
        orders=ORDERS,
        step=COLUMNS,
        grid=shown,
        turned=turned,
        group=group,
        descriptor=descriptor,
        key=_key(section, names[chosen].table, names[chosen].view),
        **_behind(run, section, table, group, descriptor),
    )


def _count(query: Mapping[str, str], name: str) -> int:
    text = query.get(name, "0")
    return int(text) if text.isdecimal() and len(text) < 8 else 0


def _order(query: Mapping[str, str], name: str, usual: Order) -> Order:
    asked = query.get(name, usual)
    return asked if asked in ORDERS else usual


def _key(section: Section, table: str, view: str) -> str:
    for figure in section.analysis.figures:
        if figure.table == table and figure.options.get("view", "") == view:
            return one_line(str(figure.options.get("key", "")), 300).replace(
                " Larger: further apart.", ""
            ).replace(" Larger: further from chance.", "")  # fmt: skip
    return ""


def _behind(
    run: OpenRun, section: Section, table: pl.DataFrame, group: str, descriptor: str
) -> dict[str, Any]:
    """Gather what lies behind a cell; nothing when none is chosen."""
    if not group or not descriptor:
        return {"cell": None}
    import polars as pl

    found = table.filter((pl.col("group") == group) & (pl.col("descriptor") == descriptor))
    if found.is_empty():
        raise InputError(
            f"this heat map has no cell of {one_line(group, 60)!r} and {one_line(descriptor, 60)!r}"
        )
    row = found.row(0, named=True)
    sure = is_sure(row["value"], row.get("low"), row.get("high"), 0.0, row.get("q"))
    significance = place(row["value"], 0.0, None if row.get("q") is None else sure)
    rests = _answers(run, section, row)
    rows, total = [], 0
    if rests is not None:
        positions = rests.table()["position"]
        rows, total = rests.rows(positions.head(_SHOWN).to_list()), len(positions)
    about = {"study": section.label, "model": section.model}
    if group in {name for _, name in groups_asked(run, section)}:
        about["group"] = group
    about["search"] = '"' + descriptor.replace('"', " ") + '"'
    return {
        "cell": row,
        "significance": significance,
        "standing_words": SIGNIFICANCE_WORDS[significance],
        "value": plain(row["value"]),
        "interval": _interval(row),
        "q": "" if row.get("q") is None else probability("q", row["q"]),
        "facts": [
            (name.replace("_", " "), cell(value))
            for name, value in row.items()
            if name not in ("view", "group", "descriptor", "value", "low", "high", "q")
            and value is not None
        ],
        "finding": _finding(section, row),
        "answers": rows,
        "total": total,
        "tables": tables_about(section, group, descriptor),
        "transcripts": links.transcripts_page(run.name, **about),
        "axis": rests.axis if rests is not None else _axis(section, group),
    }


def _interval(row: Mapping[str, Any]) -> str:
    if row.get("low") is None or row.get("high") is None:
        return ""
    return f"{plain(row['low'])} to {plain(row['high'])}"


def _finding(section: Section, row: Mapping[str, Any]) -> Finding | None:
    """Find the finding that says the same as a cell."""
    told = {row["descriptor"]}
    if {"field", "condition"} <= row.keys():
        told = {word_condition(row["field"], row["descriptor"], row["condition"])}
    for finding in section.analysis.findings:
        same = finding.group == row["group"] and finding.condition in told
        if same and finding.is_comparison and finding.value is not None:
            return finding
    return None


def _axis(section: Section, group: str) -> str:
    """Say on which axis a group was found; empty when on none."""
    return next((f.axis for f in section.analysis.findings if f.group == group), "")


def _answers(run: OpenRun, section: Section, row: Mapping[str, Any]) -> Behind | None:
    """Find the answers about a cell's group and descriptor; none where no slot tells them.

    Any finding about the group says in which slot its questions hold the descriptor.
    """
    if not run.run.path("answers.parquet").exists():
        return None
    for finding in section.analysis.findings:
        holds = [name for name, value in finding.slots.items() if value == finding.condition]
        if finding.group == row["group"] and holds:
            slots = {**finding.slots, holds[0]: row["descriptor"]}
            place = (run, section.model, section.label, finding.axis, finding.group)
            made = Behind(*place, "", "", finding.part, tuple(slots.items()))
            return None if made.narrowed().head(1).collect().is_empty() else made
    return None


ROUTES = [Route(f"/run/{{run}}/heatmap/{NUMBER}", heat_map)]
