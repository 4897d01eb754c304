"""Patterns of users: as Python's `re` finds them, and never in more than linear time."""

from __future__ import annotations

import random
import re

import pytest

from slant.linear_pattern import LinearPattern, PatternError
from slant.measures.lexicon import load_lexicon
from slant.measures.patterns import loosened, lowered


def by_python(pattern: str, text: str) -> list[tuple[int, int]]:
    compiled, at, found = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)"), 0, []
    while place := compiled.search(text, at):
        found.append(place.span())
        at = place.start() + 1
    return found


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a|aa)+$", r"(\w+\s?)*!", "a.*a.*a.*b"])
def test_no_pattern_takes_forever(pattern: str) -> None:
    text = "a" * 50_000
    assert LinearPattern(pattern).search(text) in (None, {})
    assert not list(LinearPattern(r"(a+)+b", whole_words=True).places(text))


def test_places_that_overlap_without_end_are_bounded() -> None:
    assert len(list(LinearPattern("a.*b").places("a" * 20_000 + "b"))) <= 1_001


def test_the_patterns_of_our_lexicon_are_found_as_by_python() -> None:
    rng = random.Random(5)
    patterns = [
        loosened(pattern) for entry in load_lexicon("violence").entries for pattern in entry.unless
    ]
    for pattern in patterns:
        words = [*re.findall("[a-z]+", pattern), "the", "a", "’s", ",", "é", "naïve", "to"]
        for _ in range(2):
            text = lowered(" ".join(rng.choices(words, k=30)))
            found = list(LinearPattern(pattern, whole_words=True).places(text))
            assert found == by_python(pattern, text), (pattern, text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\w+ß", "groß straße ß"), (r"\d+ km", "٣ km, 12 km"), ("é", "é café é"),
        (r"[\w']+", "l'été n'est"), (r"a\u2019b", "a’b"), (r"x{,2}y", "xxy xy y"),
        (r"[\s.]a", " .a"), ("shots?(?! at)", "shots at shots by"), (r"[]a]+", "]a a]"),
        ("🙂 a", "b 🙂 a"),
    ],
)  # fmt: skip
def test_signs_mean_what_they_mean_in_python(pattern: str, text: str) -> None:
    found = list(LinearPattern(pattern, whole_words=True).places(text))
    assert found == by_python(pattern, text)
    assert found


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(?<=a)b", "look-around"), ("(?<!a)b", "look-around"), ("(?=a)b", "look-around"),
        (r"(a)\1", "back-references"), (r"[\W]", "square brackets"), ("(", "missing"),
        ("(?!a(?!b))", "another"), ("(?!a", "missing )"), ("a{9999999999}", "repetition"),
        ("((a{1000}){1000}){9}", "repetition"), ("a" * 30_000, "longer than"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(pattern: str, said: str) -> None:
    with pytest.raises(PatternError, match=re.escape(said)):
        LinearPattern(pattern)


def test_named_groups_are_given() -> None:
    pattern = LinearPattern(r"(?P<name>\w+) is (?P<what>\w+)(?: and (?P<more>\w+))?")
    assert pattern.names == ["name", "what", "more"]
    assert pattern.search("Zoë is tall") == {"name": "Zoë", "what": "tall", "more": ""}
    assert pattern.search("nothing") is None
    assert [found[:2] for found in LinearPattern("aa").apart("éaaaa aa")] == [
        (1, 3),
        (3, 5),
        (6, 8),
    ]
