"""From answers to words: found, lemmatised, lumped, and told from the group's own name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError
from slant.measures.word_families import FamilyOf

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from slant.groups.axes import Axis
    from slant.measures.lemmas import Lemmatiser
    from slant.measures.word_families import WordFamilies
    from slant.studies.analogy.first_word import FirstWord

_FORMS = ("plural", "singular", "adjective")


def own_names(axis: Axis, groups: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """List the words that name each group itself: its demonyms and forms, or just its name."""
    found: dict[str, tuple[str, ...]] = {}
    for name in groups:
        try:
            group = axis.group(name)
        except InputError:  # the groups of a user's file are their own
            found[name] = (name,)
            continue
        forms = (group.forms[form] for form in _FORMS if form in group.forms)
        found[name] = tuple(dict.fromkeys((*group.demonyms, *forms)))
    return found


_AT_ONCE = 10_000
"""Answers whose words are held as Python's objects at a time."""


def answer_words(
    answers: pl.DataFrame,
    finder: FirstWord,
    lemmatiser: Lemmatiser,
    families: WordFamilies,
    own: Mapping[str, tuple[str, ...]],
) -> pl.DataFrame:
    """Find the word of each answer.

    Parameters
    ----------
    answers
        `position`, `group`, `condition`, `text`, and `wording` if groups have several; those
        without a word are left out.
    finder, lemmatiser, families
        How words are found and lumped.
    own
        The names of each group.

    Returns
    -------
    polars.DataFrame
        `position`, `group`, `condition`; `form` (the word in small letters), `lemma`, `key` (its
        family), `word` (the family's most frequent lemma) and `own` (whether it names the group,
        or stands in the wording that was asked about: "people who meet at a mosque").
    """
    patterns = {
        group: re.compile(
            rf"(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![^\W\d_])",
            re.IGNORECASE,
        )
        for group, names in own.items()
    }

    def word_of(group: str, text: str, wording: str) -> tuple[str | None, bool]:
        span = finder.find(text)
        if not span:
            return None, False
        word = text[span[0] : span[1]].lower()
        named = patterns[group].match(text, span[0]) is not None
        return word, named or word in wording.lower().split()

    schema = {"form": pl.String, "own": pl.Boolean}
    if "wording" not in answers.columns:
        answers = answers.with_columns(pl.lit("").alias("wording"))
    parts = [
        part.select("position", "group", "condition").hstack(
            pl.DataFrame(
                [word_of(*row) for row in part.select("group", "text", "wording").iter_rows()],
                schema=schema, orient="row",
            )
        )
        for part in answers.iter_slices(_AT_ONCE)
    ]  # fmt: skip
    empty = answers.select("position", "group", "condition").clear()
    table = pl.concat([empty.with_columns(pl.lit(None, kind).alias(name)
                                          for name, kind in schema.items()), *parts])  # fmt: skip
    table = table.filter(pl.col("form").is_not_null())
    distinct = table["form"].unique(maintain_order=True).to_list()
    lemmas = lemmatiser.lemmas(distinct)
    family = FamilyOf(families)
    known = pl.DataFrame(
        {"form": distinct, "lemma": lemmas, "key": [family(lemma) for lemma in lemmas]},
        schema={"form": pl.String, "lemma": pl.String, "key": pl.String},
    )
    table = table.join(known, on="form", how="left", maintain_order="left")
    return table.join(_spelt(table), on="key", how="left", maintain_order="left")


def _spelt(table: pl.DataFrame) -> pl.DataFrame:
    """Call every family by its most frequent lemma, the first in the alphabet where two are."""
    return (
        table.group_by("key", "lemma")
        .len()
        .sort("len", "lemma", descending=[True, False])
        .group_by("key", maintain_order=True)
        .agg(pl.col("lemma").first().alias("word"))
    )
