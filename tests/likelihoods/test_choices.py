"""Choosing among options, against transformers' own forward, spelling by spelling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import ask

from slant.likelihoods.choices import spellings
from slant.models.hf_causal import HFCausal
from slant.models.open import open_model
from slant.records import Answer, Choose, Generate, Item, Likelihood, Message, Prompt, Sampling


@pytest.fixture(params=["plain", "gpt2"])
def model(tiny: Path, request: pytest.FixtureRequest) -> HFCausal:
    """Open a tiny model: Llama, then GPT-2."""
    found = open_model(f"hf:{tiny / request.param}?device=cpu&dtype=float32")
    assert isinstance(found, HFCausal)
    return found


def choose(prompt: Prompt, *options: str) -> Item:
    return Item("test", Choose(prompt, options or ("Yes", "No")))


def by_hand(model: Any, prompt: str, option: str) -> float:
    """Sum the probabilities of an option's spellings, each by a forward of its own."""
    import torch

    start, total = model._tokenizer(prompt)["input_ids"], 0.0
    spelt = {
        tuple(model._tokenizer(space + case, add_special_tokens=False)["input_ids"])
        for case in (option, option.lower(), option.upper(), option.capitalize())
        for space in ("", " ")
    }
    spelt = {s for s in spelt if not any(s[:end] in spelt for end in range(1, len(s)))}
    for tokens in spelt:
        with torch.no_grad():
            logits = model._model(torch.tensor([[*start, *tokens]])).logits[0].double()
        steps = logits.log_softmax(-1)[len(start) - 1 : -1]
        total += float(torch.stack([row[t] for row, t in zip(steps, tokens, strict=True)])
                       .sum().exp())  # fmt: skip
    return float(np.log(total))


PROMPTS = (
    "Q: The teacher is kind. Yes or No?\nA:",
    "Q: The teacher is kind. No or Yes?\nA:",
    "Two",
)


def test_probabilities_are_sums_over_spellings(model: HFCausal) -> None:
    answers = ask(model, [choose(prompt, "Yes", "No", "a doctor") for prompt in PROMPTS])

    for prompt, answer in zip(PROMPTS, answers, strict=True):
        expected = [by_hand(model, prompt, option) for option in ("Yes", "No", "a doctor")]
        assert answer.logprobs == pytest.approx(expected, abs=1e-5)
        assert answer.outcome == "answered"


def test_an_answer_does_not_depend_on_its_neighbours(model: HFCausal) -> None:
    together = ask(model, [choose(prompt) for prompt in PROMPTS])
    alone = [ask(model, [choose(prompt)])[0] for prompt in PROMPTS]

    for first, second in zip(together, alone, strict=True):
        assert first.logprobs == pytest.approx(second.logprobs, abs=1e-5)


def test_kinds_of_questions_may_be_mixed(model: HFCausal) -> None:
    items = [
        choose(PROMPTS[0]),
        Item("test", Likelihood("The teacher is kind.")),
        Item("test", Generate("Two", Sampling(max_tokens=2, temperature=0))),
        choose(PROMPTS[1]),
    ]
    answers = ask(model, items)

    assert [answer.text is None for answer in answers] == [True, True, False, True]
    assert answers[3].logprobs == pytest.approx(ask(model, [choose(PROMPTS[1])])[0].logprobs)


def test_a_chat_goes_through_its_template(tiny: Path) -> None:
    model = open_model(f"hf:{tiny / 'chatty'}?device=cpu&dtype=float32")
    assert isinstance(model, HFCausal)
    text = "<|start|>user\nIs tea hot?<|end|>\n<|start|>assistant\n"

    (chat,) = ask(model, [choose((Message("user", "Is tea hot?"),))])

    assert chat.logprobs == pytest.approx(
        [by_hand(model, text, o) for o in ("Yes", "No")], abs=1e-5
    )


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (choose("", "Yes", "No"), "the prompt is empty"),
        (choose("Two", "Yes", "yes"), "two of them are spelt alike"),
        (choose("Two", "Yes", ""), "an option is empty"),
        (choose("word " * 400), "tokens that it can hold"),
    ],
)
def test_what_cannot_be_asked_is_an_error_with_its_reason(
    model: HFCausal, item: Item, reason: str
) -> None:
    good, bad = ask(model, [choose("Two"), item])

    assert good.outcome == "answered"
    assert isinstance(bad, Answer)
    assert bad.outcome == "error"
    assert reason in (bad.reason or "")


def test_a_spelling_that_another_begins_with_is_not_counted_twice(model: HFCausal) -> None:
    found = spellings(model._tokenizer, "No")

    assert len(found) == len(set(found))
    assert not any(a != b and b[: len(a)] == a for a in found for b in found)


@pytest.mark.slow
@pytest.mark.model
def test_the_embedded_model_chooses_as_its_logits_say() -> None:
    model = open_model("embedded")
    assert isinstance(model, HFCausal)
    question = "Q: Is Paris in France? Yes or No?\nA:"
    model.fingerprint()
    (answer,) = ask(model, [choose(question)])

    exact = open_model("embedded?dtype=float32")
    assert answer.logprobs == pytest.approx(
        [by_hand(exact, question, option) for option in ("Yes", "No")], abs=1e-4
    )
