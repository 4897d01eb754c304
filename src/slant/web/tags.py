"""What an auditor writes on a run: tags and a note, in `marks.json` beside it.

They are no part of the run: nothing that is measured depends on them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from slant.errors import InputError, SlantError
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from pathlib import Path

NAME = "marks.json"

TAGS = 12
"""How many tags a run may have."""

TAG_LENGTH = 40
NOTE_LENGTH = 4000

_writing = Lock()


@dataclass(frozen=True)
class Tags:
    """Tags and note of a run.

    Attributes
    ----------
    tags
        In the order in which they were written.
    note
        Plain text of several lines.
    fault
        Why the file could not be read; empty when it could.
    """

    tags: tuple[str, ...] = ()
    note: str = ""
    fault: str = ""


def read_tags(directory: Path) -> Tags:
    """Read the marks of a run; those that cannot be read have a `fault`."""
    path = directory / NAME
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Tags(
            tuple(str(tag)[:TAG_LENGTH] for tag in content["tags"][:TAGS]),
            str(content["note"])[:NOTE_LENGTH],
        )
    except FileNotFoundError:
        return Tags()
    except (OSError, ValueError, RecursionError, KeyError, TypeError) as error:
        return Tags(fault=f"{NAME} cannot be read ({type(error).__name__}: {error})")


def tags_of(tags: str, note: str) -> Tags:
    """Make marks of what was typed.

    Parameters
    ----------
    tags
        Separated by commas; blanks around them do not count, nor does a tag that is there already.
    note
        Text.

    Raises
    ------
    InputError
        There are too many, or they are too long.
    """
    given = [" ".join(tag.split()) for tag in tags.split(",")]
    distinct = tuple(dict.fromkeys(tag for tag in given if tag))
    if len(distinct) > TAGS:
        raise InputError(f"a run may have {TAGS} tags, and these are {len(distinct)}")
    for tag in distinct:
        if len(tag) > TAG_LENGTH:
            raise InputError(
                f"a tag may have {TAG_LENGTH} characters, and {tag[:20]!r}… has {len(tag)}"
            )
    text = note.replace("\r\n", "\n").strip()
    if len(text) > NOTE_LENGTH:
        raise InputError(f"a note may have {NOTE_LENGTH:,} characters, and this has {len(text):,}")
    return Tags(distinct, text)


def write_tags(directory: Path, marks: Tags) -> None:
    """Store marks in place of earlier ones.

    Raises
    ------
    InputError
        What is there cannot be read, and would be lost.
    SlantError
        The file cannot be written.
    """
    with _writing:
        if fault := read_tags(directory).fault:
            raise InputError(f"{fault}: mend or remove it, so that nothing is lost")
        text = json.dumps({"tags": marks.tags, "note": marks.note}, indent=1) + "\n"
        try:
            write_whole(directory / NAME, text)
        except OSError as error:
            raise SlantError(f"{NAME} cannot be written: {error.strerror}") from error
