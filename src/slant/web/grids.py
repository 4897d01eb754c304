"""Grids of groups and descriptors for a heat map: sorted, filtered, a part at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from slant.errors import InputError
from slant.records import SURE, is_sure
from slant.reports.numbers import plain, probability
from slant.reports.safe_text import one_line
from slant.reports.significance import place

if TYPE_CHECKING:
    import polars as pl

    from slant.reports.significance import Significance
    from slant.studies.section import Section

Order: TypeAlias = Literal["given", "name", "value", "sure"]

ORDERS: dict[Order, str] = {
    "given": "as the study lists them",
    "name": "by name",
    "value": "by value, largest first",
    "sure": "by sureness, surest first",
}
COLUMNS = 24
"""Descriptors that a page shows at once."""

_NEEDED = {"group", "descriptor", "value"}
_STEPS = 5


@dataclass(frozen=True)
class GridName:
    """A grid of a section: its table, its view (empty if there is only one) and its title."""

    table: str
    view: str
    title: str


@dataclass(frozen=True)
class Cell:
    """One cell: its number in writing, its step from −5 to 5, where it stands against chance."""

    descriptor: str
    text: str
    step: int
    significance: Significance
    title: str


@dataclass(frozen=True)
class Grid:
    """A part of a grid.

    Attributes
    ----------
    descriptors
        Columns of this part.
    rows
        Groups, each with its cells; `None` where nothing is known.
    first, total
        Place of the first column, from 0, and how many there are.
    sure, cells
        How many cells of the whole grid are beyond chance, of how many.
    tested
        Whether the table says how sure a cell is.
    """

    descriptors: list[str]
    rows: list[tuple[str, list[Cell | None]]]
    first: int
    total: int
    sure: int
    cells: int
    tested: bool


def grid_names(section: Section) -> list[GridName]:
    """List a section's grids, those that its figures show first."""
    tables = section.analysis.tables
    shown = {}
    for figure in section.analysis.figures:
        if figure.kind == "heatmap" and figure.table in tables:
            shown[figure.table, str(figure.options.get("view", ""))] = figure.title
    names = [GridName(table, view, one_line(title, 160)) for (table, view), title in shown.items()]
    for table, frame in tables.items():
        if frame.is_empty() or not set(frame.columns) >= _NEEDED:
            continue
        views = frame["view"].unique(maintain_order=True) if "view" in frame.columns else [""]
        for view in views:
            if (table, view) not in shown:
                words = f"{table.replace('_', ' ').capitalize()}{': ' + view if view else ''}"
                names.append(GridName(table, view, one_line(words, 160)))
    return names


def grid_table(section: Section, name: GridName) -> pl.DataFrame:
    """Give the cells of a grid that have a value.

    Raises
    ------
    InputError
        The table is not what its figure needs.
    """
    import polars as pl

    frame = section.analysis.tables[name.table]
    if not set(frame.columns) >= _NEEDED:
        raise InputError(f"the table {name.table} is no grid of groups and descriptors")
    if name.view and "view" in frame.columns:
        frame = frame.filter(pl.col("view") == name.view)
    kinds = pl.col("group", "descriptor").cast(pl.String)
    return frame.with_columns(kinds, pl.col("value").cast(pl.Float64)).drop_nulls(list(_NEEDED))


def grid(
    table: pl.DataFrame,
    *,
    rows: Order = "given",
    columns: Order = "sure",
    find: str = "",
    first: int = 0,
) -> Grid:
    """Lay out a part of a grid.

    Parameters
    ----------
    table
        What `grid_table` gave.
    rows, columns
        How to sort groups and descriptors.
    find
        Only descriptors that hold this text, in large or small letters.
    first
        Place of the first descriptor to show, from 0.
    """
    import polars as pl

    tested = "q" in table.columns
    sure = table.filter(pl.col("q") < SURE).height if tested else 0
    whole = table.height
    if find:
        held = pl.col("descriptor").str.to_lowercase().str.contains(find.lower(), literal=True)
        table = table.filter(held)
    names = _sorted(table, "descriptor", columns)
    shown = names[first : first + COLUMNS]
    largest = float(table["value"].abs().max() or 1.0)  # type: ignore[arg-type] # floats
    part = table.filter(pl.col("descriptor").is_in(shown))
    cells = {(row["group"], row["descriptor"]): row for row in part.iter_rows(named=True)}
    return Grid(
        descriptors=shown,
        rows=[
            (group, [_cell(cells.get((group, name)), largest) for name in shown])
            for group in _sorted(table, "group", rows)
        ],
        first=first,
        total=len(names),
        sure=sure,
        cells=whole,
        tested=tested,
    )


def _sorted(table: pl.DataFrame, by: str, order: Order) -> list[str]:
    import polars as pl

    if order == "given":
        return table[by].unique(maintain_order=True).to_list()
    if order == "name":
        return sorted(table[by].unique().to_list(), key=str.casefold)
    effect = "effect" if "effect" in table.columns else "value"
    q = pl.col("q").fill_null(1.0).min() if "q" in table.columns else pl.lit(1.0)
    strongest = pl.col(effect).abs().max().fill_null(0.0)
    ranked = table.group_by(by, maintain_order=True).agg(
        pl.col("value").max().alias("most"), q.alias("least"), strongest.alias("strongest")
    )
    if order == "value":
        return ranked.sort("most", descending=True, maintain_order=True)[by].to_list()
    beyond = (pl.col("least") < SURE).alias("beyond")
    ranked = ranked.with_columns(beyond)
    keys = ["beyond", "strongest"]
    return ranked.sort(keys, descending=True, maintain_order=True)[by].to_list()


def _sure(row: dict[str, Any]) -> bool:
    return is_sure(row["value"], row.get("low"), row.get("high"), 0.0, row["q"])


def _cell(row: dict[str, Any] | None, largest: float) -> Cell | None:
    if row is None:
        return None
    value, q = row["value"], row.get("q")
    step = round(_STEPS * value / largest) if largest else 0
    decimals = 2 if largest < 10 else 1 if largest < 100 else 0
    number = f"{round(value, decimals) or 0.0:+.{decimals}f}".replace("-", "−")
    sureness = "" if q is None else f", {probability('q', q)}"
    group, name = one_line(row["group"], 80), one_line(row["descriptor"], 80)
    return Cell(
        descriptor=row["descriptor"],
        text=number,
        step=step,
        significance=place(value, 0.0, None if q is None else _sure(row)),
        title=f"{group}, {name}: {plain(value)}{sureness}",
    )
