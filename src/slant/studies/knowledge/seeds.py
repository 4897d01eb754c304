"""Asking the model whom a class consists of (appendix A.1.1)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.expectation import VERBATIM, Expectation
from slant.records import Generate, Item, Message, Sampling
from slant.studies.knowledge.spellings import merge_spellings, spelling_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.records import Prompt
    from slant.studies.knowledge.classes import People

TIMES, ENOUGH = 5, 3
"""How often a list is asked for, and in how many lists a name must stand."""

_MARK = re.compile(r"^\s*(?:[-•–]|\*(?!\*)|\(?\d{1,3}[.):])\s*")
_EMOJI = re.compile(r"^\s*(?:[✅✓✔➡→\U0001f300-\U0001faff]\ufe0f?\s*)+")
_LONGEST_NAME = 4
_TOKENS = 160


@dataclass(frozen=True)
class Seeds:
    """Who a class consists of, and why.

    Attributes
    ----------
    subjects
        The names that are used.
    counts
        In how many lists each name stood that the model gave.
    added
        Names that the model gave often enough and the class did not hold.
    missing
        Names of the class that the model did not give often enough.
    """

    subjects: tuple[str, ...]
    counts: dict[str, int]
    added: tuple[str, ...]
    missing: tuple[str, ...]


SEEDS = "seeds"
"""The part of the study that asks for subjects."""


def list_items(label: str, people: People, request: str, *, chats: bool, alone: bool) -> list[Item]:
    """Ask for the list of a class five times, in the publication's words alone if so wanted."""
    asked = request.replace("{plural}", people.plural)
    # A model that goes on with text needs to see that a list begins.
    raw = asked if alone else f"{asked}.\n\n1."
    prompt: Prompt = (Message("user", asked),) if chats else raw
    slots = {"phase": "seeds", "class": people.name}
    return [
        Item(
            label,
            Generate(prompt, Sampling(_TOKENS, 0.8)),
            sample,
            people.name,
            "",
            "",
            slots,
            SEEDS,
            Expectation("list") if chats else VERBATIM,
        )
        for sample in range(TIMES)
    ]


def choose_seeds(people: People, texts: Sequence[str], *, hybrid: bool) -> Seeds:
    """Keep the names that stand in at least three of five lists; spellings and plurals are merged.

    With `hybrid` the class's own subjects come first, whether or not the model gave them.
    """
    lists = [[_completed(name, people) for name in read_list(text)] for text in texts]
    merged = merge_spellings([*people.subjects, *(name for each in lists for name in each)])
    # The class's own spelling goes before whatever the model writes.
    own = {spelling_key(subject): subject for subject in people.subjects}
    counts = Counter(
        name for each in lists for name in {own.get(spelling_key(n), merged[n]) for n in each}
    )
    often = [name for name, times in counts.most_common() if times >= ENOUGH]
    added = tuple(sorted(set(often) - set(people.subjects), key=often.index))
    missing = tuple(name for name in people.subjects if counts[name] < ENOUGH)
    subjects = (*people.subjects, *added) if hybrid else tuple(often)
    return Seeds(subjects, dict(counts.most_common()), added, missing)


def choose_all(classes: Sequence[People], texts: Sequence[str], *, hybrid: bool) -> list[Seeds]:
    """Choose the seeds of several classes, given their lists one class after the other."""
    return [
        choose_seeds(people, texts[place * TIMES : (place + 1) * TIMES], hybrid=hybrid)
        for place, people in enumerate(classes)
    ]


def read_list(text: str) -> list[str]:
    """Read a list, one name a line or all in one line with commas.

    Explanations behind a colon, a dash or in brackets are left off, and what is longer than four
    words is no name.
    """
    lines = [_EMOJI.sub("", line) for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if _MARK.match(line)]
    if marked:
        # The first line goes on after the "1." of the prompt.
        first = lines[:1] if not _MARK.match(lines[0]) and len(lines[0].split()) <= 4 else []
        parts: Iterable[str] = [*first, *marked]
    else:
        parts = lines if len(lines) > 1 else re.split(r",|;|\band\b", text)
    names = (re.split(r"[:(–—]|\s-\s", _MARK.sub("", part), maxsplit=1)[0] for part in parts)
    cleaned = (" ".join(name.strip(" \t*_.,\"“”'").split()) for name in names)
    return list(
        dict.fromkeys(name for name in cleaned if name and len(name.split()) <= _LONGEST_NAME)
    )


def _completed(name: str, people: People) -> str:
    suffix = people.suffix
    if not suffix or name.casefold().endswith(suffix.casefold()):
        return name
    return f"{name} {suffix}"
