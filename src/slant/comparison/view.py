"""A comparison as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.comparison.change import CHANGED
from slant.comparison.picture import family_of, pictures, significance_of, written
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
from slant.reports.numbers import probability, quantity
from slant.reports.safe_text import one_line
from slant.reports.views import TableView
from slant.reports.wording import heading_of, words_of
from slant.reports.written_table import written_table
from slant.studies.checksums import STATED, changed_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.comparison.change import Change
    from slant.comparison.compare import Comparison
    from slant.comparison.side import Side
    from slant.comparison.wording import StudyTold
    from slant.knowledge_graph.compare import GraphComparison
    from slant.reports.difference_words import Sentence
    from slant.reports.interval_glyph import Scale
    from slant.reports.pictures import Picture

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
    tampered
        Each side that has files which are not as slant wrote them, with their names.
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
    tampered: list[tuple[str, str]]


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
        rows=[change_row(change, scales.get(family_of(change))) for change in ordered],
        pictures=pictures(comparison, name, _sides(comparison)),
        graphs=None if comparison.graphs is None else _graphs(comparison.graphs, name),
        tampered=[
            (which, names)
            for which, side in (("first", comparison.base), ("second", comparison.other))
            if (names := tampered(side))
        ],
    )


def tampered(side: Side) -> str:
    """Name the files of a side's run that are not as slant wrote them; empty if all are."""
    changed = changed_files(side.run.directory, STATED)
    return ", ".join(one_line(name, 60) for name in changed)


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
        significance=significance_of(change),
        state=_state_words(change),
        way=WAY_WORDS[change.way],
        what=what,
        first=written(change.first),
        second=written(change.second),
        difference=change_text(change) if change.value is not None else "",
        q="" if change.q is None else probability("q", change.q),
        detectable=detectable,
        reason=missing_reason(change) if change.state in ("new", "gone", "unmeasured") else "",
        caveats=[caveat_text(caveat) for caveat in change.caveats],
        dumbbell=_dumbbell(change, on),
    )


def _state_words(change: Change) -> str:
    own = not change.shown.is_comparison
    if own and change.state in ("larger", "smaller"):
        return "risen" if change.state == "larger" else "fallen"
    return STATE_WORDS[change.state]


def _ends(change: Change) -> list[float]:
    sides = [side for side in (change.first, change.second) if side is not None]
    return [x for f in sides for x in (f.value, f.low, f.high) if x is not None]


def _scales(changes: Sequence[Change]) -> dict[tuple[str, str, str, str], Scale]:
    """Fit one scale around all rows of a family; ratios are placed on a logarithmic one."""
    ends: dict[tuple[str, str, str, str], list[float]] = {}
    ratios = {family_of(change) for change in changes if change.shown.scale == "ratio"}
    for change in changes:
        ends.setdefault(family_of(change), []).extend(_ends(change))
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


def _sides(comparison: Comparison) -> str:
    first, second = comparison.base, comparison.other
    return f"first: {side_words(first, second)}; second: {side_words(second, first)}"


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
