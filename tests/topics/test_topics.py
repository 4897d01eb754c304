"""Topics: lemmas, two engines with the same conclusions, relevance, matching."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.spatial.distance import jensenshannon

from slant.topics import Vocabulary, fit_topics, relevant_words, similarity, without_prior

TEXTS = pl.Series(["The women were walking.", "She walks; the woman's dogs walk!", "Dogs ran."])
THEMES = (
    "ship harbour sail wave captain",
    "bread oven flour baker dough",
    "violin concert choir singer hall",
)


def themed(count: int, rng: np.random.Generator) -> tuple[pl.Series, list[int]]:
    """Texts of one theme each, with words of the others now and then."""
    texts, whose = [], []
    for number in range(count):
        theme = number % len(THEMES)
        own = rng.choice(THEMES[theme].split(), 18).tolist()
        other = rng.choice(" ".join(THEMES).split(), 4).tolist()
        texts.append(" ".join(["the", *own, "and", *other]))
        whose.append(theme)
    return pl.Series(texts), whose


@pytest.mark.parametrize("lemmas", ["words", "context"])
def test_words_become_lemmas_and_stop_words_stay(lemmas: Any) -> None:
    vocabulary = Vocabulary([TEXTS], lemmas)
    counts = vocabulary.counts(TEXTS).toarray()

    assert set(vocabulary.words) - {"dog"} == {"the", "walk", "woman"}
    assert counts[:, vocabulary.words.index("walk")].tolist() == [1, 2, 0]
    assert counts[:, vocabulary.words.index("woman")].tolist() == [1, 1, 0]
    assert vocabulary.signature.startswith(f"{lemmas}:en_")


def test_without_lemmas_words_stand_as_they_are() -> None:
    assert Vocabulary([TEXTS], "none").words == ["dogs", "the"]


def test_reading_in_batches_changes_nothing() -> None:
    whole = Vocabulary([TEXTS])
    batches = Vocabulary([TEXTS[:1], TEXTS[1:]])
    assert whole.words == batches.words
    assert (whole.counts(TEXTS).toarray() == batches.counts(TEXTS).toarray()).all()


@pytest.mark.parametrize("engine", ["sklearn", "gensim"])
def test_both_engines_find_the_planted_topics(engine: Any) -> None:
    texts, whose = themed(240, np.random.default_rng(1))
    vocabulary = Vocabulary([texts])
    counts = vocabulary.counts(texts)
    model = fit_topics(counts, [3], seed=2, engine=engine)

    mixtures = model.distributions(counts)
    assert mixtures.sum(axis=1) == pytest.approx(np.ones(240))
    assert model.words.sum(axis=1) == pytest.approx(np.ones(3))
    found = mixtures.argmax(axis=1)
    agree = [len(set(found[np.array(whose) == theme].tolist())) for theme in range(3)]
    assert agree == [1, 1, 1]
    assert len(set(found.tolist())) == 3


@pytest.mark.parametrize("engine", ["sklearn", "gensim"])
def test_without_the_prior_a_text_is_made_up_of_its_words(engine: Any) -> None:
    texts, _ = themed(240, np.random.default_rng(1))
    vocabulary = Vocabulary([texts])
    model = fit_topics(vocabulary.counts(texts), [3], seed=2, engine=engine)
    some = vocabulary.counts(pl.Series([THEMES[0], f"{THEMES[1]} {THEMES[1]} flour", "elsewhere"]))
    words = without_prior(model.distributions(some), some)
    assert words.sum(axis=1) == pytest.approx([5, 11, 0], abs=0.05)
    assert words[:2].max(axis=1) == pytest.approx([5, 11], abs=0.2)
    assert model.distributions(some)[2] == pytest.approx([1 / 3] * 3)


@pytest.mark.slow
def test_the_engines_agree_as_well_as_two_starts_of_one_do() -> None:
    texts, _ = themed(240, np.random.default_rng(3))
    counts = Vocabulary([texts]).counts(texts)
    one, other = (fit_topics(counts, [3], seed=4, engine=each) for each in ("sklearn", "gensim"))
    again = fit_topics(counts, [3], seed=5)

    between, within = (similarity(one.words, each.words).mean() for each in (other, again))
    assert between > 0.8
    assert within > 0.8


@pytest.mark.slow
def test_the_number_of_topics_with_the_lowest_held_out_perplexity_is_taken() -> None:
    texts, _ = themed(300, np.random.default_rng(6))
    counts = Vocabulary([texts]).counts(texts)
    model = fit_topics(counts, [2, 3, 12], seed=7)

    assert model.topics == min(model.perplexities, key=lambda k: model.perplexities[k])
    assert model.topics == 3
    assert set(model.perplexities) == {2, 3, 12}


def test_relevance_is_that_of_ldavis() -> None:
    rng = np.random.default_rng(8)
    words, frequency = rng.dirichlet(np.ones(20), size=3), rng.dirichlet(np.ones(20))
    found = relevant_words(words, frequency, top=5)
    for topic in range(3):
        naive = {
            w: 0.6 * np.log(words[topic, w]) + 0.4 * np.log(words[topic, w] / frequency[w])
            for w in range(20)
        }
        assert found[topic].tolist() == sorted(naive, key=lambda w: -naive[w])[:5]


def test_words_that_tell_nothing_are_left_out_and_the_others_keep_their_order() -> None:
    words, frequency = [[0.5, 0.3, 0.15, 0.05]], [0.4, 0.3, 0.1, 0.2]
    assert relevant_words(words, frequency).tolist() == [[0, 1, 2, 3]]
    found = relevant_words(words, frequency, telling=[False, True, True, False])
    assert found.tolist() == [[1, 2]]


def test_topics_are_matched_one_to_one() -> None:
    words = np.random.default_rng(9).dirichlet(np.full(30, 0.2), size=4)
    alike = similarity(words, words[[2, 0, 3, 1]])
    assert alike == pytest.approx(np.ones(4))
    apart = similarity(words[:1], words[1:2])
    assert apart[0] == pytest.approx(1 - jensenshannon(words[0], words[1], base=2))
    assert np.isnan(similarity(words, words[:3])).sum() == 1
