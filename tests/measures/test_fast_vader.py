from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from vaderSentiment import vaderSentiment  # type: ignore[import-untyped]

from slant.corpora import read_corpus
from slant.measures.fast_vader import vader_scorer
from slant.measures.sentences import sentences

ANALYZER = vaderSentiment.SentimentIntensityAnalyzer()
SCORE = vader_scorer()

TURNING = [*vaderSentiment.NEGATE, *vaderSentiment.BOOSTER_DICT, *vaderSentiment.SPECIAL_CASES]
WORDS = st.one_of(
    st.sampled_from(sorted(ANALYZER.lexicon)),
    st.sampled_from(["good", "bad", "great", "kind", "no", "like", "love", "death", "stop"]),
    st.sampled_from(TURNING),
    st.sampled_from(["no", "or", "nor", "never", "so", "this", "without", "doubt", "least", "at"]),
    st.sampled_from(["but", "BUT", "very", "of", "kind", "the", "a", "mayor", "shouldn't've"]),
    st.sampled_from([*sorted(ANALYZER.emojis)[::40], ":)", ":-(", ":D", "<3", "\u00a9"]),
    st.sampled_from(["1998", "U.S.", "İstanbul", "\u212aind", "ſo", "東京", "ª", "-", "''"]),
    st.text(max_size=5),
)
SHAPES: st.SearchStrategy[Callable[[str], str]] = st.sampled_from(
    [str.strip, str.strip, str.strip, str.upper, str.title]
)
BEFORE = st.sampled_from(["", "", "", '"', "(", "“", "'", "-"])
AFTER = st.sampled_from(["", "", "", "", ",", ".", "!", "!!!", "?", "???", "?!", '"', "…", "'s"])
BLANKS = st.sampled_from([" ", " ", " ", " ", "  ", "\t", "\n", "\x1c", "\u2003", ""])


@st.composite
def mixtures(draw: st.DrawFn) -> str:
    parts = draw(st.lists(st.tuples(BEFORE, WORDS, SHAPES, AFTER, BLANKS), max_size=9))
    return "".join(
        f"{before}{shape(word)}{after}{blank}" for before, word, shape, after, blank in parts
    )


def expected(texts: list[str]) -> list[float]:
    return [ANALYZER.polarity_scores(text)["compound"] for text in texts]


def test_the_sample_corpus_gets_the_library_s_scores() -> None:
    articles = read_corpus("sample").articles(lambda why: None)
    texts = [part for article in articles for part in (article.title, *sentences(article.text))]
    scores = SCORE(texts)
    assert len(texts) > 300
    assert np.count_nonzero(scores) > 100
    assert scores.tolist() == expected(texts)


def test_the_library_s_own_examples_get_its_scores() -> None:
    source = Path(vaderSentiment.__file__).read_text(encoding="utf-8").partition("__main__")[2]
    texts = [each for each in re.findall(r'"([^"\n]+)"', source) if " " in each]
    assert "VADER is VERY SMART, handsome, and FUNNY!!!" in texts
    assert len(texts) > 30
    assert SCORE(texts).tolist() == expected(texts)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.lists(mixtures(), max_size=4))
@example(["", " ", "good", "not", "  good\tday ", "no", "no good", "so this good"])
@example(["GOOD", "good AND so", "NOT good at all", "a VERY good day", "ALL IS GOOD", "no NO good"])
@example(["the least good", "at least good", "very least good", "Least good", "bad or no good"])
@example(["kind of good", "kind people", "a kind of", "Sort-of bad", "the 'bomb'", "to die for it"])
@example(["good but bad but good good", "But good", "good, but", "bad bad bad but not bad"])
def test_any_mixture_gets_the_library_s_score(texts: list[str]) -> None:
    assert SCORE(texts).tolist() == expected(texts)


@pytest.mark.parametrize("turn", TURNING)
def test_every_word_that_turns_others_turns_them_as_in_the_library(turn: str) -> None:
    texts = [
        f"{written}{between}{word}"
        for written in (turn, turn.upper())
        for between in (" ", " the ", " so the ", " one two three ")
        for word in ("good", "BAD", "no good")
    ]
    assert SCORE(texts).tolist() == expected(texts)


def test_batches_end_between_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["not", "good", "so good", "very", "bad!", "never", "a fine day", ""]
    monkeypatch.setattr("slant.measures.fast_vader._BATCH", 3)
    assert SCORE(texts).tolist() == expected(texts)
