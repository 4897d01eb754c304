"""Which wording or prompt a difference hangs on, as a reader of a report sees it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from slant.errors import InputError
from slant.reports.figures import left_out
from slant.reports.save import save_chart
from slant.studies.hangs_on import advice, left_out_table
from slant.studies.worded import Worded

GROUPS, KINDS = ["a", "b", "c", "d", "e"], ["noun", "place", "faith", "name", "given"]
PROMPTS = [f"prompt {number}" for number in range(6)]


def worded(values: np.ndarray, least: float = 0.0) -> Worded:
    return Worded("made_up", GROUPS, KINDS, PROMPTS, values, {}, {}, least=least)


def planted(part: str) -> Worded:
    rng = np.random.default_rng(3)
    shape = {"prompts": (5, 1, 6), "wordings": (5, 5, 1)}[part]
    return worded(0.3 * rng.normal(size=shape) + 0.03 * rng.normal(size=(5, 5, 6)))


@pytest.mark.parametrize("part", ["prompts", "wordings"])
def test_the_advice_names_what_was_planted(part: str) -> None:
    assert advice([planted(part)]).startswith(f"Add more {part}: ")


def test_where_counting_is_the_error_more_samples_are_advised() -> None:
    rates = np.random.default_rng(4).binomial(8, 0.3, size=(5, 5, 6)) / 8
    assert "Add more samples" in advice([worded(rates, least=(0.21 / 240) ** 0.5)])
    assert advice([worded(np.zeros((5, 5, 6)))]) == ""


def test_the_table_and_its_picture(tmp_path: Path) -> None:
    values = np.zeros((5, 5, 6))
    values[0, :, 2] = 1.0
    table = left_out_table(worded(values))
    assert table.height == 5 * (5 + 6)
    without = table.filter(group="a", which="prompt 2")
    assert without["value"].to_list() == [0.0]
    assert without["all"].to_list() == pytest.approx([1 / 6])
    drawn = left_out(table, axis="made_up", unit="share", title="Left out")
    path = save_chart(drawn, tmp_path / "a.svg")
    assert path.stat().st_size > 5_000
    assert "one of 6 prompts" in " ".join(drawn.to_dict()["title"]["subtitle"])
    against = left_out_table(worded(values), "e")
    assert set(against["group"]) == {"a", "b", "c", "d"}
    assert against.filter(group="a", which="prompt 2")["value"].to_list() == [0.0]
    with pytest.raises(InputError, match="no differences to draw"):
        left_out(table.with_columns(value=None))
