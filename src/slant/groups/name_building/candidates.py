"""Names that may be chosen, and those that cannot: what they come from, how they are spelt."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from slant.errors import missing_extra
from slant.groups.name_building.scripts import transliteration
from slant.groups.names import load_names
from slant.strict import Strict
from slant.toml_file import read_packaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

SHORTEST, LONGEST = 2, 13
"""Letters of a name: fewer are an initial, more are not one word (Siddique et al., 2024)."""

_GENDERS = ("Female", "Male")


@dataclass(frozen=True)
class Candidate:
    """A name that may stand for a group.

    Attributes
    ----------
    name
        In Latin letters.
    gender, ethnicity
        The group.
    source
        Where it comes from: `faker ja_JP`.
    original
        The spelling in its own script, if that is not Latin.
    transliteration
        How the one became the other; empty if the name is in Latin letters by itself.
    """

    name: str
    gender: str
    ethnicity: str
    source: str
    original: str = ""
    transliteration: str = ""

    @property
    def group(self) -> tuple[str, str]:
        """Ethnicity and gender."""
        return self.ethnicity, self.gender


class _Source(Strict):
    """One table of `names/sources.toml`."""

    ethnicity: str
    locale: str
    female: str = "first_names_female"
    male: str = "first_names_male"
    transliteration: Literal["", "anyascii", "hangul", "arabic", "hebrew", "thai"] = ""
    only: str | dict[Literal["Female", "Male"], str] = ".*"
    without: tuple[str, ...] = ()

    def pattern(self, gender: Literal["Female", "Male"]) -> str:
        """Give what the spelling of names of a gender must match."""
        return self.only if isinstance(self.only, str) else self.only[gender]


class _Sources(Strict):
    source: tuple[_Source, ...] = Field(min_length=1)


def from_faker() -> list[Candidate]:
    """Collect the given names of Faker's locales that `names/sources.toml` lists.

    Returns
    -------
    list of Candidate
        In the order of the file and of Faker's lists; the same name may be there several times.

    Raises
    ------
    InputError
        Faker or anyascii is not installed.
    """
    return list(_faker())


def _faker() -> Iterator[Candidate]:
    sources = read_packaged("names", "sources.toml").validate(_Sources).source
    for source in sources:
        try:
            provider = import_module(f"faker.providers.person.{source.locale}").Provider
        except ImportError as error:
            raise missing_extra("names", error) from error
        how = source.transliteration
        spell = transliteration(how) if how else None
        for gender in _GENDERS:
            pattern = re.compile(source.pattern(gender))  # type: ignore[arg-type] # one of the two
            for written in getattr(provider, getattr(source, gender.lower())):
                if written in source.without or not pattern.fullmatch(written):
                    continue
                latin = spell(written) if spell else written
                if latin is not None:
                    yield Candidate(
                        latin, gender, source.ethnicity, f"faker {source.locale}",
                        written if how else "", _HOW.get(how, "by hand"),
                    )  # fmt: skip


_HOW = {"": "", "anyascii": "anyascii", "hangul": "Revised Romanisation of Korean"}


def from_table(path: Path) -> tuple[list[Candidate], tuple[str, ...]]:
    """Read a table of name, gender and ethnicity, as `slant.groups.names.load_names` does.

    Returns
    -------
    list of Candidate, tuple of str
        The names, and what was left out.

    Raises
    ------
    InputError
        As `load_names`.
    """
    table = load_names(path)
    found = [Candidate(each.name, each.gender, each.ethnicity, path.name) for each in table.names]
    return found, table.notes


def usable(found: Iterable[Candidate]) -> tuple[list[Candidate], dict[str, int]]:
    """Keep the names that can be chosen.

    A name must be one word of 2 to 13 Latin letters, and belong to one group only. Spellings that
    differ in capitals or accents are the same name; its first spelling in a group is kept.

    Parameters
    ----------
    found
        Names, the same one perhaps several times.

    Returns
    -------
    list of Candidate, dict
        The names kept, in order, and how many were left out by reason.
    """
    by_key: dict[str, list[Candidate]] = {}
    not_words = 0
    for each in found:
        if _is_word(each.name):
            by_key.setdefault(name_key(each.name), []).append(each)
        else:
            not_words += 1
    kept = []
    both = several = repeated = 0
    for same in by_key.values():
        if len({each.ethnicity for each in same}) > 1:
            several += 1
        elif len({each.gender for each in same}) > 1:
            both += 1
        else:
            repeated += len(same) - 1
            kept.append(same[0])
    return kept, {
        "not_one_word_of_2_to_13_latin_letters": not_words,
        "of_several_ethnicities": several,
        "of_several_genders": both,
        "repeated_within_a_group": repeated,
    }


def name_key(name: str) -> str:
    """Spell a name without capitals and accents."""
    parts = unicodedata.normalize("NFKD", name)
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).casefold()


def _is_word(name: str) -> bool:
    return SHORTEST <= len(name) <= LONGEST and all(
        sign.isalpha() and unicodedata.name(sign, "").startswith("LATIN ")
        for sign in unicodedata.normalize("NFC", name)
    )
