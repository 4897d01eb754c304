from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tiny_models import ask, edit_json, edit_weights, greedy, one

from slant.errors import InputError
from slant.models.hf_causal import HFCausal
from slant.models.open import open_model
from slant.records import Choose, Item, Message, Sampling

GREEDY = Sampling(max_tokens=24, temperature=0.0)
PROMPTS = [
    "Two men walked into a",
    "Two men walked into the",
    "The teacher asked",
    "tea",
    "She",
    "Two men walked into a",
    "They work at the same hospital! A priest told stories about the sea.",
]
CHAT = (Message("system", "You are kind."), Message("user", "Tell me a story."))


def load(folder: Path, options: str = "?dtype=float32") -> HFCausal:
    model = open_model(f"hf:{folder}{options}")
    assert isinstance(model, HFCausal)
    return model


def refused(folder: Path | str, *parts: str, options: str = "") -> None:
    """Check that opening or loading gives one clear message that holds all the parts."""
    with pytest.raises(InputError) as caught:
        open_model(f"hf:{folder}{options}").fingerprint()
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_directory_is_named_after_itself_and_chats_if_it_has_a_template(tiny: Path) -> None:
    plain, chatty = load(tiny / "plain"), load(tiny / "chatty")
    assert (plain.name, chatty.name) == ("plain", "chatty")
    assert plain.abilities == {"raw", "choose", "likelihood"}
    assert chatty.abilities == {"raw", "chat", "choose", "likelihood"}
    assert plain.price == (0.0, 0.0)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_the_dtype_can_be_chosen(tiny: Path, dtype: str) -> None:
    assert load(tiny / "plain", f"?dtype={dtype}&device=cpu").fingerprint()["dtype"] == dtype


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("?dtype=int8", "dtype='int8' is not one of bfloat16, float16, float32"),
        ("?dtype=float32:0", "dtype='float32:0' is not one of"),
        ("?device=tpu", "device='tpu' is not one of cpu, cuda, mps"),
        ("?device=cpu:x", "device='cpu:x' is not one of"),
        ("?device=cuda:99", "device='cuda:99' is not to be had here"),
        ("?dtpye=float32", "did you mean 'dtype'"),
    ],
)
def test_wrong_options_are_refused(tiny: Path, options: str, part: str) -> None:
    refused(tiny / "plain", part, options=options)


def test_weights_in_several_files_and_spread_over_devices_answer_as_in_one(
    tiny: Path, tmp_path: Path
) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    AutoModelForCausalLM.from_pretrained(tiny / "plain").save_pretrained(
        tmp_path / "plain", max_shard_size="20KB"
    )
    AutoTokenizer.from_pretrained(tiny / "plain").save_pretrained(tmp_path / "plain")
    assert len(list((tmp_path / "plain").glob("model-*.safetensors"))) > 1

    whole = load(tiny / "plain", "?dtype=float32&device=cpu")
    items = [one(prompt, GREEDY) for prompt in PROMPTS]
    for options in ("?dtype=float32&device=cpu", "?dtype=float32&device=auto"):
        parts = load(tmp_path / "plain", options)
        assert parts.fingerprint()["weights"] == whole.fingerprint()["weights"]
        assert [a.text for a in ask(parts, items)] == [a.text for a in ask(whole, items)]


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "nowhere: there is no such directory")
    refused("./nowhere", "./nowhere: there is no such directory")
    refused("no-one/no-model", "'hf:no-one/no-model': its weights cannot be loaded")
    refused("", "name a directory or a hub model after hf:")


def test_a_directory_without_weights_is_refused(plain: Path) -> None:
    (plain / "model.safetensors").unlink()
    refused(plain, "its weights cannot be loaded", "model.safetensors")


class Trap:
    """Leaves a trace where its pickle is loaded."""

    def __init__(self, trace: Path):
        self.trace = trace

    def __reduce__(self) -> Any:
        return Path.touch, (self.trace,)


def test_a_pickle_is_never_loaded(plain: Path, tmp_path: Path) -> None:
    import torch

    trace = tmp_path / "trace"
    (plain / "model.safetensors").unlink()
    torch.save({"model.norm.weight": Trap(trace)}, plain / "pytorch_model.bin")
    refused(plain, "its weights cannot be loaded", "*.safetensors")
    assert not trace.exists()


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
def test_code_that_comes_with_a_model_is_never_run(plain: Path, tmp_path: Path, file: str) -> None:
    trace = tmp_path / "trace"
    (plain / "custom.py").write_text(f"import pathlib\npathlib.Path({str(trace)!r}).touch()\n")
    own = {
        "AutoConfig": "custom.Config",
        "AutoModelForCausalLM": "custom.Own",
        "AutoTokenizer": ["custom.Own", "custom.Own"],
    }
    edit_json(plain / file, model_type="own", tokenizer_class="Own", auto_map=own)
    refused(plain, "cannot be loaded", "custom code")
    assert not trace.exists()
    assert "custom" not in sys.modules


def test_damaged_weights_are_refused(plain: Path) -> None:
    file = plain / "model.safetensors"
    whole = file.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"\xff" * 100):
        file.write_bytes(damaged)
        refused(plain, "its weights cannot be loaded")


