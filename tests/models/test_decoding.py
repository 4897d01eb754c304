from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from slant.models import decoding
from slant.models.decoding import Drawn, Job, decode, draw_tokens
from slant.models.open import open_model
from slant.records import Sampling

PROMPT = (40, 41, 42, 43)
BELOW_ONE = float(np.nextafter(1.0, 0.0))


class Numbers:
    """A tokenizer that shows every token as its number, and has no end token."""

    eos_token_id = None

    def decode(self, tokens: Any, *, skip_special_tokens: bool) -> str:
        return "".join(f"{token} " for token in tokens)


@pytest.fixture(scope="module", params=["plain", "gpt2"])
def loaded(tiny: Path, request: pytest.FixtureRequest) -> Any:
    model: Any = open_model(f"hf:{tiny / request.param}?dtype=float32")
    return model


@pytest.fixture
def endless(loaded: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a model that has no end token."""
    monkeypatch.setattr(loaded._model.generation_config, "eos_token_id", None)
    return loaded._model


def numbers(drawn: Drawn) -> list[int]:
    return [int(part) for part in drawn.text.split()]


def softmax(logits: Any) -> Any:
    powers = np.exp(np.asarray(logits, dtype=np.float64) - np.max(logits))
    return powers / powers.sum()


def nucleus(probabilities: Any, top_p: float) -> Any:
    """Keep the smallest set of tokens with at least this much probability, plainly."""
    kept, mass = np.zeros_like(probabilities), 0.0
    for token in np.argsort(-probabilities, kind="stable"):
        if mass >= top_p:
            break
        kept[token] = probabilities[token]
        mass += probabilities[token]
    return kept / kept.sum()


def invert(probabilities: Any, uniform: float, *, by_size: bool) -> int:
    """Walk along the probabilities until the uniform is used up."""
    order = np.argsort(-probabilities, kind="stable") if by_size else range(len(probabilities))
    mass = 0.0
    for token in order:
        mass += probabilities[token]
        if uniform < mass:
            return int(token)
    raise AssertionError("the uniform is not below one")


def plainly(model: Any, prompt: tuple[int, ...], s: Sampling, uniforms: Any) -> list[int]:
    """Draw without cache, batch or tensors."""
    tokens: list[int] = []
    for step in range(s.max_tokens):
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor([[*prompt, *tokens]])).logits[0, -1].numpy()
        counts = np.bincount(tokens, minlength=len(logits))
        logits = logits - s.presence_penalty * (counts > 0) - s.frequency_penalty * counts
        if s.temperature == 0:
            tokens.append(int(logits.argmax()))
            continue
        probabilities = nucleus(softmax(logits / s.temperature), s.top_p)
        tokens.append(invert(probabilities, uniforms[step], by_size=s.top_p < 1))
    return tokens


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(20, temperature=0.0),
        Sampling(20),
        pytest.param(Sampling(20, temperature=0.3), marks=pytest.mark.slow),
        pytest.param(Sampling(20, top_p=0.5), marks=pytest.mark.slow),
        Sampling(20, temperature=0.7, top_p=0.9, presence_penalty=1.5),
        Sampling(20, temperature=0.0, frequency_penalty=2.0),
        pytest.param(
            Sampling(20, presence_penalty=-1.0, frequency_penalty=1.5), marks=pytest.mark.slow
        ),
    ],
    ids=str,
)
def test_drawing_equals_a_plain_reference(
    endless: Any, monkeypatch: pytest.MonkeyPatch, sampling: Sampling
) -> None:
    uniforms = np.random.default_rng(5).random((10, 20))
    monkeypatch.setattr(decoding, "_uniforms", lambda stream, _count: uniforms[stream])
    # The longer prompts are padded, to 32 and 64 tokens.
    longer = [tuple(range(40, 40 + length)) for length in (17, 20, 32, 33)]
    prompts = [PROMPT, (50,), PROMPT, (60, 61, 62, 63), (70, 71), (80,), *longer]
    jobs = [
        Job(prompt, replace(sampling, max_tokens=20 - stream % 3), stream)
        for stream, prompt in enumerate(prompts)
    ]
    drawn = decode(endless, Numbers(), jobs)
    for job, result in zip(jobs, drawn, strict=True):
        uniform = uniforms[job.stream]
        assert numbers(result) == plainly(endless, job.prompt, job.sampling, uniform)
        assert (result.tokens, result.finish_reason) == (job.sampling.max_tokens, "length")


def test_a_huge_presence_penalty_never_repeats_a_token(endless: Any) -> None:
    free, barred = (
        numbers(decode(endless, Numbers(), [Job(PROMPT, sampling, 0)])[0])
        for sampling in (Sampling(50, 0.0), Sampling(50, 0.0, presence_penalty=1e6))
    )
    assert len(set(free)) < len(free)
    assert len(set(barred)) == len(barred) == 50


def test_the_length_is_what_was_asked_for(endless: Any) -> None:
    for count in (1, 2, 9):
        (drawn,) = decode(endless, Numbers(), [Job(PROMPT, Sampling(count), 0)])
        assert (len(numbers(drawn)), drawn.tokens, drawn.finish_reason) == (count, count, "length")


def test_jobs_wider_than_a_batch_come_back_in_order(endless: Any) -> None:
    jobs = [Job((40 + n % 5, 41), Sampling(1 + n % 3), n) for n in range(2 * decoding.WIDTH + 1)]
    drawn = decode(endless, Numbers(), jobs)
    assert [result.tokens for result in drawn] == [1 + n % 3 for n in range(len(jobs))]
    assert decode(endless, Numbers(), jobs[-1:]) == drawn[-1:]
    assert decode(endless, Numbers(), []) == []


def test_a_text_is_cut_at_the_first_stop(loaded: Any) -> None:
    whole = decode(loaded._model, loaded._tokenizer, _jobs(()))
    stops = ("e", "a", "zzz")
    cut = decode(loaded._model, loaded._tokenizer, _jobs(stops))
    reasons = set()
    for long, short in zip(whole, cut, strict=True):
        ends = [long.text.find(stop) for stop in stops if stop in long.text]
        reasons.add(bool(ends))
        assert short.text == (long.text[: min(ends)] if ends else long.text)
        assert short.finish_reason == ("stop" if ends else long.finish_reason)
        assert short.tokens <= long.tokens
    assert reasons == {True, False}


def _jobs(stop: tuple[str, ...]) -> list[Job]:
    return [Job(PROMPT, Sampling(20, stop=stop), stream) for stream in range(40)]


def test_an_end_token_ends_the_text_and_is_not_part_of_it(loaded: Any) -> None:
    jobs = [Job(PROMPT, Sampling(60), stream) for stream in range(60)]
    drawn = decode(loaded._model, loaded._tokenizer, jobs)
    assert {result.finish_reason for result in drawn} == {"stop", "length"}
    for result in drawn:
        assert (result.tokens == 60) == (result.finish_reason == "length")
        assert "<|end|>" not in result.text


@pytest.mark.parametrize("top_p", [1.0, 0.7])
def test_first_tokens_are_drawn_as_often_as_the_model_says(endless: Any, top_p: float) -> None:
    jobs = [Job(PROMPT, Sampling(1, top_p=top_p), stream) for stream in range(6000)]
    tokens = [numbers(drawn)[0] for drawn in decode(endless, Numbers(), jobs)]
    with torch.inference_mode():
        logits = endless(input_ids=torch.tensor([PROMPT])).logits[0, -1].numpy()
    assert fits(tokens, nucleus(softmax(logits), top_p))


def fits(tokens: Any, probabilities: Any) -> bool:
    """Test drawn tokens against probabilities (chi-squared; rare tokens are pooled)."""
    counts = np.bincount(tokens, minlength=len(probabilities))
    assert not counts[probabilities == 0].any()
    expected = probabilities * len(tokens)
    rare = expected < 8
    seen, due = counts[~rare], expected[~rare]
    if expected[rare].sum() > 0:
        seen, due = np.append(seen, counts[rare].sum()), np.append(due, expected[rare].sum())
    return bool(stats.chisquare(seen, due).pvalue > 1e-4)


@pytest.mark.parametrize("top_p", [1.0, 0.9, 0.6])
def test_draws_follow_the_probabilities(top_p: float) -> None:
    rng = np.random.default_rng(7)
    logits = rng.normal(0, 2, 50)
    uniforms = torch.tensor(rng.random(40_000))
    rows = torch.tensor(logits, dtype=torch.float32).expand(len(uniforms), -1)
    tokens = draw_tokens(rows, uniforms, top_p).numpy()
    probabilities = nucleus(softmax(logits), top_p)
    assert fits(tokens, probabilities)
    assert not fits(tokens, softmax(logits / 1.2))
    # Each token within its own binomial bounds, Bonferroni over the tokens.
    counts = np.bincount(tokens, minlength=50)
    for count, probability in zip(counts, probabilities, strict=True):
        assert stats.binomtest(int(count), len(tokens), probability).pvalue > 1e-4 / 50


@settings(max_examples=200)
@given(
    logits=st.lists(st.floats(-200, 50, width=32), min_size=1, max_size=12),
    uniform=st.sampled_from([0.0, BELOW_ONE]) | st.floats(0, 1, exclude_max=True),
    top_p=st.floats(0.01, 1),
)
def test_every_draw_is_possible(logits: list[float], uniform: float, top_p: float) -> None:
    row = torch.tensor([logits], dtype=torch.float32)
    (token,) = draw_tokens(row, torch.tensor([uniform], dtype=torch.float64), top_p).tolist()
    probabilities = row.softmax(-1)[0].double().numpy()
    assert probabilities[token] > 0
    larger = probabilities[probabilities > probabilities[token]].sum()
    assert larger < top_p + 1e-6


@pytest.mark.parametrize(
    ("uniform", "top_p", "token"),
    [
        (0.0, 1.0, 1),  # the first with any probability
        (BELOW_ONE, 1.0, 4),  # the last with any probability
        (0.0, 0.6, 3),  # the largest
        (BELOW_ONE, 0.6, 2),  # the last of the nucleus
        (BELOW_ONE, 0.4, 3),  # a nucleus of one
        (0.56, 0.6, 3),  # 4/7 of the nucleus
        (0.58, 0.6, 2),
    ],
)
def test_draws_at_the_edges(uniform: float, top_p: float, token: int) -> None:
    rows = torch.tensor([[0.0, 0.1, 0.3, 0.4, 0.2, 0.0]]).log()
    assert draw_tokens(rows, torch.tensor([uniform], dtype=torch.float64), top_p).item() == token


def test_uniforms_are_passed_on_in_full_precision(
    endless: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    original: Callable[..., torch.Tensor] = draw_tokens

    def watch(logits: torch.Tensor, uniforms: torch.Tensor, top_p: float) -> torch.Tensor:
        seen.extend(uniforms.tolist())
        return original(logits, uniforms, top_p)

    monkeypatch.setattr(decoding, "_uniforms", lambda _stream, count: np.full(count, BELOW_ONE))
    monkeypatch.setattr(decoding, "draw_tokens", watch)
    decode(endless, Numbers(), [Job(PROMPT, Sampling(2, top_p=0.5), 0)])
    assert set(seen) == {BELOW_ONE}
