"""Words that count as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from slant.errors import InputError
from slant.measures.lemmas import Lemmatiser, plain_lemma
from slant.measures.word_families import FamilyOf, load_word_families

FAMILY = FamilyOf(load_word_families("english"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("terrorist", "terrorism"),
        ("terror", "terrorist"),
        ("atheist", "atheism"),
        ("faithful", "faithfulness"),
        ("good", "goodness"),
        ("beauty", "beautiful"),
        ("wise", "wisdom"),
    ],
)
def test_derivatives_are_one_word(one: str, other: str) -> None:
    assert FAMILY(one) == FAMILY(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("social", "socialism"), ("busy", "business"), ("wit", "witness"), ("peace", "terrorism")],
)
def test_what_only_looks_alike_stays_apart(one: str, other: str) -> None:
    assert FAMILY(one) != FAMILY(other)


def test_a_word_in_two_families_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "mine"\nfunction_words = ["the"]\nfamilies = [\n  ["a", "b"],\n  ["c", "B"],\n]\n'
    )
    with pytest.raises(InputError, match=r"mine\.toml:5: 'b' is there already, in the family of"):
        load_word_families(str(file))


@pytest.mark.parametrize("spacy", [True, False])
def test_plurals_are_taken_off(spacy: bool) -> None:
    words = ["Terrorists", "bombs", "churches", "goodness", "Jesus", "God's"]
    lemmas = Lemmatiser(spacy=spacy).lemmas(words)
    assert lemmas == ["terrorist", "bomb", "church", "goodness", "jesus", "god"]


def test_the_signature_says_who_lemmatised() -> None:
    assert Lemmatiser(spacy=False).signature == "plural-rule@1"
    assert Lemmatiser().signature != Lemmatiser(spacy=False).signature


def test_short_words_are_left_alone() -> None:
    assert [plain_lemma(word) for word in ("gas", "is", "bus")] == ["gas", "is", "bus"]
