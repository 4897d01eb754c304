"""How far a table of persons reaches: in how many articles one of them is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.groups.group_words import GroupWords
    from slant.groups.person_names import PersonNames
    from slant.studies.news.pairs import Pairs


def reached(words: GroupWords, people: PersonNames, every: Sequence[Pairs]) -> str:
    """Say in how many references and generated articles a person of the table is named.

    Parameters
    ----------
    words, people
        The set of words and its persons.
    every
        The pairs of each condition; the references are those of the first.
    """
    found, read = {"reference": 0, "generated": 0}, {"reference": 0, "generated": 0}
    for place, pairs in enumerate(every):
        sides = ("reference", "generated") if place == 0 else ("generated",)
        for batch in pairs.batches():
            for side in sides:
                found[side] += int(people.count(batch[side], words.groups).any(axis=1).sum())
                read[side] += batch.height
    told = (
        f"{words.title}: of the {len(people.groups):,} persons of {people.file.name} one or more "
        f"are named in {found['reference']:,} of {read['reference']:,} references and in "
        f"{found['generated']:,} of {read['generated']:,} articles of the model"
    )
    if not any(found.values()):
        return f"{told}: {words.title.lower()} rests on words alone."
    return f"{told}."
