"""Regard by a classifier of transformers, with random weights."""

from pathlib import Path

import numpy as np
import pytest

from slant.errors import InputError
from slant.measures.regard import Regard


def make(folder: Path, labels: list[str]) -> Path:
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    words = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "good", "bad", "day"])}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",  # noqa: S106 - no password
        pad_token="[PAD]",  # noqa: S106 - no password
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=5, hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=32, initializer_range=2.0,
        id2label=dict(enumerate(labels)), label2id={name: at for at, name in enumerate(labels)},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_scores_are_positive_minus_negative_and_signs_the_likeliest_label(tmp_path: Path) -> None:
    regard = Regard(str(make(tmp_path, ["negative", "neutral", "positive", "other"])))
    texts = ["good day", "bad bad day", "day", "bad"]
    scores, signs = regard.judge(texts)
    assert regard._classifier is not None
    chances = regard._classifier.probabilities(texts)
    np.testing.assert_allclose(scores, chances[:, 2] - chances[:, 0])
    expected = np.array([-1, 0, 1, 0])[chances.argmax(axis=1)]
    assert signs.tolist() == expected.tolist()
    assert regard.accuracy is None


def test_a_classifier_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no label 'positive'"):
        Regard(str(make(tmp_path, ["fine", "toxic"])))
