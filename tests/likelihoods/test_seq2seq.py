"""Scores of targets given sources are those of the model's own loss, whatever is batched."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from tiny_masked import PAIRS, load_seq2seq, make_bart, make_t5, own_loss, same

from slant.likelihoods.seq2seq import agrees_with_its_loss, encode_pairs, score_encoded

Pair: TypeAlias = tuple[Any, Any]  # a model and its tokenizer


def score_seq2seq(
    model: Any, tokenizer: Any, pairs: list[tuple[str, str]], **bound: int
) -> list[Any]:
    """Encode pairs, and score those that hold something on either side."""
    encoded = encode_pairs(tokenizer, pairs)
    usable = [each.says_something and bool(each.source) for each in encoded]
    fit = [each for each, good in zip(encoded, usable, strict=True) if good]
    scored = iter(score_encoded(model, fit, **bound))
    return [next(scored) if good else np.empty(0) for good in usable]


@pytest.fixture(scope="module", params=["tied T5", "untied T5", "BART"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A tiny encoder–decoder model and its tokenizer."""
    folder = tmp_path_factory.mktemp("model")
    if request.param == "BART":
        make_bart(folder)
    else:
        make_t5(folder, tied=request.param == "tied T5")
    return load_seq2seq(folder)


def test_the_t5_models_are_what_they_are_called(tmp_path: Path) -> None:
    for tied in (True, False):
        make_t5(tmp_path / str(tied), tied=tied)
        model, _ = load_seq2seq(tmp_path / str(tied))
        assert model.config.scale_decoder_outputs == tied
        assert (model.lm_head.weight is model.get_input_embeddings().weight) == tied


def test_the_mean_is_the_models_own_loss(pair: Pair) -> None:
    found = score_seq2seq(*pair, PAIRS)
    losses = [own_loss(*pair, *each) for each in PAIRS]
    np.testing.assert_allclose([-values.mean() for values in found], losses, rtol=1e-5)
    assert agrees_with_its_loss(*pair)


def test_every_token_is_scored_the_end_included(pair: Pair) -> None:
    import torch

    model, tokenizer = pair
    expected = []
    for source, target in PAIRS:
        labels = tokenizer(text_target=target, return_tensors="pt")["input_ids"]
        assert int(labels[0, -1]) == tokenizer.eos_token_id
        with torch.no_grad():
            logits = model(
                input_ids=tokenizer(source, return_tensors="pt")["input_ids"], labels=labels
            ).logits[0]
        chosen = logits.double().log_softmax(-1).gather(-1, labels[0][:, None])
        expected.append(chosen[:, 0].numpy())
    same(score_seq2seq(*pair, PAIRS), expected, tolerance=2e-5)


def test_neither_batch_nor_order_nor_bound_matters(pair: Pair) -> None:
    alone = [score_seq2seq(*pair, [each])[0] for each in PAIRS]
    same(score_seq2seq(*pair, PAIRS), alone)
    same(score_seq2seq(*pair, PAIRS[::-1]), alone[::-1])
    same(score_seq2seq(*pair, PAIRS * 3, max_positions=30), alone * 3)


def test_each_source_is_encoded_once_and_each_pair_decoded_once(pair: Pair) -> None:
    model, tokenizer = pair
    encoded: list[Any] = []
    decoded: list[Any] = []

    def note(into: list[Any]) -> Any:
        def hook(_module: Any, args: Any, given: dict[str, Any]) -> None:
            into.append((given["input_ids"] if "input_ids" in given else args[0]).shape)

        return hook

    handles = [
        module.register_forward_pre_hook(note(into), with_kwargs=True)
        for module, into in ((model.get_encoder(), encoded), (model.get_decoder(), decoded))
    ]
    score_seq2seq(model, tokenizer, PAIRS * 5)
    for handle in handles:
        handle.remove()
    assert sum(rows for rows, _ in encoded) == len({source for source, _ in PAIRS})
    assert sum(rows for rows, _ in decoded) == len(set(PAIRS))


def test_no_forward_exceeds_the_bound(pair: Pair) -> None:
    model, tokenizer = pair
    pairs = encode_pairs(tokenizer, PAIRS)
    most = 2 * max(len(each.source) + len(each.target) for each in pairs)
    seen = []

    def note(_module: Any, _args: Any, given: dict[str, Any]) -> None:
        rows, length = given["decoder_input_ids"].shape
        seen.append(rows * (length + given["encoder_outputs"][0].shape[1]))

    handle = model.register_forward_pre_hook(note, with_kwargs=True)
    score_seq2seq(model, tokenizer, PAIRS * 4, max_positions=most)
    handle.remove()
    assert seen
    assert max(seen) <= most


def test_what_the_head_gives_is_bounded_as_well(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slant.likelihoods.bounds import Bounds

    model, tokenizer = pair
    longest = max(len(each.target) for each in encode_pairs(tokenizer, PAIRS))
    most = longest * model.config.vocab_size
    monkeypatch.setattr("slant.likelihoods.bounds.ON_CPU", Bounds(1024, most))
    seen = []
    handle = model.register_forward_hook(lambda *args: seen.append(args[-1].logits.numel()))
    score_seq2seq(model, tokenizer, PAIRS * 4)
    handle.remove()
    assert max(seen) <= most


def test_a_side_without_text_has_no_scores(pair: Pair) -> None:
    same(score_seq2seq(*pair, [("Two men", ""), *PAIRS]), [[], *score_seq2seq(*pair, PAIRS)])
    assert score_seq2seq(*pair, []) == []


def test_an_architecture_that_disagrees_with_its_loss_is_noticed(pair: Pair) -> None:
    model, tokenizer = pair
    own = model.prepare_decoder_input_ids_from_labels
    model.prepare_decoder_input_ids_from_labels = lambda labels: labels
    try:
        assert not agrees_with_its_loss(model, tokenizer)
    finally:
        model.prepare_decoder_input_ids_from_labels = own
