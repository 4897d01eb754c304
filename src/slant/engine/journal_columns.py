"""Journals of a slant that kept less: columns that came later, filled as far as they can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Give an older journal the columns that came later; leave any other journal as it is."""
    if not _has(db, "items", "part"):
        db.execute("BEGIN IMMEDIATE")
        db.execute("ALTER TABLE items ADD COLUMN part TEXT NOT NULL DEFAULT ''")
        db.execute(_PARTS)
        db.execute("COMMIT")
    if not _has(db, "answers", "aside"):
        db.execute("ALTER TABLE answers ADD COLUMN aside TEXT")


def as_older_ones_give_it(db: sqlite3.Connection, query: str) -> str:
    """Have a query do without the columns that a journal lacks and that nobody may add to it."""
    if not _has(db, "items", "part"):
        query = query.replace("i.part", "''")
    return query if _has(db, "answers", "aside") else query.replace("a.aside", "NULL")


def _has(db: sqlite3.Connection, table: str, column: str) -> bool:
    return any(known[1] == column for known in db.execute(f"PRAGMA table_info({table})"))
