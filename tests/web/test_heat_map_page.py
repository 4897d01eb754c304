"""Heat maps whose cells lead to what lies behind them."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import polars as pl
import pytest

from slant.engine.run import Run
from slant.web.grids import COLUMNS, grid, grid_names, grid_table

Get = Callable[..., httpx.Response]

TABLE = pl.DataFrame(
    {
        "group": ["a", "a", "b", "b"],
        "descriptor": ["kind", "Loud", "kind", "Loud"],
        "value": [0.1, -2.0, 0.0, 1.0],
        "q": [0.9, 0.01, 0.9, 0.2],
        "effect": [0.1, -3.0, 0.0, 1.0],
    }
)


def test_cells_have_steps_signs_and_numbers() -> None:
    made = grid(TABLE)
    assert made.descriptors == ["Loud", "kind"]
    loud, kind = made.rows[0][1]
    assert loud is not None
    assert kind is not None
    assert (loud.text, loud.step, loud.significance) == ("−2.00", -5, "below")
    assert (kind.text, kind.step, kind.significance) == ("+0.10", 0, "within")
    assert (made.sure, made.cells) == (1, 4)


def test_rows_and_columns_are_sorted_and_found() -> None:
    assert grid(TABLE, columns="name").descriptors == ["kind", "Loud"]
    assert grid(TABLE, columns="value").descriptors == ["Loud", "kind"]
    assert [name for name, _ in grid(TABLE, rows="value").rows] == ["b", "a"]
    assert grid(TABLE, find="lou").descriptors == ["Loud"]
    assert grid(TABLE, find="(").descriptors == []
    assert grid(TABLE.head(0)).rows == []


def test_a_cell_that_was_not_measured_stays_empty() -> None:
    assert grid(TABLE.head(3), columns="name").rows[1][1][1] is None


def test_the_page_shows_as_many_columns_as_fit(read: Get, various: Run) -> None:
    section = various.section(2)
    names = grid_names(section)
    total = grid_table(section, names[0])["descriptor"].n_unique()
    text = read("/heatmap/2").text
    assert text.count('class="tilted"') == COLUMNS
    assert f"columns 1 to {COLUMNS} of {total}" in text
    following = re.search(r'rel="next" href="/run/various([^"]+)"', text)
    assert following is not None
    assert f"columns {COLUMNS + 1} to" in read(following[1].replace("&amp;", "&")).text


def test_every_grid_can_be_chosen(read: Get, various: Run) -> None:
    for place, name in enumerate(grid_names(various.section(2))):
        answer = read("/heatmap/2", params={"map": place})
        assert answer.status_code == 200
        assert name.title.replace("'", "&#39;") in answer.text


def test_a_cell_leads_to_its_questions(read: Get) -> None:
    text = read("/heatmap/2").text
    cell = re.search(r'href="/run/various([^"]+group=Arab\+Male[^"]+)#cell"', text)
    assert cell is not None
    opened = read(cell[1].replace("&amp;", "&")).text
    assert 'id="cell"' in opened
    assert 'aria-current="true"' in opened
    assert "log-probability" in opened
    assert opened.count('class="answer"') > 1


@pytest.mark.parametrize(
    ("number", "params", "words"),
    [(0, {}, "no heat map"), (2, {"group": "Arab Male", "descriptor": "x"}, "has no cell"),
     (9, {}, "it has 4")],
)  # fmt: skip
def test_what_is_not_there_is_told(
    read: Get, number: int, params: dict[str, str], words: str
) -> None:
    answer = read(f"/heatmap/{number}", params=params)
    assert answer.status_code == 400
    assert words in answer.text


def test_orders_that_do_not_exist_are_passed_over(read: Get) -> None:
    asked = {"rows": "x", "columns": "<b>", "map": "99", "from": "-5", "find": "<b>zz"}
    answer = read("/heatmap/2", params=asked)
    assert answer.status_code == 200
    assert "No column fits" in answer.text
    assert "<b>zz" not in answer.text
