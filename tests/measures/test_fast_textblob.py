from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from textblob import TextBlob  # type: ignore[import-untyped]
from textblob._text import EMOTICONS  # type: ignore[import-untyped]
from textblob.en import sentiment  # type: ignore[import-untyped]

from slant.corpora import read_corpus
from slant.measures.fast_textblob import textblob_scorer
from slant.measures.sentences import sentences

SCORE = textblob_scorer()
FACES = sorted(face for faces in EMOTICONS.values() for face in faces)

WORDS = st.one_of(
    st.sampled_from(sorted(sentiment.keys())),
    st.sampled_from(["good", "bad", "great", "terrible", "first", "new", "certain"]),
    st.sampled_from(["no", "not", "never", "n't", "isn't", "don’t", "can't", "wouldn't've"]),
    st.sampled_from(["very", "really", "extremely", "hardly", "slightly", "terribly", "ly"]),
    st.sampled_from(["a", "is", "of", "in", "to", "the", "mayor", "people", "'s", "it's"]),
    st.sampled_from(["Mr.", "U.S.", "e.g.", "etc.", "a.m.", "1998", "3.5", "8", "x", "D", "o"]),
    st.sampled_from([*FACES, "(!)", "( !)", "...", "....", "END-OF-SENTENCE", "xd", "O_o"]),
    st.sampled_from(["İstanbul", "東京", "naïve", "🙂", "\u212ai", "well-off", "and/or", "''"]),
    st.text(max_size=5),
)
SHAPES: st.SearchStrategy[Callable[[str], str]] = st.sampled_from(
    [str.strip, str.strip, str.strip, str.upper, str.title]
)
BEFORE = st.sampled_from(["", "", "", '"', "(", "“", "'", "-", ":"])
AFTER = st.sampled_from(["", "", "", "", ",", ".", "!", "!!!", "?", ")", '"', "…", "'s", ":", ";"])
BLANKS = st.sampled_from(
    [" ", " ", " ", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\x1c", "\u2003", ""]
)


@st.composite
def mixtures(draw: st.DrawFn) -> str:
    parts = draw(st.lists(st.tuples(BEFORE, WORDS, SHAPES, AFTER, BLANKS), max_size=9))
    return "".join(
        f"{before}{shape(word)}{after}{blank}" for before, word, shape, after, blank in parts
    )


def expected(texts: list[str]) -> list[float]:
    return [TextBlob(text).sentiment.polarity for text in texts]


def test_the_sample_corpus_gets_the_library_s_polarities() -> None:
    articles = read_corpus("sample").articles(lambda why: None)
    texts = [part for article in articles for part in (article.title, *sentences(article.text))]
    scores = SCORE(texts)
    assert len(texts) > 300
    assert np.count_nonzero(scores) > 100
    assert scores.tolist() == expected(texts)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.lists(mixtures(), max_size=4))
@example(["", " ", "good", "not", "  good\tday ", "no", "Not a good day!", "not the mayor, good"])
@example(["very good", "very, good", "very much good", "really not a good", "hardly is a good"])
@example(["Appendix D is good", "Appendix D", "see Max D.", "Chicago . O", "in 8 )", "( ! ) good"])
@example(["TextBlob is amazingly simple to use. What great fun!", "I havee goood speling!"])
@example(["The titular threat of The Blob has always struck me as the ultimate movie monster"])
@example([f"good {face} bad" for face in FACES])
@example([f"good {' '.join(face)}" for face in FACES])
@example([f"good {face}n't" for face in FACES])
def test_any_mixture_gets_the_library_s_polarity(texts: list[str]) -> None:
    assert SCORE(texts).tolist() == expected(texts)


@pytest.mark.slow
def test_each_word_of_the_lexicon_is_turned_as_in_the_library() -> None:
    texts = [f"It is {turn} {word}!" for word in sentiment for turn in ("a", "not", "very")]
    assert SCORE(texts).tolist() == expected(texts)


def test_a_full_memory_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slant.measures.fast_textblob._MOST", 2)
    texts = ["a good day", "not a bad day", "very nice, really", "nothing to say"]
    assert textblob_scorer()(texts).tolist() == expected(texts)
