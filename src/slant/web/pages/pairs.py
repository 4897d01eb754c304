"""Counterfactual pairs side by side: the same question about two groups."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.routing import Route

from slant.errors import InputError, unknown
from slant.reports.articles import article_pairs
from slant.reports.numbers import plain
from slant.web import links
from slant.web.answer_pairs import ORDERS, answer_pairs, compared, ordered
from slant.web.asked import groups_asked, measure_of, measures_of
from slant.web.finding_answers import Behind
from slant.web.numbers import NUMBER, page_number
from slant.web.pages.study import asked_section, places_to_go
from slant.web.render import page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.studies.section import Section
    from slant.web.answer_pairs import Order, TwoTexts
    from slant.web.answer_rows import AnswerRow
    from slant.web.open_run import OpenRun

_MOST_CONDITIONS = 200
MORE = {"one": "the first", "other": "the second"}


@dataclass(frozen=True)
class Chosen:
    """Which pairs a reader asked for; `at` counts from 1."""

    axis: str
    one: str
    other: str
    measure: str
    condition: str
    more: str
    order: Order
    at: int


@dataclass(frozen=True)
class Pair:
    """One pair: the two answers, their questions and their texts taken apart."""

    one: AnswerRow
    other: AnswerRow
    prompts: TwoTexts
    texts: TwoTexts
    difference: str


def pairs(request: Request) -> Response:
    """Show one pair of a section, with ways to the next."""
    run, number, section = asked_section(request)
    query = request.query_params
    groups = groups_asked(run, section)
    if len(groups) < 2:
        return _articles(request, run, number, section)
    measures = measures_of(run, section.model, section.label)
    chosen = _chosen(query, section, groups, measures)
    place = (run, section.model, section.label, chosen.axis)
    sides = [Behind(*place, group, "", chosen.measure) for group in (chosen.one, chosen.other)]
    found = answer_pairs(*sides)
    conditions = found["condition"].unique(maintain_order=True).to_list()
    counts = _counts(found)
    found = ordered(_filtered(found, chosen), chosen.order)
    at = min(chosen.at, max(1, found.height))
    shown = None if found.is_empty() else _pair(sides, found.row(at - 1, named=True))
    asked = {
        "axis": chosen.axis, "a": chosen.one, "b": chosen.other, "measure": query.get("measure"),
        "condition": chosen.condition, "more": chosen.more, "order": chosen.order,
    }  # fmt: skip
    swapped = {**asked, "a": chosen.other, "b": chosen.one}
    swapped["more"] = {"one": "other", "other": "one"}.get(chosen.more, "")

    def turned(**changes: object) -> str:
        renamed = {"at" if name == "page" else name: value for name, value in changes.items()}
        return links.pairs_page(run.name, number, **{**asked, **renamed})

    axes = list(dict.fromkeys(axis for axis, _ in groups))
    return page(
        request,
        "pairs.html.j2",
        run=run,
        number=number,
        section=section,
        places=places_to_go(run, number),
        axes=[axis for axis in axes if sum(axis == each for each, _ in groups) > 1],
        groups=[group for axis, group in groups if axis == chosen.axis],
        chosen=chosen,
        measures=measures,
        conditions=conditions[:_MOST_CONDITIONS],
        counts=counts,
        orders=ORDERS,
        more=MORE,
        at=at,
        total=found.height,
        pair=shown,
        turned=turned,
        swap=links.pairs_page(run.name, number, **swapped),
        values="" if chosen.measure else _values_are(sides[0]),
    )


def _chosen(
    query: Mapping[str, str],
    section: Section,
    groups: Sequence[tuple[str, str]],
    measures: Sequence[str],
) -> Chosen:
    axes = [axis for axis, _ in groups]
    several = [axis for axis in dict.fromkeys(axes) if axes.count(axis) > 1]
    if not several:
        raise InputError("this study asked about one group on each axis: there is nothing to pair")
    axis = query.get("axis") or next((a for a, g in groups if g == query.get("a")), several[0])
    if axis not in several:
        raise unknown("axis", axis, several)
    names = [group for each, group in groups if each == axis]
    one = query.get("a") or _most_different(section, axis, names)
    if one not in names:
        raise unknown("group", one, names)
    others = [name for name in names if name != one]
    other = query.get("b") or _opposite(section, axis, one, others)
    if other not in others:
        raise unknown("other group", other, others)
    counted = (measure_of(f, measures) for f in section.analysis.findings)
    own = next((measure for measure in counted if measure), measures[0] if measures else "")
    asked, at, order = query.get("measure", ""), query.get("at", "1"), query.get("order")
    return Chosen(
        axis=axis,
        one=one,
        other=other,
        measure=asked if asked in measures else own,
        condition=query.get("condition", ""),
        more=query["more"] if query.get("more") in MORE else "",
        order=order if order in ORDERS else "largest",
        at=page_number(at),
    )


def _most_different(section: Section, axis: str, names: Sequence[str]) -> str:
    """Begin with the group of the surest comparison."""
    tested = [f for f in section.analysis.findings
              if f.axis == axis and f.group in names and f.q is not None and f.value]  # fmt: skip
    if not tested:
        return names[0]
    return min(tested, key=lambda f: (f.q or 0.0, -abs(f.effect or 0.0))).group


def _opposite(section: Section, axis: str, one: str, others: Sequence[str]) -> str:
    """Set beside it the group whose own figure is furthest away."""
    own = [f for f in section.analysis.findings
           if f.axis == axis and f.value is not None and not f.is_comparison]  # fmt: skip
    metric = next((f.metric for f in own), "")
    values = {f.group: f.value or 0.0 for f in own if f.metric == metric}
    if one not in values:
        return others[0]
    return max(others, key=lambda name: abs(values.get(name, values[one]) - values[one]))


def _filtered(found: pl.DataFrame, chosen: Chosen) -> pl.DataFrame:
    import polars as pl

    if chosen.condition:
        found = found.filter(pl.col("condition") == chosen.condition)
    if chosen.more:
        higher = pl.col("difference") > 0 if chosen.more == "one" else pl.col("difference") < 0
        found = found.filter(higher)
    return found


def _counts(found: pl.DataFrame) -> dict[str, int]:
    difference = found["difference"]
    return {
        "pairs": found.height,
        "one": int((difference > 0).sum() or 0),
        "other": int((difference < 0).sum() or 0),
        "same": int((difference == 0).sum() or 0),
        "unknown": difference.null_count(),
    }


def _pair(sides: Sequence[Behind], row: dict[str, object]) -> Pair:
    one, other = (
        side.rows([int(str(row[name]))])[0]
        for side, name in zip(sides, ("one", "other"), strict=True)
    )
    difference = row["difference"]
    return Pair(
        one=one,
        other=other,
        prompts=compared(one.prompt, other.prompt),
        texts=compared(one.text, other.text, (one.spans, other.spans)),
        difference=plain(abs(difference)) if isinstance(difference, float) else "not known",
    )


def _values_are(side: Behind) -> str:
    """Say what is compared where no measure scores the answers."""
    import polars as pl

    row = side.narrowed().filter(pl.col("logprobs").is_not_null()).select("slots").head(1)
    slots = row.collect()["slots"].to_list()
    if not slots:
        return ""
    told = json.loads(slots[0] or "{}")
    if "contrary" in told:
        return "probability of the answer that contradicts the label"
    if "options" in told:
        return "probability of the first option"
    return "log-probability of a token, on average"


def _articles(request: Request, run: OpenRun, number: int, section: Section) -> Response:
    """Show texts beside their references, where a study asked about no groups."""
    analysis = section.analysis
    views = [view for view in analysis.views if view.kind == "articles"]
    found = [pair for view in views for pair in article_pairs(analysis.tables[view.table])]
    if not found:
        raise InputError("this study asked about no two groups: there is nothing to pair")
    at = page_number(request.query_params.get("at", ""))
    place = at if at <= len(found) else 1
    return page(
        request,
        "articles_page.html.j2",
        run=run,
        number=number,
        section=section,
        places=places_to_go(run, number),
        article=found[place - 1],
        at=place,
        total=len(found),
        turned=lambda **changes: links.pairs_page(run.name, number, at=changes["page"]),
    )


ROUTES = [Route(f"/run/{{run}}/pairs/{NUMBER}", pairs)]
