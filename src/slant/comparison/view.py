"""A comparison as a page shows it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.comparison.change import CHANGED
from slant.comparison.wording import (
    STATE_WORDS,
    WAY_WORDS,
    caveat_text,
    change_text,
    headline,
    missing_reason,
    share_text,
    state_order,
    surest,
    told_studies,
)
from slant.reports.interval_glyph import fitted
from slant.reports.numbers import interval_text, probability, quantity, value_text
from slant.reports.pictures import Picture
from slant.reports.safe_text import file_name, one_line
from slant.reports.views import TableView
from slant.reports.wording import heading_of, words_of
from slant.reports.written_table import written_table
from slant.signature import one_line as signature_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.comparison.change import Change
    from slant.comparison.compare import Comparison
    from slant.comparison.side import Side
    from slant.comparison.wording import StudyTold
    from slant.knowledge_graph.compare import GraphComparison
    from slant.records import Finding
    from slant.reports.difference_words import Sentence
    from slant.reports.interval_glyph import Scale

_PICTURES = 4
_ROWS_DRAWN = 24
_TRIPLES = 60
_CALM = 3


@dataclass(frozen=True)
class Dumbbell:
    """Places of both sides in percent of the width; what is not known is `None`."""

    first: float
    first_low: float | None
    first_high: float | None
    second: float
    second_low: float | None
    second_high: float | None
    zero: float | None


@dataclass(frozen=True)
class ChangeRow:
    """A change in writing.

    Attributes
    ----------
    change
        What it shows.
    significance
        `above` or `below` where the change is more than chance gives, else `within`.
    state, way, what
        In words: what became of it, how it was computed, what is measured.
    first, second
        The value and its interval on either side; the value is empty where there is none.
    difference, q, detectable
        In writing; may be empty.
    reason
        Why a side has no value.
    caveats
        In what the sides are not the same measurement.
    dumbbell
        The small picture; `None` unless both sides have a value.
    """

    change: Change
    significance: str
    state: str
    way: str
    what: str
    first: tuple[str, str]
    second: tuple[str, str]
    difference: str
    q: str
    detectable: str
    reason: str
    caveats: list[str]
    dumbbell: Dumbbell | None


@dataclass(frozen=True)
class GraphsView:
    """What two graphs of triples have in common, in writing."""

    sentence: str
    subjects: TableView
    triples: TableView | None


@dataclass(frozen=True)
class ComparisonView:
    """A comparison in writing.

    Attributes
    ----------
    name
        Identifier, unique in the page.
    comparison
        What it shows.
    headline
        What changed, in a sentence.
    differs
        Whether anything did.
    told, calm
        Studies that stand in the open: those with a change or a lean that only one side is sure
        of, or a few if there are none; and the others.
    rows
        All changes, those beyond chance first, the surest before the others.
    pictures
        Of the families of figures in which something changed, else of the first.
    graphs
        Of triples; may be `None`.
    """

    name: str
    comparison: Comparison
    headline: Sentence
    differs: bool
    told: list[StudyTold]
    calm: list[StudyTold]
    rows: list[ChangeRow]
    pictures: list[Picture]
    graphs: GraphsView | None


def side_words(side: Side, other: Side) -> str:
    """Name a side by what tells it from the other: the run, the model, or both."""
    run, model = one_line(side.name, 60), one_line(side.model, 60)
    if side.name == other.name:
        return model
    return run if side.model == other.model else f"{run} · {model}"


def comparison_view(comparison: Comparison, number: int) -> ComparisonView:
    """Put a comparison into writing, and draw it.

    Parameters
    ----------
    comparison
        What to show.
    number
        Its place in the page, from 1.
    """
    name = f"c{number}"
    scales = _scales(comparison.changes)
    studies = told_studies(comparison)
    told = [study for study in studies if study.changed or study.unsure] or studies[:_CALM]
    ordered = sorted(comparison.changes, key=lambda c: (state_order(c.state), *surest(c)))
    return ComparisonView(
        name=name,
        comparison=comparison,
        headline=headline(comparison),
        differs=any(change.state in CHANGED for change in comparison.changes),
        told=told,
        calm=[study for study in studies if study not in told],
        rows=[change_row(change, scales.get(_family(change))) for change in ordered],
        pictures=_pictures(comparison, name),
        graphs=None if comparison.graphs is None else _graphs(comparison.graphs, name),
    )


def change_row(change: Change, on: Scale | None) -> ChangeRow:
    """Put a change into writing; `on` places it beside the others of its family."""
    shown = change.shown
    metric = words_of(shown).name
    contrast = heading_of(shown)
    what = metric if contrast == metric else f"{metric}: {contrast[:1].lower()}{contrast[1:]}"
    detectable = ""
    unit = shown.scale
    if change.detectable is not None and unit != "ratio":
        size = change.detectable
        detectable = share_text(size) if unit == "share" else quantity(size, unit)
    return ChangeRow(
        change=change,
        significance=_significance(change),
        state=_state_words(change),
        way=WAY_WORDS[change.way],
        what=what,
        first=_written(change.first),
        second=_written(change.second),
        difference=change_text(change) if change.value is not None else "",
        q="" if change.q is None else probability("q", change.q),
        detectable=detectable,
        reason=missing_reason(change) if change.state in ("new", "gone", "unmeasured") else "",
        caveats=[caveat_text(caveat) for caveat in change.caveats],
        dumbbell=_dumbbell(change, on),
    )


def _significance(change: Change) -> str:
    if change.state not in CHANGED:
        return "within"
    return "above" if (change.value or 0.0) > 0 else "below"


def _state_words(change: Change) -> str:
    own = not change.shown.is_comparison
    if own and change.state in ("larger", "smaller"):
        return "risen" if change.state == "larger" else "fallen"
    return STATE_WORDS[change.state]


def _written(finding: Finding | None) -> tuple[str, str]:
    if finding is None or finding.value is None:
        return "", ""
    return value_text(finding), interval_text(finding)


def _family(change: Change) -> tuple[str, str, str, str]:
    study, metric, axis, _, contrast, _ = change.key
    return study, metric, axis, contrast


def _ends(change: Change) -> list[float]:
    sides = [side for side in (change.first, change.second) if side is not None]
    return [x for f in sides for x in (f.value, f.low, f.high) if x is not None]


def _scales(changes: Sequence[Change]) -> dict[tuple[str, str, str, str], Scale]:
    """Fit one scale around all rows of a family; ratios are placed on a logarithmic one."""
    ends: dict[tuple[str, str, str, str], list[float]] = {}
    ratios = {_family(change) for change in changes if change.shown.scale == "ratio"}
    for change in changes:
        ends.setdefault(_family(change), []).extend(_ends(change))
    scales = {}
    for family, own in ends.items():
        log = family in ratios
        scales[family] = fitted(own if log else [0.0, *own], log=log)
    return scales


def _dumbbell(change: Change, on: Scale | None) -> Dumbbell | None:
    first, second = change.first, change.second
    if on is None or first is None or second is None:
        return None
    if first.value is None or second.value is None:
        return None

    def at(value: float | None) -> float | None:
        return None if value is None else on(value)

    return Dumbbell(
        on(first.value), at(first.low), at(first.high),
        on(second.value), at(second.low), at(second.high),
        on(0.0) if not on.log and second.is_comparison else None,
    )  # fmt: skip


def _pictures(comparison: Comparison, name: str) -> list[Picture]:
    families: dict[tuple[str, str, str, str], list[Change]] = {}
    for change in comparison.changes:
        if change.value is not None and change.shown.scale != "ratio":
            families.setdefault(_family(change), []).append(change)
    told = [own for own in families.values() if any(c.state in CHANGED for c in own)]
    # Comparisons first: what a group leans by says more than what it is.
    told.sort(key=lambda own: not own[0].shown.is_comparison)
    told = told or list(families.values())[:1]
    return [
        _picture(own, comparison, f"{name}-p{place}")
        for place, own in enumerate(told[:_PICTURES], start=1)
    ]


def _picture(changes: list[Change], comparison: Comparison, name: str) -> Picture:
    """Draw one family of figures as dumbbells, for laptop and phone."""
    from slant.reports.figures.dumbbell import dumbbell
    from slant.reports.figures.theme import NARROW, WIDE
    from slant.reports.svg import inline_svg

    shown, shown_key = changes[0].shown, changes[0].key
    words = words_of(shown)
    contrast = heading_of(shown)
    title = words.name if contrast == words.name else f"{words.name}: {contrast.lower()}"
    if any(c.key[:2] == shown_key[:2] and c.key[2] != shown_key[2] for c in comparison.changes):
        title += f" ({shown.axis.replace('_', ' ')})"
    first, second = comparison.base, comparison.other
    sides = f"first: {side_words(first, second)}; second: {side_words(second, first)}"
    drawn = sorted(changes, key=lambda c: (c.state not in CHANGED, *surest(c)))[:_ROWS_DRAWN]
    drawn.sort(key=lambda c: -(c.second.value or 0.0) if c.second else 0.0)
    table = picture_table(drawn)
    percent = shown.scale == "share"
    measure = "percentage points" if shown.is_comparison else "%"
    measure = measure if percent else words.name.lower()
    described = "; ".join(
        f"{one_line(c.key[3])} from {_written(c.first)[0]} to {_written(c.second)[0]}"
        for c in drawn[:12]
    )
    wide = narrow = failure = ""
    try:
        wide, narrow = (
            inline_svg(
                dumbbell(
                    table, measure=measure, percent=percent, title=title, sides=sides, width=width
                ),
                name=f"{name}-{width}",
                title=title,
                description=f"{described}.",
            )
            for width in (WIDE, NARROW)
        )
    except Exception as error:  # a picture must not take the comparison with it
        failure = f"{type(error).__name__}: {error}"
        warnings.warn(f"figure {title!r} cannot be drawn: {failure}", stacklevel=2)
    left = len(changes) - len(drawn)
    return Picture(
        name=name,
        file=file_name(f"slant-compare-{title}"),
        title=f"{title}; {sides}",
        wide=wide,
        narrow=narrow,
        failure=failure,
        facts=[
            _counts(drawn),
            *([f"{left} more rows, with smaller changes, are listed below"] if left else []),
        ],
        signatures=list(dict.fromkeys(signature_line(change.signature) for change in drawn)),
        table=written_table(table.drop("way"), most=_ROWS_DRAWN),
    )


def _counts(changes: Sequence[Change]) -> str:
    n = [finding.n for change in changes for finding in change.both]
    low, high = min(n), max(n)
    return f"n = {low:,} a side" if low == high else f"n = {low:,} to {high:,} a side"


def picture_table(changes: Sequence[Change]) -> pl.DataFrame:
    """Give changes as the table that `figures.dumbbell` draws."""
    import polars as pl

    return pl.DataFrame(
        [
            {
                "group": one_line(c.key[3] + (f", {c.key[5]}" if c.key[5] else "")),
                **_columns("first", c.first),
                **_columns("second", c.second),
                "change": change_text(c).replace(" points", "").replace(" point", ""),
                "way": "plain" if _significance(c) == "within" else _significance(c),
            }
            for c in changes
        ],
        infer_schema_length=None,
        schema_overrides={
            f"{side}{end}": pl.Float64
            for side in ("first", "second")
            for end in ("", "_low", "_high")
        },
    )


def _columns(side: str, finding: Finding | None) -> dict[str, float | None]:
    values = (None,) * 3 if finding is None else (finding.value, finding.low, finding.high)
    return dict(zip((side, f"{side}_low", f"{side}_high"), values, strict=True))


def _graphs(found: GraphComparison, name: str) -> GraphsView:
    import polars as pl

    interval = "" if found.low is None else f" (95% {found.low:.2f} to {found.high:.2f})"
    chance = "" if found.expected is None else f"; by chance {found.expected:.2f}"
    support = "" if found.p is None else f", {probability('p', found.p)}"
    whole = found.subjects.row(0, named=True)
    sentence = (
        f"Of {whole['shared'] + whole['only_first'] + whole['only_second']:,} different triples, "
        f"{whole['shared']:,} are in both graphs: Jaccard index {found.jaccard:.2f}{interval}"
        f"{chance}{support}. Of {whole['judged']:,} that are in both and were judged, "
        f"{whole['changed']:,} changed their regard."
    )
    order = pl.col("where").replace_strict({"shared": 2, "first": 0, "second": 1})
    telling = found.triples.sort(
        ~pl.col("changed").fill_null(value=False), order, maintain_order=True
    )
    which = "" if name == "c1" else f" of comparison {name[1:]}"
    return GraphsView(
        sentence,
        _table(f"Subjects{which}", found.subjects, f"{name}-g1", sensitive=False),
        _table(f"Triples{which}", telling, f"{name}-g2", sensitive=True)
        if telling.height
        else None,
    )


def _table(title: str, frame: pl.DataFrame, name: str, *, sensitive: bool) -> TableView:
    return TableView(name, title, frame.height, written_table(frame, most=_TRIPLES), sensitive)
