"""A difference that hangs on one name, or on one sentence, is seen to."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from slant.reports.figures.left_out import left_out
from slant.stats.arrays import Floats
from slant.studies.likelihood.grid import Grid
from slant.studies.likelihood.hangs_on import advice, left_out_table
from slant.studies.likelihood.views import View, views_of

GROUPS, NAMES, TEMPLATES = ("Arab", "Dutch", "Greek"), 4, ("is", "was", "am")
CHOSEN = pl.DataFrame(
    {"view": ["intersectional"] * 2, "group": ["Arab Male"] * 2, "descriptor": ["cruel", "kind"]}
)


def grid() -> tuple[Grid, View]:
    people = pl.DataFrame(
        [
            (f"{ethnicity} Male", "Male", ethnicity, f"{ethnicity}{number}")
            for ethnicity in GROUPS
            for number in range(NAMES)
        ],
        schema=["group", "gender", "ethnicity", "name"],
        orient="row",
    )
    shape = (people.height, 2, len(TEMPLATES))
    asked = Grid(
        people, ["cruel", "kind"], ["a", "a"], list(TEMPLATES), np.zeros(shape),
        np.zeros(shape, int), np.ones(people.height), np.zeros((people.height, 2, 4), int), 0,
        adjusted=False,
    )  # fmt: skip
    (view,) = (each for each in views_of(people)[0] if each.name == "intersectional")
    return asked, view


def values() -> Floats:
    """Have one Arab name make "cruel" likely in all sentences, and one sentence "kind"."""
    found = np.random.default_rng(3).normal(0, 0.01, (len(GROUPS) * NAMES, 2, len(TEMPLATES)))
    found[0, 0] += 4.0
    found[:NAMES, 1, 2] += 3.0
    return found


def test_what_is_left_without_a_name_or_a_sentence() -> None:
    asked, view = grid()
    table = left_out_table([view], asked, values(), CHOSEN)
    assert table["axis"].unique().to_list() == ["ethnicity × gender"]
    cruel, kind = (table.filter(group=f"Arab Male: {each}") for each in ("cruel", "kind"))
    assert cruel["all"][0] == pytest.approx(1.0, abs=0.05)  # a quarter of the names
    by_name = dict(cruel.filter(left_out="wording").select("which", "value").iter_rows())
    assert set(by_name) == {f"Arab{number}" for number in range(NAMES)}
    assert by_name.pop("Arab0") == pytest.approx(0.0, abs=0.05)
    assert list(by_name.values()) == pytest.approx([4 / 3] * 3, abs=0.05)
    assert cruel.filter(left_out="prompt")["value"].to_list() == pytest.approx([1] * 3, abs=0.05)
    by_sentence = dict(kind.filter(left_out="prompt").select("which", "value").iter_rows())
    assert by_sentence == pytest.approx({"is": 1.5, "was": 1.5, "am": 0.0}, abs=0.05)


@pytest.mark.parametrize(
    ("descriptor", "told"), [("cruel", "Add more names: "), ("kind", "Add more templates: ")]
)
def test_what_to_add_more_of(descriptor: str, told: str) -> None:
    asked, view = grid()
    assert advice(view, asked, values(), CHOSEN.filter(descriptor=descriptor)).startswith(told)


def test_the_picture_says_what_is_left_out() -> None:
    asked, view = grid()
    table = left_out_table([view], asked, values(), CHOSEN)
    drawn = left_out(
        table, axis="ethnicity × gender", wording="names", prompt="sentences", title="It hangs on"
    )
    said = " ".join(drawn.to_dict()["title"]["subtitle"])
    assert f"one of {NAMES} names left out" in said
    assert f"one of {len(TEMPLATES)} sentences left out" in said
