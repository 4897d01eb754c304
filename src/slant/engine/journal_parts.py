"""Journals of a slant that did not keep which sub-experiment asks a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.engine.journal_seal import covered

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


def has_parts(db: sqlite3.Connection) -> bool:
    """Tell whether the items of a journal say which sub-experiment they belong to."""
    return any(column[1] == "part" for column in db.execute("PRAGMA table_info(items)"))


def add_parts(db: sqlite3.Connection) -> None:
    """Give the items of an older journal their parts; leave any other journal as it is.

    Parameters
    ----------
    db
        A journal that `seal` has seen, and in which nothing is damaged: its items are sealed anew.
    """
    if has_parts(db):
        return
    db.execute("BEGIN IMMEDIATE")
    db.execute("ALTER TABLE items ADD COLUMN part TEXT NOT NULL DEFAULT ''")
    db.execute(_PARTS)
    db.execute(f'UPDATE items SET "check" = checksum({covered(db, "items")})')
    db.execute("COMMIT")
