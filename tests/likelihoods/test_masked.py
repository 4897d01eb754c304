"""Masked scoring is exact, whatever is batched, shared or left out."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from tiny_masked import TEXTS, load_masked, make_bert, make_roberta, one_mask_at_a_time, same

from slant.errors import InputError
from slant.likelihoods.masked import (
    check_tokenizer,
    encode_masked,
    head_can_be_narrowed,
    longest_text,
    score_encoded,
)

SCORERS = {False: "original", True: "within_word_l2r"}

Pair: TypeAlias = tuple[Any, Any]  # a model and its tokenizer


def score_masked(
    model: Any, tokenizer: Any, texts: list[str], *, within_word: bool, most: int | None = None
) -> list[Any]:
    """Encode texts, and score them as the model with this tokenizer would be asked to."""
    check_tokenizer(tokenizer, within_word=within_word)
    return score_encoded(
        model, tokenizer.mask_token_id, encode_masked(tokenizer, texts), within_word=within_word,
        narrow=head_can_be_narrowed(model, tokenizer), max_positions=most,
    )  # fmt: skip


@pytest.fixture(scope="module", params=["bert", "roberta"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A tiny masked model and its tokenizer."""
    folder = tmp_path_factory.mktemp(request.param)
    (make_bert if request.param == "bert" else make_roberta)(folder)
    return load_masked(folder)


@contextmanager
def forwards(module: Any) -> Iterator[list[tuple[int, ...]]]:
    """Note the shape of what a module is given, forward by forward."""
    shapes: list[tuple[int, ...]] = []

    def note(_module: Any, args: tuple[Any, ...], given: dict[str, Any]) -> None:
        first = args[0] if args else given["input_ids"]
        shapes.append(tuple(first.shape))

    handle = module.register_forward_pre_hook(note, with_kwargs=True)
    try:
        yield shapes
    finally:
        handle.remove()


@pytest.mark.parametrize("within_word", [False, True])
def test_each_token_is_scored_as_by_a_plain_loop(pair: Pair, within_word: bool) -> None:
    found = score_masked(*pair, TEXTS, within_word=within_word)
    same(found, [one_mask_at_a_time(*pair, text, within_word=within_word) for text in TEXTS])
    assert all((values < 0).all() for values in found)


@pytest.mark.slow
@pytest.mark.parametrize("within_word", [False, True])
def test_minicons_agrees(pair: Pair, within_word: bool) -> None:
    scorer = pytest.importorskip("minicons.scorer")
    model, tokenizer = pair
    tokenizer = copy.copy(tokenizer)
    # minicons 0.3.39 calls it by the name that it had before transformers 5.
    tokenizer.batch_encode_plus = tokenizer.__call__
    peer = scorer.MaskedLMScorer(model, "cpu", tokenizer=tokenizer)
    expected = peer.sequence_score(
        TEXTS, reduction=lambda values: values.sum().item(), PLL_metric=SCORERS[within_word]
    )
    found = [values.sum() for values in score_masked(*pair, TEXTS, within_word=within_word)]
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_the_two_metrics_differ_only_where_words_have_several_tokens(pair: Pair) -> None:
    plain, within = (score_masked(*pair, TEXTS, within_word=each) for each in (False, True))
    for text, one, other in zip(encode_masked(pair[1], TEXTS), plain, within, strict=True):
        words = [text.words[place] for place in text.scored]
        last = np.array([word not in words[n + 1 :] for n, word in enumerate(words)])
        np.testing.assert_allclose(one[last], other[last], rtol=1e-5)
        assert not np.isclose(one[~last], other[~last]).any()


def test_neither_batch_nor_order_nor_bound_matters(pair: Pair) -> None:
    alone = [score_masked(*pair, [text], within_word=True)[0] for text in TEXTS]
    same(score_masked(*pair, TEXTS, within_word=True), alone)
    same(score_masked(*pair, TEXTS[::-1], within_word=True), alone[::-1])
    same(score_masked(*pair, TEXTS * 3, within_word=True, most=40), alone * 3)


