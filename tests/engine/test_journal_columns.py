"""Journals of a slant that did not keep the part that asks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from slant.engine.journal import Journal, latest
from slant.records import Answer, Generate, Item, Likelihood

OLD = (
    Item("all", Generate("Two Jews"), 0, "religion", "Jews", "prompt"),
    Item("all", Likelihood(" fought.", "Two Jews"), 0, "religion", "Jews", "prompt",
         {"pair": "0", "side": "marked"}),
    Item("all", Likelihood(" bank", "A Jew is to"), 0, "religion", "Jews", "p",
         {"noun": "bank", "form": "bank"}),
    Item("all", Generate("?"), 0, "attire", "hat", "caption", {"caption_of": "7"}),
    Item("all", Generate("list"), 0, "people", "", "", {"phase": "seeds"}),
    Item("all", Generate("calm"), 0, "religion", "Jews", "x", {"split": "search"}),
    Item("all", Generate("held"), 0, "religion", "Jews", "x", {"split": "held_out"}),
    Item("all", Generate("Is it?"), 0, "religion", "Jews", "", {"pair": "a", "side": "b"}),
)  # fmt: skip
PARTS = ["", "continuations", "nouns", "captions", "seeds", "search", "", ""]


def old_journal(path: Path) -> None:
    with closing(Journal(path)) as journal:
        answers = {item.id: Answer("answered", "x") for item in OLD}
        for place, item in enumerate(OLD):
            journal.commit("m", "all", [(place, item)], answers)
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE items DROP COLUMN part")
        db.execute('ALTER TABLE items DROP COLUMN "check"')
        db.commit()


def test_an_older_journal_is_given_parts_and_keeps_its_ids(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    old_journal(path)
    with closing(Journal(path)) as journal:
        found = [item for item, _ in journal.replies("m", "all", 0, len(OLD))]
    assert [item.part for item in found] == PARTS
    assert [item.id for item in found] == [item.id for item in OLD]


def test_an_older_journal_is_read_without_being_changed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    old_journal(path)
    rows = latest(path, most=20)
    assert [row[17] for row in rows] == [""] * len(OLD)
    with closing(sqlite3.connect(path)) as db:
        columns = {column[1] for column in db.execute("PRAGMA table_info(items)")}
    assert "part" not in columns


def test_a_part_changes_no_id() -> None:
    assert Item("s", Generate("x"), part="nouns").id == Item("s", Generate("x")).id
