"""What measures say together, as a page shows it: sentences, a picture, tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slant.reports.association_words import (
    agreement_words,
    matrix_words,
    standing_words,
    strength_words,
)
from slant.reports.drawings import Drawings
from slant.reports.pictures import picture
from slant.reports.written_table import Table
from slant.studies.section import Section
from slant.studies.study import Analysis, Figure

if TYPE_CHECKING:
    from pathlib import Path

    from slant.engine.run import Run
    from slant.reports.association_words import Associations
    from slant.reports.associations import Cell, Reading
    from slant.reports.concordance import ThemeMatrix
    from slant.reports.pictures import Picture

_PICTURES, _GROUPS, _ROWS = 4, 14, 400
_TOLD = 12


@dataclass(frozen=True)
class MeasureLine:
    """What one measure says, in writing, with what it rests on."""

    reading: Reading
    words: str


@dataclass(frozen=True)
class CellView:
    """A group and a theme, in writing."""

    cell: Cell
    words: str
    lines: list[MeasureLine]


@dataclass(frozen=True)
class MatrixView:
    """A convergent and discriminant matrix, in writing."""

    title: str
    words: str
    table: Table


@dataclass(frozen=True)
class AssociationsView:
    """What measures say together, in writing and drawn.

    Attributes
    ----------
    disagree, agree, others
        Groups and themes of several measures: where these are sure of opposites, where any is sure,
        and those of which none is.
    more
        How many of the last are left out.
    agreements
        Whether measures agree about the groups, a sentence a theme.
    matrices
        Convergent and discriminant correlations.
    pictures
        One for every model and axis.
    several
        Whether there are several models.
    """

    disagree: list[CellView]
    agree: list[CellView]
    others: list[CellView]
    more: int
    agreements: list[str]
    matrices: list[MatrixView]
    pictures: list[Picture]
    several: bool


def associations_view(
    found: Associations, folder: Path | None = None, *, drawn_only: bool = False
) -> AssociationsView | None:
    """Put into writing what measures say together; `None` where nothing is shared.

    Parameters
    ----------
    found
        What they say.
    folder
        Where drawings are kept (`together_folder`); `None` keeps none.
    drawn_only
        Leave out pictures that are not drawn yet.
    """
    if not found.shared:
        return None
    drawings = [
        (Drawings(section, folder), figure) for section, figure in association_figures(found)
    ]
    drawings = [each for each in drawings if not drawn_only or each[0].holds(each[1])]
    several = len(found.models) > 1
    views = {
        standing: [cell_view(cell) for cell in found.shared if cell.standing in standing]
        for standing in (("disagree",), ("agree", "one"), ("none",))
    }
    silent = views["none",]
    return AssociationsView(
        views["disagree",],
        views["agree", "one"],
        silent[:_TOLD],
        max(0, len(silent) - _TOLD),
        [
            f"{each.model}: {agreement_words(each)}" if several else agreement_words(each)
            for each in found.agreements
            if each.found is not None
        ],
        [_matrix(each, several=several) for each in found.matrices],
        [
            replace(
                drawn,
                facts=[*drawn.facts[:1], "Whether measures agree beyond chance stands above."],
            )
            for place, (kept, figure) in enumerate(drawings, start=1)
            for drawn in [picture(figure, place, kept, f"signs-p{place}", most=_ROWS)]
        ],
        several,
    )


def together_folder(run: Run) -> Path:
    """Give the folder of drawings that are of no single section; new conclusions empty it."""
    return run.path("sections") / "together"


def cell_view(cell: Cell) -> CellView:
    """Put a group and a theme into writing."""
    lines = [MeasureLine(each, strength_words(each)) for each in cell.readings]
    return CellView(cell, standing_words(cell), lines)


def association_figures(found: Associations) -> list[tuple[Section, Figure]]:
    """Give a picture for every model and axis with a theme of several measures."""
    import polars as pl

    shared = list(dict.fromkeys((c.first.model, c.first.axis, c.first.topic) for c in found.shared))
    made = []
    for model, axis in list(dict.fromkeys((model, axis) for model, axis, _ in shared))[:_PICTURES]:
        own = [
            each
            for each in found.readings
            if (each.model, each.axis) == (model, axis) and (model, axis, each.topic) in shared
        ]
        groups = list(dict.fromkeys(each.group for each in own))[:_GROUPS]
        worst = {each.topic: max(e.severity for e in own if e.topic == each.topic) for each in own}
        own.sort(key=lambda each: (
            -worst[each.topic], each.topic.theme, not each.topic.valued, groups.index(each.group)
            if each.group in groups else _GROUPS,
        ))  # fmt: skip
        rows = pl.DataFrame(
            [_row(each) for each in own if each.group in groups], infer_schema_length=None
        )
        title = f"What each measure says about each group: {axis.replace('_', ' ')}"
        figure = Figure("signs", title if len(found.models) < 2 else f"{title}, {model}", "signs")
        analysis = Analysis([], tables={"signs": rows}, figures=[figure])
        made.append((Section("", "associations", model, title, "", analysis), figure))
    return made


def _row(each: Reading) -> dict[str, object]:
    return {
        "theme": each.topic.theme if each.topic.valued else f"{each.topic.theme} (neutral)",
        "measure": each.measure,
        "group": each.group,
        "strength": each.strength,
        "low": each.low,
        "high": each.high,
        "positive": each.positive,
        "sure": each.sure != "",
        "n": each.n,
    }


def _matrix(each: ThemeMatrix, *, several: bool) -> MatrixView:
    names = [f"{topic.theme}, {measure}" for topic, measure in each.columns]
    numbers = [str(place) for place in range(1, len(names) + 1)]
    rows = [
        [
            (f"{place}. {name}", False),
            *((_correlation(value), True) for value in each.found.matrix[place - 1]),
        ]
        for place, name in enumerate(names, start=1)
    ]
    title = each.axis.replace("_", " ") + (f", {each.model}" if several else "")
    return MatrixView(title, matrix_words(each), Table(["theme, measure", *numbers], rows, 0))


def _correlation(value: float) -> str:
    return "–" if value != value else f"{value:+.2f}".replace("-", "−")