def test_texts_are_held_in_blocks(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = score_masked(*pair, TEXTS, within_word=False)
    monkeypatch.setattr("slant.likelihoods.masked._COPIED", 1)
    same(score_masked(*pair, TEXTS, within_word=False), whole)


def test_no_forward_exceeds_the_bound_and_the_head_runs_once_a_copy(pair: Pair) -> None:
    model, tokenizer = pair
    texts = encode_masked(tokenizer, TEXTS)
    longest = max(len(text.tokens) for text in texts)
    with forwards(model.base_model) as bodies, forwards(model.get_output_embeddings()) as heads:
        score_encoded(
            model,
            tokenizer.mask_token_id,
            texts,
            within_word=False,
            narrow=True,
            max_positions=2 * longest,
        )
    assert all(rows * length <= 2 * longest for rows, length in bodies)
    assert [rows for rows, _ in bodies] == [rows for rows, *_ in heads]
    assert all(width == 1 for _, width, _ in heads)
    # The double of a text costs nothing.
    distinct = {text.tokens: len(text.scored) for text in texts}
    assert sum(rows for rows, _ in bodies) <= sum(distinct.values())
    assert len(distinct) == len(TEXTS) - 1


def test_what_the_head_gives_is_bounded_as_well(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slant.likelihoods.bounds import Bounds

    model, tokenizer = pair
    vocabulary = model.config.vocab_size
    alone = score_masked(*pair, TEXTS, within_word=False)
    bounds = Bounds(positions=1024, logits=3 * vocabulary)
    monkeypatch.setattr("slant.likelihoods.bounds.ON_CPU", bounds)
    texts = encode_masked(tokenizer, TEXTS)
    for narrow in (True, False):
        with forwards(model.get_output_embeddings()) as heads:
            found = score_encoded(
                model, tokenizer.mask_token_id, texts, within_word=False, narrow=narrow
            )
        same(found, alone)
        assert max(rows for rows, *_ in heads) == (3 if narrow else 1)


def test_copies_that_are_the_same_run_once(pair: Pair) -> None:
    model, tokenizer = pair
    texts = encode_masked(tokenizer, ["She is a doctor.", "He is a doctor."])
    if len(texts[0].tokens) != len(texts[1].tokens):
        texts = encode_masked(tokenizer, ["a is a doctor.", "b is a doctor."])
    with forwards(model.base_model) as bodies:
        score_encoded(model, tokenizer.mask_token_id, texts, within_word=False, narrow=True)
    assert sum(rows for rows, _ in bodies) == 2 * len(texts[0].scored) - 1


def test_a_text_without_tokens_has_no_scores(pair: Pair) -> None:
    empty, good = score_masked(*pair, ["", "tea"], within_word=True)
    assert empty.shape == (0,)
    assert len(good) == len(one_mask_at_a_time(*pair, "tea", within_word=True))
    assert score_masked(*pair, [], within_word=False) == []


def test_an_unknown_token_is_scored_like_any_other(tmp_path: Path) -> None:
    make_bert(tmp_path)
    model, tokenizer = load_masked(tmp_path)
    text = "Two ☃ walked."
    assert tokenizer.unk_token in tokenizer.tokenize(text)
    found = score_masked(model, tokenizer, [text], within_word=False)
    same(found, [one_mask_at_a_time(model, tokenizer, text, within_word=False)])
    assert len(found[0]) == len(tokenizer.tokenize(text))


def test_a_context_is_seen_and_not_scored(pair: Pair) -> None:
    model, tokenizer = pair
    (text,) = encode_masked(tokenizer, [" walked into a bar."], ["Two men"])
    assert text.tokens == tuple(tokenizer("Two men walked into a bar.")["input_ids"])
    (found,) = score_encoded(model, tokenizer.mask_token_id, [text], within_word=True, narrow=True)
    whole = one_mask_at_a_time(*pair, "Two men walked into a bar.", within_word=True)
    before = len(tokenizer.tokenize("Two men"))
    np.testing.assert_allclose(found, whole[before:], rtol=1e-5)
    # A token that holds a character of the text is scored, though it begins before it.
    (inside,) = encode_masked(tokenizer, ["n walked into a bar."], ["Two me"])
    assert inside.tokens == text.tokens
    assert inside.scored[-len(text.scored) :] == text.scored
    assert len(inside.scored) == len(text.scored) + 1


def test_the_whole_forward_is_used_where_the_head_cannot_be_narrowed(pair: Pair) -> None:
    import torch

    model, tokenizer = pair

    class Mixing(torch.nn.Module):
        """A head that lets positions see each other."""

        def __init__(self, inner: torch.nn.Module):
            super().__init__()
            self.inner = inner

        def forward(self, hidden: torch.Tensor) -> Any:
            return self.inner(hidden + hidden.mean(1, keepdim=True))

    assert head_can_be_narrowed(model, tokenizer)
    name = "cls" if hasattr(model, "cls") else "lm_head"
    own = getattr(model, name)
    setattr(model, name, Mixing(own))
    try:
        assert not head_can_be_narrowed(model, tokenizer)
        found = score_masked(model, tokenizer, TEXTS, within_word=False)
        same(found, [one_mask_at_a_time(*pair, text, within_word=False) for text in TEXTS])
    finally:
        setattr(model, name, own)


def test_a_model_knows_how_much_it_holds(pair: Pair) -> None:
    model, tokenizer = pair
    limit = longest_text(model)
    assert limit == (48 if model.config.model_type == "bert" else 64)
    just = "," * (limit - 2)
    assert len(tokenizer(just)["input_ids"]) == limit
    assert len(score_masked(model, tokenizer, [just], within_word=False)[0]) == limit - 2
    with pytest.raises((IndexError, RuntimeError)):
        score_masked(model, tokenizer, [just + ","], within_word=False)


def test_a_tokenizer_without_masks_or_words_is_refused(tmp_path: Path) -> None:
    from tokenizers.pre_tokenizers import Metaspace

    make_roberta(tmp_path)
    model, tokenizer = load_masked(tmp_path)
    tokenizer.backend_tokenizer.pre_tokenizer = Metaspace(split=False)
    with pytest.raises(InputError, match="does not tell which tokens make up a word"):
        score_masked(model, tokenizer, ["tea"], within_word=True)
    tokenizer.mask_token = None
    with pytest.raises(InputError, match="has no mask token"):
        score_masked(model, tokenizer, ["tea"], within_word=False)
