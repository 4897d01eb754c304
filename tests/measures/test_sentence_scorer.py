"""Scorers of sentences, each against the library it stands for."""

from pathlib import Path

import numpy as np
import pytest
from tiny_classifier import make_classifier

from slant.errors import InputError
from slant.measures.sentence_scorer import SentenceScorer

SENTENCES = [
    "The mayor opened a wonderful new library.",
    "The harvest was terrible and everyone was angry.",
    "The train left at nine.",
    "The train left at nine.",
]


@pytest.mark.parametrize("name", ["textblob", "vader"])
def test_sentiment_is_higher_for_kinder_sentences_and_zero_for_neutral_ones(name: str) -> None:
    scorer = SentenceScorer(name)
    kind, harsh, plain, again = scorer.each(SENTENCES)
    assert kind > 0 > harsh
    assert plain == again == 0
    assert scorer.kind == "sentiment"
    assert scorer.signature.startswith(f"{name}@")


def test_profanity_is_a_toxicity_between_0_and_1() -> None:
    scorer = SentenceScorer("profanity")
    insult, plain = scorer.each(["You are a stupid idiot.", "The council met on Tuesday."])
    assert 0 <= plain < 0.3 < 0.9 < insult <= 1
    assert scorer.kind == "toxicity"


def test_no_sentences_give_no_scores() -> None:
    assert SentenceScorer("vader").each([]).shape == (0,)


def test_a_scorer_that_is_not_known_is_named_with_those_that_are() -> None:
    with pytest.raises(InputError, match=r"did you mean .vader."):
        SentenceScorer("vadr")


def test_a_directory_that_holds_no_classifier_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"config\.json"):
        SentenceScorer(f"hf:{tmp_path}#toxic")


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classifier")
    return make_classifier(folder, ["fine", "toxic"], several=True)


def test_a_classifier_from_a_directory_gives_what_transformers_gives(classifier: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    scorer = SentenceScorer(f"hf:{classifier}#Toxic")
    texts = ["good day", "bad bad bad day good", "day"]
    found = scorer.each(texts)
    model = AutoModelForSequenceClassification.from_pretrained(classifier)
    tokenizer = AutoTokenizer.from_pretrained(classifier)
    with torch.inference_mode():
        expected = [
            model(**tokenizer(text, return_tensors="pt")).logits.sigmoid()[0, 1].item()
            for text in texts
        ]
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert scorer.signature.startswith(f"toxic:{classifier.name}@")


def test_a_label_that_the_classifier_lacks_is_named(classifier: Path) -> None:
    with pytest.raises(InputError, match="it has fine, toxic"):
        SentenceScorer(f"hf:{classifier}#rude")
