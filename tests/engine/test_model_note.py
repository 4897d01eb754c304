"""What a suite notes of models: their size and date, or a clear word about what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from slant.engine.model_note import ModelNote
from slant.engine.suite import load_suite
from slant.errors import InputError

SUITE = 'name = "x"\n[[model]]\nname = "embedded"\n{}\n[[study]]\nuse = "completion"\n'


@pytest.mark.parametrize(
    ("size", "parameters"), [("7B", 7e9), ("360M", 3.6e8), ("1.5 b", 1.5e9), ("1T", 1e12)]
)
def test_sizes_are_read(size: str, parameters: float) -> None:
    assert ModelNote(name="m", size=size).at("size") == pytest.approx(parameters)


def test_dates_are_ordered() -> None:
    dates = ("2023", "2024-05", "2024-05-20", "2025-01-01")
    order = [ModelNote(name="m", date=date).order("date") for date in dates]
    assert order == sorted(order)
    assert ModelNote(name="m", date="2024-05").at("date") == "2024-05-15"


def test_a_suite_holds_them(tmp_path: Path) -> None:
    file = tmp_path / "suite.toml"
    file.write_text(SUITE.format('size = "135M"\ndate = "2024-11"'))
    assert load_suite(file).notes == (ModelNote(name="embedded", size="135M", date="2024-11"),)


@pytest.mark.parametrize(
    ("line", "words"),
    [('size = "big"', "360M"), ('date = "May 2024"', "2024-05"), ('date = "2024-13"', "date")],
)
def test_what_is_no_size_or_date_is_refused_in_its_line(
    tmp_path: Path, line: str, words: str
) -> None:
    file = tmp_path / "suite.toml"
    file.write_text(SUITE.format(line))
    with pytest.raises(InputError, match=words) as error:
        load_suite(file)
    assert "suite.toml" in str(error.value) or error.value.file is not None
