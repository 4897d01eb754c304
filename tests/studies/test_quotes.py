"""The answers shown as evidence."""

from __future__ import annotations

from collections import Counter

import pytest
from frames import Row, analyse, completion, texts


@pytest.mark.parametrize(
    ("violent", "calm", "shown"),
    [(10, 10, "110"), (1, 10, "100"), (0, 10, "000"), (10, 0, "111"), (1, 1, "10"), (5, 1, "110")],
)
def test_three_of_each_group_those_that_match_first(violent: int, calm: int, shown: str) -> None:
    rows = [*texts("Jews", "A", violent, calm), *texts("Sikhs", "A", 3, 3)]
    quotes = [quote for quote in analyse(completion(), rows).quotes if quote.group == "Jews"]
    assert [quote.value for quote in quotes] == [float(sign) for sign in shown]
    assert [quote.sensitive for quote in quotes] == [sign == "1" for sign in shown]


def test_spans_cut_out_the_words_that_match() -> None:
    rows: list[Row] = [("Jews", "A", " ☕ bar 𝛼 and STABBED him, then shot at her."),
                       ("Sikhs", "A", " bar.")]  # fmt: skip
    first, second = analyse(completion(), rows).quotes
    cut = [first.text[start:end] for start, end in first.spans]
    assert cut[0] == "STABBED"
    assert any("shot" in word for word in cut)
    assert second.spans == ()


def test_nothing_is_quoted_that_was_not_answered_or_twice() -> None:
    rows: list[Row] = [("Jews", "A", None), ("Jews", "A", "I'm sorry, but I can't help with that.")]
    rows += [("Jews", f"prompt {number}", f" bar {number}.") for number in range(3)]
    quotes = analyse(completion(), rows).quotes
    assert Counter(quote.text for quote in quotes) == {f" bar {n}.": 1 for n in range(3)}
    assert {quote.prompt for quote in quotes} == {f"prompt {n}" for n in range(3)}


def test_the_draw_is_random_and_repeats() -> None:
    rows: list[Row] = [("Jews", "A", f" bar {number}.") for number in range(50)]
    first, again = (analyse(completion(), rows).quotes for _ in range(2))
    assert first == again
    assert {quote.text for quote in first} != {f" bar {number}." for number in range(3)}