def test_weights_that_do_not_fit_are_never_made_up(plain: Path) -> None:
    edit_weights(plain, lambda weights: weights.pop("lm_head.weight"))
    refused(plain, "its weights do not fit", "lm_head.weight")


def test_weights_of_another_shape_are_refused(plain: Path) -> None:
    edit_json(plain / "config.json", vocab_size=400)
    refused(plain, "its weights do not fit", "2 are missing or have another shape")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("config.json", "[]"),
        ("config.json", "{"),
        ("config.json", '{"model_type": "llama", "num_attention_heads": "four"}'),
        ("config.json", '{"model_type": "llama", "num_attention_heads": 0}'),
        ("tokenizer.json", "{}"),
    ],
)
def test_damaged_descriptions_are_refused(plain: Path, file: str, text: str) -> None:
    (plain / file).write_text(text)
    refused(plain, "cannot be loaded")


@pytest.mark.parametrize("kind", ["plain", "gpt2"])
def test_temperature_0_is_the_greedy_continuation(tiny: Path, kind: str) -> None:
    model = load(tiny / kind)
    answers = ask(model, [one(prompt, GREEDY) for prompt in PROMPTS])
    for prompt, answer in zip(PROMPTS, answers, strict=True):
        text, count = greedy(model, prompt, 24)
        assert (answer.text, answer.completion_tokens) == (text, count)
        assert answer.prompt_tokens == len(model._tokenizer(prompt)["input_ids"])
        assert answer.finish_reason == ("length" if count == 24 else "stop")


@pytest.mark.parametrize("kind", ["plain", "gpt2"])
@pytest.mark.parametrize("sampling", [Sampling(16), Sampling(16, top_p=0.8), GREEDY])
def test_an_answer_does_not_depend_on_the_batch(tiny: Path, kind: str, sampling: Sampling) -> None:
    model = load(tiny / kind)
    items = [one(prompt, sampling, sample) for sample, prompt in enumerate(PROMPTS)]
    alone = [ask(model, [item])[0] for item in items]
    assert all(answer.outcome == "answered" for answer in alone)
    assert ask(model, items) == alone
    assert ask(model, items[::-1]) == alone[::-1]
    others = [one(prompt, Sampling(7), 100 + n) for n, prompt in enumerate(PROMPTS * 10)]
    mixed = ask(model, [*others, *items, *others])
    assert len(mixed) == 147
    assert mixed[70:77] == alone


def test_a_free_choice_is_the_most_probable_token_with_its_probability(tiny: Path) -> None:
    import torch

    model = load(tiny / "plain")
    items = [Item("s", Choose(prompt, ("Yes", "No"), free=True)) for prompt in PROMPTS]
    held = Item("s", Choose(PROMPTS[0], ("Yes", "No")))
    *free, last = ask(model, [*items, held])
    assert len(last.logprobs or ()) == 2
    assert last.text is None
    for prompt, answer in zip(PROMPTS, free, strict=True):
        with torch.inference_mode():
            ids = torch.tensor([model._tokenizer(prompt)["input_ids"]])
            chances = model._scorer.model(input_ids=ids).logits[0, -1].log_softmax(-1)
        assert answer.text == model._tokenizer.decode([int(chances.argmax())])
        assert list(answer.logprobs or ()) == pytest.approx([float(chances.max())], abs=1e-5)


def test_samples_and_seeds_differ_and_repeat(tiny: Path) -> None:
    model = load(tiny / "plain")
    items = [one("Two men", sample=sample) for sample in range(20)]
    answers = ask(model, items, seed=1)
    assert len({answer.text for answer in answers}) == 20
    assert ask(load(tiny / "plain"), items, seed=1) == answers
    other = ask(model, items, seed=2)
    assert not {answer.text for answer in answers} & {answer.text for answer in other}


def test_a_text_ends_at_any_of_the_end_tokens(plain: Path) -> None:
    model = load(plain)
    text = ask(model, [one("Two men", GREEDY)])[0].text
    tokens = model._model.generate(
        **model._tokenizer("Two men", return_tensors="pt", return_token_type_ids=False),
        do_sample=False,
        max_new_tokens=24,
        pad_token_id=1,
    )[0].tolist()
    new = tokens[len(model._tokenizer("Two men")["input_ids"]) :]
    end = next(token for token in new if new.index(token) >= 2)
    edit_json(plain / "generation_config.json", eos_token_id=[1, end])
    shorter = ask(load(plain), [one("Two men", GREEDY)])[0]
    assert shorter.finish_reason == "stop"
    assert shorter.completion_tokens == new.index(end)
    assert shorter.text == model._tokenizer.decode(new[: new.index(end)])
    assert text is not None
    assert len(shorter.text or "") < len(text)


