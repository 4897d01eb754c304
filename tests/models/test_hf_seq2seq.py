"""Encoder–decoder models answer questions of likelihood."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from tiny_masked import PAIRS, likelihood, load_seq2seq, make_bart, make_t5, own_loss
from tiny_models import ask, edit_weights

from slant.errors import InputError
from slant.models.model import Model
from slant.models.open import open_model
from slant.records import Answer


@pytest.fixture(scope="module")
def tiny_seq2seq(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seq2seq")
    make_t5(folder / "t5", tied=True)
    make_bart(folder / "bart")
    return folder


@pytest.fixture
def t5(tiny_seq2seq: Path, tmp_path: Path) -> Path:
    """Copy the tiny T5, for tests that damage it."""
    return Path(shutil.copytree(tiny_seq2seq / "t5", tmp_path / "t5"))


def load(folder: Path, options: str = "") -> Model:
    return open_model(f"hf-seq2seq:{folder}{options}")


def loss(answer: Answer) -> float:
    assert answer.outcome == "answered"
    return -float(np.mean(answer.logprobs or ()))


@pytest.mark.parametrize("kind", ["t5", "bart"])
def test_conditional_is_the_loss_of_the_text_given_its_source(
    tiny_seq2seq: Path, kind: str
) -> None:
    items = [likelihood(text, source) for source, text in PAIRS]
    answers = ask(load(tiny_seq2seq / kind), items)
    pair = load_seq2seq(tiny_seq2seq / kind)
    for (source, text), answer in zip(PAIRS, answers, strict=True):
        np.testing.assert_allclose(loss(answer), own_loss(*pair, source, text), rtol=1e-4)
        tokens = len(pair[1](source)["input_ids"]) + len(pair[1](text)["input_ids"])
        assert answer.prompt_tokens == tokens


@pytest.mark.parametrize("kind", ["t5", "bart"])
def test_copy_is_the_loss_of_the_whole_text_given_itself(tiny_seq2seq: Path, kind: str) -> None:
    items = [likelihood(text, source) for source, text in PAIRS]
    whole = [likelihood(source + text) for source, text in PAIRS]
    model = load(tiny_seq2seq / kind, "?metric=copy")
    answers = ask(model, items)
    assert ask(model, whole) == answers
    pair = load_seq2seq(tiny_seq2seq / kind)
    for (source, text), answer in zip(PAIRS, answers, strict=True):
        expected = own_loss(*pair, source + text, source + text)
        np.testing.assert_allclose(loss(answer), expected, rtol=1e-4)


def test_both_metrics_can_be_audited_side_by_side(tiny_seq2seq: Path) -> None:
    conditional, copy = (load(tiny_seq2seq / "t5", each) for each in ("", "?metric=copy"))
    assert (conditional.name, copy.name) == ("t5", "t5 (copy)")
    assert conditional.abilities == {"likelihood"}
    assert conditional.likelihood_batch_size == 2048
    first, second = conditional.fingerprint(), copy.fingerprint()
    assert first["likelihood"] == "conditional_perplexity"
    assert second["likelihood"] == "copy_perplexity"
    assert first["likelihood_dtype"] == "float32"
    assert first["bos"] == "the decoder starts at <pad>; scored: text </s>"
    bart = load(tiny_seq2seq / "bart").fingerprint()
    assert bart["bos"] == "the decoder starts at </s>; scored: <s> text </s>"


def test_what_cannot_be_scored_says_why_and_harms_no_other(tiny_seq2seq: Path) -> None:
    model = load(tiny_seq2seq / "bart")
    items = [
        likelihood("tea"),
        likelihood("", "tea"),
        likelihood("," * 60, "tea"),
        likelihood(" walked.", "Two men"),
    ]
    sourceless, empty, too_long, good = ask(model, items)
    assert sourceless.outcome == empty.outcome == "unparseable"
    assert "there is no source for the encoder" in (sourceless.reason or "")
    assert empty.reason == "the text holds no token to score: it is empty"
    assert too_long.outcome == "error"
    assert "62 tokens are more than the 40 that the model can hold" in (too_long.reason or "")
    assert good == ask(model, items[-1:])[0]
    assert good.outcome == "answered"
    assert ask(load(tiny_seq2seq / "t5"), [likelihood("," * 60, "tea")])[0].outcome == "answered"


def test_a_probability_that_is_not_a_number_is_an_error(t5: Path) -> None:
    name = "decoder.final_layer_norm.weight"
    edit_weights(t5, lambda weights: weights[name].fill_(math.nan))
    (answer,) = ask(load(t5), [likelihood(" walked.", "Two men")])
    assert (answer.outcome, answer.logprobs) == ("error", None)
    assert answer.reason == "the model gives no finite probability in float32"


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("?metric=plain", "metric='plain' is not one of conditional, copy"),
        ("?mtric=copy", "did you mean 'metric'"),
    ],
)
def test_wrong_options_are_refused(tiny_seq2seq: Path, options: str, part: str) -> None:
    with pytest.raises(InputError, match=part):
        load(tiny_seq2seq / "t5", options)


def test_a_tokenizer_of_another_model_is_refused(tiny_seq2seq: Path, t5: Path) -> None:
    shutil.copy(tiny_seq2seq / "bart" / "tokenizer.json", t5 / "tokenizer.json")
    with pytest.raises(InputError, match=r"its tokenizer has \d+ tokens and the model embeds"):
        load(t5).fingerprint()


def test_a_model_of_another_kind_is_refused(tiny: Path) -> None:
    with pytest.raises(InputError, match="its weights cannot be loaded"):
        load(tiny / "gpt2").fingerprint()
