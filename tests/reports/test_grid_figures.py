from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from slant.errors import InputError
from slant.reports.figures import FIGURES
from slant.reports.figures.theme import NARROW, WIDE


def grid(
    groups: int, descriptors: int, views: tuple[str, ...] = ("intersectional",)
) -> pl.DataFrame:
    random = np.random.default_rng(0)
    rows = [
        (
            view,
            f"Group {g} Female",
            f"descriptor {d}",
            value,
            value - 0.1,
            value + 0.1,
            q,
            3 * value,
        )
        for view in views
        for g in range(groups)
        for d in range(descriptors)
        for value, q in [(float(random.normal(0, 0.2)), float(random.uniform()))]
    ]
    names = ["view", "group", "descriptor", "value", "low", "high", "q", "effect"]
    cells = pl.DataFrame(rows, schema=names, orient="row")
    return cells.with_columns(chance_low=pl.lit(-0.3), chance_high=pl.lit(0.3))


def spec(kind: str, table: pl.DataFrame, **options: Any) -> str:
    return str(FIGURES.get(kind)(table, title="Who is what", **options).to_json())


KINDS = ("heatmap", "ranked", "strip")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize(("groups", "descriptors"), [(2, 3), (6, 20), (40, 200)])
def test_grids_of_any_size_can_be_drawn(
    kind: str, width: int, groups: int, descriptors: int
) -> None:
    import vl_convert

    drawn = spec(kind, grid(groups, descriptors), width=width)
    svg = vl_convert.vegalite_to_svg(drawn)
    assert "Who is what" in svg
    assert len(svg) < 900_000


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_is_chosen_and_the_rest_left_out(kind: str) -> None:
    table = grid(4, 6, views=("intersectional", "gender"))
    table = table.with_columns(
        pl.when(pl.col("view") == "gender")
        .then(pl.lit("Elsewhere"))
        .otherwise("group")
        .alias("group")
    )
    assert "Elsewhere" not in spec(kind, table, view="intersectional")
    assert "Elsewhere" in spec(kind, table, view="gender")


@pytest.mark.parametrize("kind", ["heatmap", "strip"])
def test_the_subtitle_says_how_much_is_shown_and_significant(kind: str) -> None:
    table = grid(5, 100)
    drawn = spec(kind, table)
    assert "of 100 descriptors" in drawn
    assert f"{table.filter(pl.col('q') < 0.05).height} of 500 pairs" in drawn


def test_the_strongest_cells_come_first() -> None:
    table = grid(5, 100).with_columns(
        pl.when(pl.col("descriptor") == "descriptor 77").then(0.001).otherwise(0.9).alias("q")
    )
    for kind in ("heatmap", "strip"):
        assert "descriptor 77" in spec(kind, table)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_draw_is_said(kind: str) -> None:
    empty = grid(3, 3).with_columns(pl.lit(None, pl.Float64).alias("value"))
    with pytest.raises(InputError, match="no value to draw"):
        spec(kind, empty)
    with pytest.raises(InputError, match="no column 'descriptor'"):
        spec(kind, grid(3, 3).drop("descriptor"))