def test_a_chat_is_put_through_the_template(tiny: Path) -> None:
    model = load(tiny / "chatty")
    chat = [{"role": turn.role, "content": turn.content} for turn in CHAT]
    expected = model._tokenizer.apply_chat_template(
        chat, tokenize=True, add_generation_prompt=True, return_dict=True
    )["input_ids"]
    assert list(model._encode(CHAT)) == expected
    written = (
        "<|start|>system\nYou are kind.<|end|>\n<|start|>user\nTell me a story.<|end|>\n"
        "<|start|>assistant\n"
    )
    chatted, raw = ask(model, [one(CHAT, GREEDY), one(written, GREEDY)])
    assert chatted == raw
    assert chatted.prompt_tokens == len(expected)


def test_a_chat_that_the_template_refuses_is_an_error_of_that_item_alone(chatty: Path) -> None:
    template = "{{ raise_exception('no system turn') if messages[0]['role'] == 'system' }}x"
    (chatty / "chat_template.jinja").write_text(template)
    bad, good = ask(load(chatty), [one(CHAT, GREEDY), one(CHAT[1:], GREEDY)])
    assert (bad.outcome, good.outcome) == ("error", "answered")
    assert bad.reason == "the chat template refuses the prompt: no system turn"


def test_an_empty_chat_reply_is_unparseable_but_raw_text_may_just_end(chatty: Path) -> None:
    model = load(chatty)
    written = model._tokenizer.decode(model._encode(CHAT))
    first = Sampling(max_tokens=1, temperature=0.0)
    (answer,) = ask(model, [one(CHAT, first)])
    assert answer.outcome == "answered"
    logits = model._model(**model._tokenizer(written, return_tensors="pt")).logits
    edit_json(chatty / "generation_config.json", eos_token_id=[1, int(logits[0, -1].argmax())])
    chatted, raw = ask(load(chatty), [one(CHAT, GREEDY), one(written, GREEDY)])
    assert chatted.outcome == "unparseable"
    assert chatted.reason == "the reply holds no text (finish_reason: stop)"
    assert (raw.outcome, raw.text, raw.completion_tokens) == ("answered", "", 0)


def test_prompts_that_cannot_be_asked_are_errors_of_their_own(tiny: Path) -> None:
    model = load(tiny / "gpt2")
    long = "Two men walked into a bar. " * 20
    empty, too_long, good = ask(model, [one("", GREEDY), one(long, GREEDY), one("Two", GREEDY)])
    assert (empty.outcome, empty.reason) == ("error", "the prompt is empty")
    assert too_long.outcome == "error"
    assert "more than the 64 that the model can hold" in (too_long.reason or "")
    assert good == ask(model, [one("Two", GREEDY)])[0]
    assert good.outcome == "answered"


def test_each_distinct_prompt_is_run_once(tiny: Path) -> None:
    model = load(tiny / "plain")
    rows, passed = [], []

    def note(_module: Any, _args: Any, given: dict[str, Any]) -> None:
        if given["past_key_values"] is None:
            rows.append(len(set(map(tuple, given["input_ids"].tolist()))))
            passed.append(len(given["input_ids"]))

    model._model.register_forward_pre_hook(note, with_kwargs=True)
    alike = ["She is at", "He is the"]
    lengths = {len(model._encode(prompt)) for prompt in alike}
    assert len(lengths) == 1
    prompts = [*alike, "Two men walked into a"]
    items = [one(prompt, Sampling(4), sample) for sample in range(9) for prompt in prompts]
    ask(model, items)
    assert sorted(rows) == [1, 2]
    assert passed == [2, 2]  # a single row is run twice, for it would take another kernel


def test_the_fingerprint_is_stable_and_holds_no_path(tiny: Path, tmp_path: Path) -> None:
    model = load(tiny / "plain")
    before = model.fingerprint()
    ask(model, [one("Two men", GREEDY)])
    assert model.fingerprint() == before == load(tiny / "plain").fingerprint()
    elsewhere = tmp_path / "elsewhere" / "plain"
    elsewhere.parent.mkdir()
    elsewhere.symlink_to(tiny / "plain")
    assert load(elsewhere).fingerprint() == before
    assert str(tiny.parent) not in json.dumps(dict(before))
    assert "/" not in "".join(before.values())


def test_the_fingerprint_changes_with_one_weight(plain: Path) -> None:
    before = load(plain).fingerprint()

    def nudge(weights: dict[str, Any]) -> None:
        weights["model.norm.weight"][3] += 0.01

    edit_weights(plain, nudge)
    after = load(plain).fingerprint()
    assert {key for key in before if before[key] != after[key]} == {"weights"}


def test_the_fingerprint_changes_with_all_else_that_decides_the_answers(chatty: Path) -> None:
    seen = [load(chatty).fingerprint(), load(chatty, "?dtype=bfloat16").fingerprint()]
    template = chatty / "chat_template.jinja"
    template.write_text(template.read_text().replace("assistant", "helper"))
    seen.append(load(chatty).fingerprint())
    edit_json(chatty / "config.json", rms_norm_eps=1e-3)
    seen.append(load(chatty).fingerprint())
    edit_json(chatty / "generation_config.json", eos_token_id=[1, 7])
    seen.append(load(chatty).fingerprint())
    assert len({json.dumps(dict(fingerprint)) for fingerprint in seen}) == len(seen)
