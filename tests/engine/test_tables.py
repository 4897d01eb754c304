"""Tables of a run: streamed, whole or absent, and true to the journal."""

from __future__ import annotations

import itertools
from pathlib import Path

import polars as pl
import pytest

from running import question
from slant.engine.journal import Journal
from slant.engine.tables import ANSWERS, ITEMS, export, shown_prompt, sink
from slant.errors import SlantError
from slant.records import Answer, Choose, Generate, Likelihood, Message, Request, request_to_json

SCHEMA = pl.Schema({"number": pl.Int64()})


def test_frames_become_one_file_in_order(tmp_path: Path) -> None:
    frames = (pl.DataFrame({"number": range(start, start + 10)}) for start in range(0, 500, 10))
    sink(frames, SCHEMA, tmp_path / "numbers.parquet")
    assert pl.read_parquet(tmp_path / "numbers.parquet")["number"].to_list() == list(range(500))
    assert {path.name for path in tmp_path.iterdir()} == {"numbers.parquet", "checksums.json"}


def test_no_frames_become_an_empty_table(tmp_path: Path) -> None:
    sink(iter([]), SCHEMA, tmp_path / "numbers.parquet")
    table = pl.read_parquet(tmp_path / "numbers.parquet")
    assert table.schema == SCHEMA
    assert table.is_empty()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "numbers.parquet"
    with pytest.raises(SlantError, match=f"{path} cannot be written"):
        sink(iter([pl.DataFrame({"number": [1]})]), SCHEMA, path)


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    sink(iter([pl.DataFrame({"number": [1]})]), SCHEMA, path)

    def broken() -> itertools.chain[pl.DataFrame]:
        def fail() -> pl.DataFrame:
            raise SlantError("the journal is gone")

        return itertools.chain([pl.DataFrame({"number": [2]})], (fail() for _ in range(1)))

    with pytest.raises(SlantError, match="journal is gone"):
        sink(broken(), SCHEMA, path)
    assert pl.read_parquet(path)["number"].to_list() == [1]


def test_rows_come_by_model_study_and_position(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    for model, study in itertools.product("ba", "zy"):
        items = [(place, question(f"q{place}", study=study)) for place in (2, 0, 1)]
        answers = {item.id: Answer("answered", f"{model}{place}") for place, item in items}
        journal.commit(model, study, items, answers)
    journal.commit("a", "y", [(9, question("open", study="y"))], {})
    export(journal, tmp_path / "items.parquet", tmp_path / "answers.parquet")
    journal.close()
    answers_table = pl.read_parquet(tmp_path / "answers.parquet")
    items_table = pl.read_parquet(tmp_path / "items.parquet")
    assert answers_table.schema == ANSWERS
    assert items_table.schema == ITEMS
    expected = [(m, s, p, f"{m}{p}") for m, s, p in itertools.product("ab", "yz", range(3))]
    assert answers_table.select("model", "study", "position", "text").rows() == expected
    assert items_table["item"].to_list() == answers_table["item"].to_list()


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (Generate("a {prompt}"), "a {prompt}"),
        (Generate((Message("system", "be kind"), Message("user", "who?"))), "who?"),
        (Choose("which?", ("a", "b")), "which?"),
        (Likelihood("target", "source"), "source → target"),
        (Likelihood("alone"), "alone"),
        (Generate("lone \ud800"), "lone ?"),
    ],
)
def test_readers_see_the_prompt(request_: Request, expected: str) -> None:
    assert shown_prompt(request_to_json(request_)) == expected
