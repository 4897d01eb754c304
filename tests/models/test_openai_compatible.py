from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from openai_server import (
    QUESTION,
    Asked,
    Reply,
    Server,
    ask,
    chat,
    clean_environment,
    completion,
    fault,
    one,
    saying,
)

from patience import PATIENCE, gives_up
from slant.errors import InputError, SlantError
from slant.models.model_spec import parse_model_spec
from slant.models.openai_compatible import OpenAICompatible
from slant.records import Answer, Generate, Item, Likelihood, Sampling

KEY = "sk-not-a-real-key-0123456789"
Serve = Callable[..., Server]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda script, models=None: stack.enter_context(Server(script, models).running())


# No stop strings are sent: a thought or a preamble would trip over them.
def test_conversation_goes_to_the_chat_endpoint_with_its_sampling(serve: Serve) -> None:
    server = serve(saying(chat("Nobody. ☃ 𝔘")))
    sampling = Sampling(9, 0.8, 0.9, 0.1, 0.2, ("\n",))
    answer = one(server, Generate(QUESTION, sampling))
    assert answer == Answer("answered", "Nobody. ☃ 𝔘", None, 7, 3, "stop")
    (asked,) = server.asked
    seed = asked.body.pop("seed")
    assert 0 <= seed < 2**31
    assert asked.path == "/v1/chat/completions"
    assert asked.body == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Who?"},
        ],
        "max_tokens": 9,
        "temperature": 0.8,
        "top_p": 0.9,
        "presence_penalty": 0.1,
        "frequency_penalty": 0.2,
    }


def test_raw_text_goes_to_the_completions_endpoint(serve: Serve) -> None:
    server = serve(saying(completion(" bar", "length")))
    answer = one(server, Generate("Two men walked into a"))
    assert (answer.text, answer.finish_reason, answer.prompt_tokens) == (" bar", "length", None)
    assert server.asked[0].path == "/v1/completions"
    assert server.asked[0].body["prompt"] == "Two men walked into a"
    assert "stop" not in server.asked[0].body


def test_seed_depends_on_item_and_run_alone(serve: Serve) -> None:
    server = serve(saying(chat("x")))
    for seed in (1, 1, 2):
        ask(f"{server.address}?api=both#tiny", Generate(QUESTION), seed=seed)
    ask(f"{server.address}?api=both#tiny", Generate(QUESTION), seed=1, study="other")
    first, again, other_run, other_item = (asked.body["seed"] for asked in server.asked)
    assert first == again
    assert len({first, other_run, other_item}) == 3


def test_answers_keep_the_order_of_the_items_and_are_asked_in_parallel(serve: Serve) -> None:
    all_are_here = threading.Barrier(8, timeout=PATIENCE)
    said = [threading.Event() for _ in range(9)]
    said[8].set()

    def last_first(asked: Asked) -> Reply:
        number = int(asked.body["prompt"])
        all_are_here.wait()
        said[number + 1].wait(PATIENCE)
        said[number].set()
        return completion(f"reply {number}")

    server = serve(last_first)
    answers = ask(
        f"{server.address}?api=both#tiny", *(Generate(str(number)) for number in range(8))
    )
    assert [answer.text for answer in answers] == [f"reply {number}" for number in range(8)]
    assert len(server.greetings) == 1


@pytest.mark.parametrize(
    ("reply", "outcome", "text", "reason"),
    [
        (chat(None, refusal="I can't help with that."), "refused", "I can't help", "refusal"),
        (chat("half", "content_filter"), "refused", "half", "content filter"),
        (chat(None, "length"), "unparseable", None, "no text (finish_reason: length)"),
        (chat(""), "unparseable", "", "no text"),
        (chat([{"type": "text", "text": "in "}, {"text": "parts"}]), "answered", "in parts", None),
        (chat("a \ud83d b"), "answered", "a \ufffd b", None),
        (chat("\ud83d\ude00"), "answered", "😀", None),
        (Reply({"choices": []}), "unparseable", None, "no choices"),
        (Reply({"choices": [None], "usage": 3}), "unparseable", None, "no choices"),
        (Reply({"choices": [{"message": [], "text": 3}]}), "unparseable", None, "no text"),
        (Reply({"error": {"message": "overloaded"}}), "error", None, "overloaded"),
        (Reply({"detail": "moved"}), "error", None, "no choices"),
        (Reply(b"<html>\xff</html>", 500), "error", None, "HTTP 500"),
        (fault(400, "prompt too long"), "error", None, "HTTP 400: prompt too long"),
        (fault(400, "no", code="content_filter"), "refused", None, "filtered: no"),
        (fault(403, "no", metadata={"flagged_input": "x"}), "refused", None, "filtered: no"),
    ],
)
def test_what_comes_back_becomes_an_outcome(
    serve: Serve, reply: Reply, outcome: str, text: str | None, reason: str | None
) -> None:
    if isinstance(reply.body, bytes):
        reply.headers = {"retry-after-ms": "1"}
    answer = one(serve(saying(reply)), Generate(QUESTION))
    assert answer.outcome == outcome
    assert (answer.text or "").startswith(text or "")
    assert (answer.text is None) == (text is None)
    assert (answer.reason is None) == (reason is None)
    assert (reason or "") in (answer.reason or "")


def test_a_model_may_end_raw_text_at_once(serve: Serve) -> None:
    assert one(serve(saying(completion(""))), Generate("p")) == Answer(
        "answered", "", finish_reason="stop"
    )


