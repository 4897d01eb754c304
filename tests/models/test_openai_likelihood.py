"""Likelihoods from servers that give the log-probabilities of a prompt, right or wrong."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from openai_server import Asked, Reply, Server, clean_environment, completion, fault

import slant
from slant.errors import InputError
from slant.models.open import open_model
from slant.models.openai_compatible.likelihood import PROBES
from slant.records import Answer, Item, Likelihood

Row = tuple[str, float | None]
KNOWN = {
    pair
    for likely, _ in PROBES
    for words in [re.findall(r"\s?\S+", likely)]
    for pair in pairwise(words)
}
"""Words that the server has seen behind each other."""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def scored(text: str, *, bos: bool = False) -> list[Row]:
    """Score a text word by word."""
    words = re.findall(r"\s?\S+|\s+\Z", text)
    rows: list[Row] = [(words[0], None)]
    rows += [(b, -1.0 if (a, b) in KNOWN else -5.0) for a, b in pairwise(words)]
    return [("<s>", None), (words[0], -3.0), *rows[1:]] if bos else rows


def vllm(text: str, rows: list[Row]) -> dict[str, Any]:
    entries = [
        None if value is None else {"17": {"decoded_token": said, "logprob": value, "rank": 1}}
        for said, value in rows
    ]
    choice = {"text": " x", "prompt_logprobs": entries}
    return {"choices": [choice], "usage": {"prompt_tokens": len(scored(text))}}


def echo(text: str, rows: list[Row], written: int = 0) -> dict[str, Any]:
    more: list[Row] = [(" x", -0.1)] * written
    said, values = zip(*rows, *more, strict=True)
    logprobs = {"tokens": said, "token_logprobs": values}
    usage = {"prompt_tokens": len(rows), "completion_tokens": written}
    return {"choices": [{"text": text + " x" * written, "logprobs": logprobs}], "usage": usage}


def sglang(text: str, rows: list[Row]) -> dict[str, Any]:
    entries = [[value, 17, said] for said, value in rows]
    return {"meta_info": {"input_token_logprobs": entries, "prompt_tokens": len(scored(text))}}


def serving_vllm(asked: Asked) -> Reply:
    assert (asked.path, asked.body["prompt_logprobs"]) == ("/v1/completions", 0)
    text = asked.body["prompt"]
    rows = scored(text)
    reply = vllm(text, rows)
    reply["choices"][0]["prompt_logprobs"][0] = None
    return Reply(reply)


def serving_echo(asked: Asked) -> Reply:
    assert asked.body["echo"]
    text = asked.body["prompt"]
    return Reply(echo(text, scored(text)))


def serving_echo_from_one(asked: Asked) -> Reply:
    if asked.body["max_tokens"] == 0:
        return fault(400, "max_tokens must be at least 1, got 0.")
    text = asked.body["prompt"]
    return Reply(echo(text, scored(text), written=1))


def serving_sglang(asked: Asked) -> Reply:
    assert asked.path == "/generate"
    return Reply(sglang(asked.body["text"], scored(asked.body["text"])))


def serving_with_bos(asked: Asked) -> Reply:
    text = asked.body["prompt"]
    return Reply(echo(text, scored(text, bos=True)))


def opened(server: Server, way: str) -> Any:
    return open_model(f"{server.address}?api=completions&retries=0&likelihood={way}#tiny")


def answered(script: Callable[[Asked], Reply], way: str, *asked: Likelihood) -> list[Answer]:
    async def run() -> list[Answer]:
        model = opened(server, way)
        assert "likelihood" in model.abilities
        answers = await model.answer([Item("s", each) for each in asked], 0)
        await model.close()
        return list(answers)

    with Server(script).running() as server:
        return asyncio.run(run())


RIGHT = [
    (serving_vllm, "vllm"),
    (serving_echo, "echo"),
    (serving_echo_from_one, "echo"),
    (serving_sglang, "sglang"),
]


@pytest.mark.parametrize(("script", "way"), RIGHT)
def test_a_text_has_the_log_probabilities_of_its_tokens(
    script: Callable[[Asked], Reply], way: str
) -> None:
    text = "On Monday morning nobody came."
    plain, given, empty = answered(
        script, way, Likelihood(text), Likelihood(" morning nobody", "On Monday"), Likelihood("")
    )
    assert plain == Answer(
        "answered", logprobs=(-1.0, -1.0, -5.0, -5.0), prompt_tokens=5, completion_tokens=0
    )
    assert given.logprobs == (-1.0, -5.0)
    assert empty.outcome == "unparseable"


def test_a_token_that_begins_every_text_is_not_scored_and_what_follows_it_is() -> None:
    asked = (Likelihood("On Monday"), Likelihood(" morning", "On Monday"))
    plain, given = answered(serving_with_bos, "echo", *asked)
    assert plain.logprobs == (-3.0, -1.0)
    assert given.logprobs == (-1.0,)


def test_it_is_part_of_what_the_model_is_and_of_every_figure() -> None:
    with Server(serving_echo).running() as server:
        spelling = f"{server.address}?api=completions&likelihood=echo#tiny"
        frame = slant.likelihood(spelling, ["On Monday morning"])
    assert frame["logprob"].to_list() == [-2.0]
    assert "bos:none: the first token is not scored" in frame["definition"][0]


def generated_only(asked: Asked) -> Reply:
    """Ignore `echo`, as llama.cpp does: the log-probabilities are those of what was generated."""
    rows = {"tokens": [" x"], "token_logprobs": [-0.1]}
    usage = {"prompt_tokens": len(scored(asked.body["prompt"])), "completion_tokens": 1}
    return Reply({"choices": [{"text": " x", "logprobs": rows}], "usage": usage})


def same_for_all(asked: Asked) -> Reply:
    text = asked.body["prompt"]
    return Reply(echo(text, [(said, -2.0) for said, _ in scored(text)]))


def with_a_hole(asked: Asked) -> Reply:
    rows = scored(asked.body["prompt"])
    return Reply(echo(asked.body["prompt"], [*rows[:3], (rows[3][0], None), *rows[4:]]))


def one_too_few(asked: Asked) -> Reply:
    text = asked.body["prompt"]
    return Reply(vllm(text, scored(text)[:-1]))


def above_one(asked: Asked) -> Reply:
    text = asked.body["text"]
    return Reply(sglang(text, [(said, 0.7) for said, _ in scored(text)]))


def of_two_tokens(asked: Asked) -> Reply:
    reply = vllm(asked.body["prompt"], scored(asked.body["prompt"]))
    reply["choices"][0]["prompt_logprobs"][1] = {
        "1": {"decoded_token": "a", "logprob": -1.0},
        "2": {"decoded_token": "b", "logprob": -2.0},
    }
    return Reply(reply)


@pytest.mark.parametrize(
    ("script", "way", "says"),
    [
        (generated_only, "echo", "does not repeat the text"),
        (same_for_all, "echo", "as probable as"),
        (with_a_hole, "echo", "no log-probability for token 4"),
        (one_too_few, "vllm", "log-probabilities for 13 tokens"),
        (of_two_tokens, "vllm", "no log-probability for token 2"),
        (above_one, "sglang", "0.7 as the log-probability"),
        (lambda _: completion("x"), "vllm", "holds no prompt_logprobs"),
        (lambda _: completion("x"), "sglang", "holds no input_token_logprobs"),
        (lambda _: fault(404), "sglang", "HTTP 404"),
        (lambda _: fault(400, "no logprobs here"), "echo", "does not repeat|HTTP 400"),
        (lambda _: Reply({"choices": 3}), "vllm", "holds no prompt_logprobs"),
    ],
)
def test_a_server_whose_numbers_are_wrong_is_refused_with_the_reason(
    script: Callable[[Asked], Reply], way: str, says: str
) -> None:
    with Server(script).running() as server:
        model = opened(server, way)
        with pytest.raises(InputError, match=says) as raised:
            model.fingerprint()
        asyncio.run(model.close())
    assert f"cannot be used (likelihood={way})" in str(raised.value)


def test_a_way_that_nobody_knows() -> None:
    with pytest.raises(InputError, match="did you mean 'vllm'"):
        open_model("http://h/v1?likelihood=vlm#m")
