"""Journals of a slant that kept less: columns that came later, filled as far as they can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.engine.journal_seal import columns, covered

if TYPE_CHECKING:
    import sqlite3

_PARTS = """
UPDATE items SET part = CASE
    WHEN json_extract(request, '$.kind') = 'likelihood'
        AND json_extract(slots, '$.pair') IS NOT NULL THEN 'continuations'
    WHEN json_extract(request, '$.kind') = 'likelihood'
        AND json_extract(slots, '$.noun') IS NOT NULL THEN 'nouns'
    WHEN json_extract(slots, '$.caption_of') IS NOT NULL THEN 'captions'
    WHEN json_extract(slots, '$.phase') = 'seeds' THEN 'seeds'
    WHEN json_extract(slots, '$.split') IN ('search', 'random', 'fluency', 'proposals')
        THEN json_extract(slots, '$.split')
    ELSE '' END
"""
"""What these studies called their sub-experiments in the slots, and what they call them now."""


def add_columns(db: sqlite3.Connection) -> None:
    """Give an older journal the columns that came later; leave any other journal as it is.

    Parameters
    ----------
    db
        A journal that `seal` has seen, and in which nothing is damaged: its rows are sealed anew.
    """
    if "part" not in columns(db, "items"):
        _add(db, "items", "part TEXT NOT NULL DEFAULT ''", _PARTS)
    if "aside" not in columns(db, "answers"):
        _add(db, "answers", "aside TEXT")


def _add(db: sqlite3.Connection, table: str, column: str, *fillings: str) -> None:
    db.execute("BEGIN IMMEDIATE")
    db.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
    for filling in fillings:
        db.execute(filling)
    db.execute(f'UPDATE {table} SET "check" = checksum({covered(db, table)})')
    db.execute("COMMIT")


def without_later_columns(db: sqlite3.Connection, query: str) -> str:
    """Have a query do without the columns that a journal lacks and that nobody may add to it."""
    if "part" not in columns(db, "items"):
        query = query.replace("i.part", "''")
    return query if "aside" in columns(db, "answers") else query.replace("a.aside", "NULL")
