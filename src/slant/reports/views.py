"""A section of a run as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from slant.reports.cards import metric_views
from slant.reports.drawings import Drawings
from slant.reports.page_budget import ROOMS
from slant.reports.pictures import default_figures, picture, shows_nothing
from slant.reports.verdict import in_order, told, verdicts
from slant.reports.view_kinds import written_views
from slant.reports.wording import is_with_itself
from slant.reports.written_table import written_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from slant.engine.run import Run
    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.cards import Card, MetricView
    from slant.reports.difference_words import Sentence
    from slant.reports.observations import Observation
    from slant.reports.page_budget import Room
    from slant.reports.pictures import Picture
    from slant.reports.verdict import Verdict
    from slant.reports.view_kinds import WrittenView
    from slant.reports.written_table import Table
    from slant.studies.section import Section
    from slant.studies.study import Figure


@dataclass(frozen=True)
class Conclusion:
    """A sentence of the verdict.

    Attributes
    ----------
    sentence
        Its parts.
    differs
        Whether it tells of a difference that is more than chance.
    card
        Identifier of the card it rests on; may be empty.
    finding
        The finding it rests on, if it is one.
    """

    sentence: Sentence
    differs: bool
    card: str
    finding: Finding | None


@dataclass(frozen=True)
class TableView:
    """A table that no figure shows.

    Attributes
    ----------
    name
        Identifier, unique in the page.
    title
        What it is called.
    size
        How many rows there are.
    table
        The first of them.
    sensitive
        Whether it holds what models wrote, and so is blurred until asked for.
    """

    name: str
    title: str
    size: int
    table: Table
    sensitive: bool


@dataclass(frozen=True)
class SectionView:
    """What one study concluded about one model, in writing.

    Attributes
    ----------
    name
        Identifier, unique in the page.
    section
        What it shows.
    conclusions
        What it amounts to: a list for each metric, those that differ first.
    told
        How many of these lists stand in the open: those that differ, and two others.
    lead, pictures, more_pictures
        The first figure, the others, and how many are left out.
    empty_pictures
        How many figures there are in which nothing would be seen.
    tells
        Whether the first figure shows something: a difference, or that there is none that is
        large (`Verdict.telling`).
    views
        What else is to be read or explored: pairs, stories, a graph.
    tables
        What the study kept besides, and neither figure nor view shows.
    metrics
        The findings.
    unmeasured
        Findings without a value, save those that compare a group with itself.
    paragraphs
        How the study works and what it cannot show.
    sensitive
        How many blurred texts the section holds.
    observations
        What findings rest on, by the identity of the finding; set by who has the answers.
    """

    name: str
    section: Section
    conclusions: list[list[Conclusion]]
    told: int
    lead: Picture | None
    tells: bool
    pictures: list[Picture]
    more_pictures: int
    empty_pictures: int
    views: list[WrittenView]
    tables: list[TableView]
    metrics: list[MetricView]
    unmeasured: list[Finding]
    paragraphs: list[str]
    sensitive: int
    observations: Mapping[int, Sequence[Observation]] = field(default_factory=dict)

    @property
    def assets(self) -> list[str]:
        """Names of the style sheets and scripts that its views need."""
        return list(dict.fromkeys(view.text.assets for view in self.views if view.text.assets))

    def cards(self) -> Iterator[Card]:
        """Give every finding that can be unfolded."""
        for metric in self.metrics:
            yield from metric.cards()


def stored_view(run: Run, number: int) -> SectionView:
    """Put one section of a run into writing, with the drawings that are stored beside it.

    Only what has not been drawn yet is drawn, and then stored.

    Parameters
    ----------
    run
        A run that has come to conclusions.
    number
        Place of the section, from 0: `sections/000` and so on.

    Raises
    ------
    InputError
        The run has no such section.
    """
    section = run.section(number)
    return section_view(section, f"s{number + 1}", Drawings(section, run.section_folder(number)))


def section_view(
    section: Section,
    name: str,
    drawings: Drawings | None = None,
    room: Room = ROOMS[0],
    meanings: Meanings | None = None,
) -> SectionView:
    """Put a section into writing.

    Parameters
    ----------
    section
        What a study concluded.
    name
        Prefix of the identifiers, unique in the page.
    drawings
        Gives the drawings of its figures; if `None`, all are drawn now and none is kept.
    room
        How much of it is shown.
    meanings
        What differences mean for people: the worst is told first.
    """
    analysis = section.analysis
    drawings = drawings or Drawings(section)
    judged = in_order(verdicts(analysis.findings, meanings))
    figures = placed_figures(section)
    pictures = _each_table_once(
        picture(figure, place, drawings, f"{name}-p{place}", most=room.rows)
        for place, figure in figures[: room.pictures]
    )
    views = written_views(section, name, room)
    tables = _other_tables(section, views, name, room.rows)
    metrics = metric_views(analysis.findings, analysis.quotes, name, room.cards)
    cards = [card for metric in metrics for card in metric.cards()]
    return SectionView(
        name=name,
        section=section,
        conclusions=_conclusions(judged, cards),
        told=told(judged),
        lead=pictures[0] if pictures else None,
        tells=any(each.differs for each in judged) or any(each.telling for each in judged[:1]),
        pictures=pictures[1:],
        more_pictures=len(figures) - len(pictures),
        empty_pictures=len(default_figures(section)) - len(figures),
        views=views,
        tables=tables,
        metrics=metrics,
        unmeasured=[f for f in analysis.findings if f.value is None and not is_with_itself(f)],
        paragraphs=[part for part in section.method_text.split("\n\n") if part.strip()],
        sensitive=sum(quote.sensitive for card in cards for quote in card.quotes)
        + sum(table.sensitive for table in tables)
        + sum(view.text.sensitive for view in views),
    )


def _each_table_once(pictures: Iterable[Picture]) -> list[Picture]:
    """Let pictures of one table refer to the first of them."""
    kept: list[Picture] = []
    for each in pictures:
        same = next((p.name for p in kept if p.table == each.table and not p.table_at), "")
        kept.append(replace(each, table_at=same if each.table else ""))
    return kept


def stored_lead(section: Section, name: str, drawings: Drawings) -> Picture | None:
    """Show the first figure of a section, if it is drawn already.

    Parameters
    ----------
    section
        What a study concluded.
    name
        Prefix of the identifiers, unique in the page.
    drawings
        Keeps its drawings.
    """
    place, figure = next(iter(placed_figures(section)), (0, None))
    if figure is None or not drawings.holds(figure):
        return None
    return picture(figure, place, drawings, f"{name}-p{place}", most=ROOMS[0].rows)


def placed_figures(section: Section) -> list[tuple[int, Figure]]:
    """Order figures, numbered from 1: first the one that shows what the verdict says first.

    Where groups differ and no figure is of that measure alone, a grid stands for it, whose sure
    cells are the differences. Figures in which there is nothing to see are left out;
    `write_figures` writes all.
    """
    judged = in_order(verdicts(section.analysis.findings))
    leading = [verdict.metric for verdict in judged if verdict.differs]
    differs = bool(leading)
    leading = leading or [verdict.metric for verdict in judged[:1]]
    figures = [each for each in default_figures(section) if not shows_nothing(each, section)]

    def place(figure: Figure) -> int:
        metric = figure.options.get("metric", figure.table)
        if metric in leading:
            return leading.index(metric)
        return len(leading) + (figure.kind != "heatmap" or not differs)

    return list(enumerate(sorted(figures, key=place), start=1))


def _other_tables(
    section: Section, views: Sequence[WrittenView], name: str, most: int
) -> list[TableView]:
    shown = {figure.table for figure in section.analysis.figures}
    shown |= {view.table for view in views if not view.failure}
    return [
        TableView(
            name=f"{name}-t{place}",
            title=title.replace("_", " ").capitalize(),
            size=frame.height,
            table=written_table(frame, most),
            sensitive="text" in frame.columns,
        )
        for place, title in enumerate(section.analysis.tables, start=1)
        if title not in shown and not (frame := section.analysis.tables[title]).is_empty()
    ]


def _conclusions(ordered: Sequence[Verdict], cards: Sequence[Card]) -> list[list[Conclusion]]:
    places = {id(card.finding): card.name for card in cards}
    return [
        [
            Conclusion(sentence, verdict.differs, places.get(id(finding), ""), finding)
            for sentence, finding in verdict.sentences
        ]
        for verdict in ordered
    ]
