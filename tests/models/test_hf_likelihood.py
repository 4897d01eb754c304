from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tiny_models import ask, edit_json, one

import slant
from slant.errors import InputError
from slant.models.open import open_model
from slant.records import Answer, Item, Likelihood

SENTENCES = [
    f"{name} is a {what}." for name in ("Ann", "Bo", "She") for what in ("nurse", "priest")
]


def score(model: Any, *texts: str | tuple[str, str]) -> list[Answer]:
    pairs = [("", text) if isinstance(text, str) else text for text in texts]
    items = [Item("test", Likelihood(text, source or None)) for source, text in pairs]
    return ask(model, items)


def total(answer: Answer) -> float:
    assert answer.outcome == "answered"
    assert answer.logprobs is not None
    return math.fsum(answer.logprobs)


@pytest.fixture(scope="module")
def model(tiny: Path) -> Any:
    return open_model(f"hf:{tiny / 'plain'}?dtype=float32&device=cpu")


def test_local_models_give_likelihoods(model: Any) -> None:
    assert model.abilities == {"raw", "choose", "likelihood"}
    assert model.fingerprint()["likelihood"] == "perplexity"
    assert model.fingerprint()["likelihood_dtype"] == "float32"
    assert model.fingerprint()["bos"] == "none: the first token is not scored"


def test_every_token_but_the_first_is_scored(model: Any) -> None:
    for answer, text in zip(score(model, *SENTENCES), SENTENCES, strict=True):
        tokens = model._tokenizer(text)["input_ids"]
        assert answer.prompt_tokens == len(tokens)
        assert answer.logprobs is not None
        assert len(answer.logprobs) == len(tokens) - 1
        assert all(value < 0 for value in answer.logprobs)


def test_the_parts_of_a_text_add_up(model: Any) -> None:
    whole, begin = score(model, "Two men walked into a bar.", "Two men walked into a")
    (rest,) = score(model, ("Two men walked into a", " bar."))
    assert total(begin) + total(rest) == pytest.approx(total(whole), abs=1e-4)


def test_a_token_across_the_border_belongs_to_the_text(model: Any) -> None:
    whole, split = score(model, ("Two men wal", "ked in."), ("Two men", " walked in."))
    assert whole.logprobs is not None
    assert split.logprobs is not None
    ends = [end for _, end in model._tokenizer("Two men walked in.", return_offsets_mapping=True)[
        "offset_mapping"]]  # fmt: skip
    assert len(whole.logprobs) == sum(end > len("Two men wal") for end in ends)


def test_texts_and_drawn_text_can_come_in_one_batch(model: Any) -> None:
    items = [one("Two men"), Item("t", Likelihood("Two men drink tea.")), one("She is")]
    first, scored, last = ask(model, items)
    assert (first.text, last.text) == tuple(answer.text for answer in ask(model, items[::2]))
    assert scored == score(model, "Two men drink tea.")[0]


def test_a_text_without_a_token_to_score_says_why(model: Any) -> None:
    for answer in score(model, "a", "", ("Two men", "")):
        assert answer.outcome == "unparseable"
        assert answer.logprobs is None
        assert "no token to score" in str(answer.reason)


def test_a_text_that_the_model_cannot_hold_says_why(tiny: Path) -> None:
    model = open_model(f"hf:{tiny / 'gpt2'}?dtype=float32&device=cpu")
    long, short = score(model, "tea " * 200, "tea and tea")
    assert long.outcome == "error"
    assert "more than the 64 that the model can hold" in str(long.reason)
    assert short.outcome == "answered"


def test_a_beginning_can_be_added_and_is_recorded(plain: Path) -> None:
    with pytest.raises(InputError, match="has no token that begins a text"):
        open_model(f"hf:{plain}?bos=add").fingerprint()
    edit_json(plain / "tokenizer_config.json", bos_token="<|start|>")  # noqa: S106 - no password
    model: Any = open_model(f"hf:{plain}?bos=add&dtype=float32")
    assert model.fingerprint()["bos"] == "added"
    without: Any = open_model(f"hf:{plain}?dtype=float32")
    for added, bare in zip(
        score(model, "Two men.", ("Two", " men.")), score(without, "Two men.", ("Two", " men.")),
        strict=True,
    ):  # fmt: skip
        assert added.prompt_tokens == (bare.prompt_tokens or 0) + 1
    assert len(score(model, "a")[0].logprobs or ()) == 1


def test_reduced_precision_only_on_request_and_recorded(tiny: Path, model: Any) -> None:
    reduced = open_model(f"hf:{tiny / 'plain'}?likelihood_dtype=bfloat16&device=cpu")
    assert reduced.fingerprint()["likelihood_dtype"] == "bfloat16"
    apart = abs(total(score(reduced, SENTENCES[0])[0]) - total(score(model, SENTENCES[0])[0]))
    assert 0 < apart < 5


def test_a_tokenizer_of_another_model_is_refused(plain: Path) -> None:
    from tiny_models import edit_weights

    def shrink(weights: dict[str, Any]) -> None:
        for name in [name for name in weights if "embed_tokens" in name or "lm_head" in name]:
            weights[name] = weights[name][:200].clone()

    edit_weights(plain, shrink)
    edit_json(plain / "config.json", vocab_size=200)
    with pytest.raises(
        InputError, match=r"its tokenizer does not match its weights: it has tokens"
    ):
        open_model(f"hf:{plain}").fingerprint()


def test_the_public_function_gives_a_frame_in_order(tiny: Path, model: Any) -> None:
    found = slant.likelihood(f"hf:{tiny / 'plain'}?device=cpu", [*SENTENCES, "a", ("Two", " men.")])
    assert found["text"].to_list() == [*SENTENCES, "a", " men."]
    assert found["source"].to_list() == [None] * 7 + ["Two"]
    scored = found.head(len(SENTENCES))
    answers = score(model, *SENTENCES)
    assert scored["logprob"].to_list() == pytest.approx([total(answer) for answer in answers])
    expected = [math.exp(-total(a) / len(a.logprobs or ())) for a in answers]
    assert scored["perplexity"].to_list() == pytest.approx(expected)
    assert found["perplexity"][6] is None
    assert found["tokens"][6] == 0
    assert "no token to score" in found["reason"][6]
    assert found["reason"].null_count() == 7


def test_a_model_without_likelihoods_is_refused(planted: str) -> None:
    with pytest.raises(InputError, match="'planted' cannot give likelihoods"):
        slant.likelihood(planted, ["Two men."])


def test_the_function_keeps_its_name_when_the_package_is_imported() -> None:
    code = "import slant.likelihoods.tree, slant.studies, slant; assert callable(slant.likelihood)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_scoring_leaves_the_fingerprint_and_what_is_drawn_as_they_were(tiny: Path) -> None:
    model: Any = open_model(f"hf:{tiny / 'chatty'}?dtype=float32&device=cpu")
    (before,) = ask(model, [one("Two men")])
    score(model, *SENTENCES)
    fresh = open_model(f"hf:{tiny / 'chatty'}?dtype=float32&device=cpu")
    assert model.fingerprint() == fresh.fingerprint()
    assert ask(model, [one("Two men")]) == [before]
