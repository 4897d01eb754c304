"""Checksums of the journal's rows: given where an older slant left none, and held against them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.engine.journal_rows import checksum

if TYPE_CHECKING:
    import sqlite3

TABLES = ("facts", "items", "answers")

_SHOWN = 20
"""Of so many damaged rows a message tells how to give them up; the next time, of others."""


def seal(db: sqlite3.Connection) -> None:
    """Give a journal from before there were checksums its checksums, all at once or none."""
    db.create_function("checksum", -1, checksum, deterministic=True)
    bare = [table for table in TABLES if "check" not in columns(db, table)]
    if not bare:
        return
    db.execute("BEGIN IMMEDIATE")
    for table in bare:
        db.execute(f'ALTER TABLE {table} ADD COLUMN "check" INTEGER')
        db.execute(f'UPDATE {table} SET "check" = checksum({covered(db, table)})')
    db.execute("COMMIT")


def damage(db: sqlite3.Connection, name: str) -> str | None:
    """Say which rows are not as they were written, and what to do; `None` if all are.

    Parameters
    ----------
    db
        A journal that `seal` has seen.
    name
        What its file is called.
    """
    for table in TABLES:
        found = db.execute(
            f'SELECT "check" FROM {table} WHERE "check" IS NOT checksum({covered(db, table)}) '
            f"LIMIT {_SHOWN}"
        ).fetchall()
        if found:
            count = f"{len(found)} or more" if len(found) == _SHOWN else len(found)
            marks = ", ".join(str(mark) for (mark,) in found if isinstance(mark, int))
            return (
                f"the journal is damaged: in its table {table}, rows that are not as they were "
                f"written: {count}. It was left as it is. Put back a copy of the file; or give "
                "these rows up and have `slant resume` ask their questions again: "
                f"sqlite3 {name} 'DELETE FROM {table} WHERE \"check\" IN ({marks})'"
            )
    return None


def columns(db: sqlite3.Connection, table: str) -> list[str]:
    """Name the columns of a table, in order."""
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]


def covered(db: sqlite3.Connection, table: str) -> str:
    """Name what a checksum covers, as bytes: that is quick, and takes text that is no UTF-8."""
    return ", ".join(f'CAST("{name}" AS BLOB)' for name in columns(db, table) if name != "check")
