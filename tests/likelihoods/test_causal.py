from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import make_bloom, make_mistral

from slant.likelihoods import causal
from slant.likelihoods.causal import Shape, score_batches, score_tree
from slant.likelihoods.guard import CausalScorer, deviation
from slant.likelihoods.tree import build_tree


def load(folder: Path) -> Any:
    import torch
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


@pytest.fixture(scope="module", params=["plain", "gpt2"])
def model(request: pytest.FixtureRequest, tiny: Path) -> Any:
    return load(tiny / request.param)


@pytest.fixture(scope="module")
def sequences() -> list[list[int]]:
    """Make sentences of a grid, a double, one that is the beginning of another, and short ones."""
    rng = random.Random(3)
    names = [[rng.randrange(2, 250) for _ in range(rng.randrange(1, 5))] for _ in range(12)]
    ends = [[rng.randrange(2, 250) for _ in range(rng.randrange(1, 6))] for _ in range(30)]
    grid = [[7, 8, *name, 9, *end] for name in names for end in ends]
    return [*grid, grid[5], grid[0][:5], [7, 8], [11, 12, 13]]


def one_by_one(model: Any, sequences: list[list[int]]) -> Iterator[np.ndarray[Any, Any]]:
    """Score by log_softmax over the model's own logits, each sequence alone."""
    import torch

    for sequence in sequences:
        ids = torch.tensor([sequence])
        with torch.inference_mode():
            logprobs = model(ids).logits[0, :-1].double().log_softmax(-1)
        yield logprobs.gather(1, ids[0, 1:, None])[:, 0].numpy()


@pytest.fixture(scope="module")
def alone(model: Any, sequences: list[list[int]]) -> list[np.ndarray[Any, Any]]:
    """Give what each sequence scores by itself."""
    return list(one_by_one(model, sequences))


@pytest.mark.parametrize("shape", [Shape(), Shape(16, 2, 5), Shape(24, 1, 1), Shape(512, 3, 1000)])
def test_the_tree_gives_what_the_model_gives(
    model: Any, sequences: list[list[int]], alone: list[np.ndarray[Any, Any]], shape: Shape
) -> None:
    for by_tree, values in zip(score_tree(model, sequences, shape=shape), alone, strict=True):
        np.testing.assert_allclose(by_tree, values, atol=2e-5)
        assert by_tree.dtype == np.float64


def test_it_is_the_loss_that_transformers_computes(model: Any, sequences: list[list[int]]) -> None:
    import torch

    for sequence, values in zip(sequences[::40], score_tree(model, sequences)[::40], strict=True):
        ids = torch.tensor([sequence])
        with torch.inference_mode():
            loss = float(model(ids, labels=ids).loss)
        assert -values.mean() == pytest.approx(loss, rel=1e-5)


def test_sorted_batches_give_the_same(
    model: Any, sequences: list[list[int]], alone: list[np.ndarray[Any, Any]]
) -> None:
    for batched, values in zip(score_batches(model, sequences, positions=60), alone, strict=True):
        np.testing.assert_allclose(batched, values, atol=2e-5)


def test_the_order_and_the_company_of_a_sequence_do_not_matter(
    model: Any, sequences: list[list[int]]
) -> None:
    expected = score_tree(model, sequences)
    backwards = score_tree(model, sequences[::-1])[::-1]
    (alone,) = score_tree(model, sequences[:1])
    np.testing.assert_allclose(np.concatenate(expected), np.concatenate(backwards), atol=2e-5)
    np.testing.assert_allclose(alone, expected[0], atol=2e-5)
    assert score_tree(model, []) == []


def test_what_is_not_asked_for_is_not_scored(model: Any, sequences: list[list[int]]) -> None:
    first = [1 + number % (len(each) - 1) for number, each in enumerate(sequences)]
    whole = score_tree(model, sequences)

    for all_, some, start in zip(whole, score_tree(model, sequences, first), first, strict=True):
        assert some == pytest.approx(all_[start - 1 :], abs=1e-5)


def test_each_distinct_prefix_is_run_once(
    model: Any, sequences: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 0
    head = causal.logits_of

    def counted(model: Any, hidden: Any) -> Any:
        nonlocal rows
        rows += len(hidden)
        return head(model, hidden)

    monkeypatch.setattr(causal, "logits_of", counted)
    score_tree(model, sequences)
    assert rows == build_tree(sequences).nodes < sum(map(len, sequences)) / 2


def test_a_model_that_honours_the_mask_is_scored_by_tree(
    model: Any, sequences: list[list[int]]
) -> None:
    assert deviation(model, sequences[::30]) < 1e-5
    scorer = CausalScorer(model)
    scorer.score(sequences)
    assert (scorer.method, scorer.remark) == ("prefix tree", "")


def test_a_model_whose_positions_the_tree_cannot_tell_falls_back(
    tmp_path: Path, sequences: list[list[int]]
) -> None:
    make_bloom(tmp_path / "alibi")  # ALiBi: positions are counted in the batch, not by the tree
    model = load(tmp_path / "alibi")
    scorer = CausalScorer(model)
    for values, alone in zip(scorer.score(sequences), one_by_one(model, sequences), strict=True):
        np.testing.assert_allclose(values, alone, atol=2e-5)
    assert scorer.method == "sorted batches"
    assert "in sorted batches, exactly but more slowly" in scorer.remark


def test_a_window_that_slides_only_over_long_texts_is_noticed_when_one_comes(
    tmp_path: Path, sequences: list[list[int]]
) -> None:
    make_mistral(tmp_path / "window", window=12)
    model = load(tmp_path / "window")
    scorer = CausalScorer(model)
    short = [sequence for sequence in sequences if len(sequence) < 12]
    scorer.score(short)
    assert scorer.method == "prefix tree"
    long = [*short, [*range(20, 60)]]
    for values, alone in zip(scorer.score(long), one_by_one(model, long), strict=True):
        np.testing.assert_allclose(values, alone, atol=2e-5)
    assert scorer.method == "sorted batches"


def test_minicons_gives_the_same(tiny: Path) -> None:
    from minicons.scorer import IncrementalLMScorer
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(tiny / "plain")
    tokenizer.pad_token = tokenizer.eos_token
    model = load(tiny / "plain")
    texts = [f"{name} is a {what}." for name in ("Ann", "Bo", "She") for what in ("nurse", "man")]
    theirs = IncrementalLMScorer(model, "cpu", tokenizer=tokenizer).sequence_score(texts)
    ours = score_tree(model, tokenizer(texts)["input_ids"])
    assert [float(values.mean()) for values in ours] == pytest.approx(
        [float(value) for value in theirs], abs=1e-4
    )