def test_a_busy_server_is_asked_again(serve: Serve) -> None:
    server = serve(saying(fault(429), fault(503), chat("now")))
    assert one(server, Generate(QUESTION)).text == "now"
    assert len(server.asked) == 3


def test_a_server_that_keeps_failing_gives_an_error(serve: Serve) -> None:
    server = serve(saying(fault(500, "out\n  of memory")))
    answer = one(server, Generate(QUESTION))
    assert answer == Answer("error", reason="HTTP 500: out of memory")
    assert len(server.asked) == 3


@gives_up
def test_a_slow_server_gives_an_error(serve: Serve) -> None:
    over = threading.Event()

    def wait(_: Asked) -> Reply:
        over.wait(PATIENCE)
        return chat("late")

    answer = ask(f"{serve(wait).address}?api=both&timeout=0.5&retries=0#tiny", Generate(QUESTION))[
        0
    ]
    over.set()
    assert answer == Answer("error", reason="no reply within 0.5 s, asked 1 times")


def test_a_dropped_connection_gives_an_error(serve: Serve) -> None:
    def drop(_: Asked) -> Reply:
        raise ConnectionAbortedError

    server = serve(drop)
    server._http.handle_error = lambda *_: None  # type: ignore[method-assign]
    answer = ask(f"{server.address}?api=both&retries=0#tiny", Generate(QUESTION))[0]
    assert (answer.outcome, answer.reason) == (
        "error",
        f"the connection to {server.address} failed",
    )


@pytest.mark.parametrize(
    ("reply", "error", "says"),
    [
        (fault(401, f"wrong key {KEY}"), InputError, "SLANT_API_KEY"),
        (fault(403, f"not with {KEY}"), InputError, "HTTP 403"),
        (fault(404, f"no such model for {KEY}"), InputError, "model named 'tiny'"),
        (fault(429, f"{KEY}", code="insufficient_quota"), SlantError, "no credit left"),
    ],
)
def test_what_makes_every_question_pointless_is_raised(
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    reply: Reply,
    error: type[SlantError],
    says: str,
) -> None:
    monkeypatch.setenv("SLANT_API_KEY", KEY)
    with pytest.raises(error, match=says) as raised:
        one(serve(saying(reply)), Generate(QUESTION))
    assert KEY not in str(raised.value)
    assert raised.value.__suppress_context__


def test_parameters_that_a_model_refuses_are_left_out_from_then_on(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    def reasoner(asked: Asked) -> Reply:
        for name, code in [("max_tokens", "unsupported_parameter"), ("seed", "unknown_parameter")]:
            if name in asked.body:
                return fault(400, f"Unsupported parameter: '{name}'", param=name, code=code)
        if "temperature" in asked.body:
            return Reply({"detail": [{"loc": ["body", "temperature"], "msg": "extra fields"}]}, 422)
        return chat("fine")

    server = serve(reasoner)
    items = [Item("s", Generate(QUESTION, Sampling(max_tokens=number))) for number in (5, 6)]

    async def run() -> list[Answer]:
        model = OpenAICompatible(parse_model_spec(f"{server.address}?api=both#tiny"))
        answers = [(await model.answer([item], 0))[0] for item in items]
        await model.close()
        return answers

    assert [answer.text for answer in asyncio.run(run())] == ["fine", "fine"]
    assert len(server.asked) == 5
    assert server.asked[-1].body["max_completion_tokens"] == 6
    assert server.asked[-1].body.keys().isdisjoint({"max_tokens", "temperature", "seed"})
    assert "refuses temperature: it is left out" in caplog.text


SCHEMA = '{"type": "object", "properties": {"age": {"type": "number"}}}'


def test_an_answer_is_held_to_a_schema_where_the_server_can(serve: Serve) -> None:
    server = serve(saying(chat('{"age": 3}')))
    one(server, Generate(QUESTION, schema=SCHEMA))
    one(server, Generate(QUESTION))
    held, free = server.asked
    assert held.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": json.loads(SCHEMA)},
    }
    assert "response_format" not in free.body


def test_a_server_that_knows_no_schema_is_asked_without(serve: Serve) -> None:
    def old(asked: Asked) -> Reply:
        if "response_format" in asked.body:
            return fault(400, "Unsupported parameter: 'response_format'", param="response_format",
                         code="unsupported_parameter")  # fmt: skip
        return chat("{}")

    server = serve(old)
    assert one(server, Generate(QUESTION, schema=SCHEMA)).text == "{}"
    assert len(server.asked) == 2


def test_an_objection_to_a_value_is_no_objection_to_the_parameter(serve: Serve) -> None:
    server = serve(saying(fault(400, "'max_tokens' is too large", param="max_tokens")))
    assert one(server, Generate(QUESTION)).outcome == "error"
    assert len(server.asked) == 1


def test_requests_it_cannot_put(serve: Serve) -> None:
    server = serve(saying(completion("x")))
    address = f"{server.address}?api=completions#tiny"
    answers = ask(address, Likelihood("t"), Generate(QUESTION), Generate("half \ud83d"))
    reasons = ["without likelihood=", "need the option api=chat", "half a character"]
    for answer, reason in zip(answers, reasons, strict=True):
        assert answer.outcome == "error"
        assert reason in (answer.reason or "")
    assert not server.asked
