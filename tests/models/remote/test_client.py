"""Replies that are too long, too slow, cut off, in another encoding, or no replies at all."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BufferedIOBase

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

from patience import gives_up
from slant.errors import InputError, SlantError
from slant.models.model_spec import parse_model_spec
from slant.models.openai_compatible import OpenAICompatible
from slant.records import Answer, Generate, Item

Serve = Callable[..., Server]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda script, models=None: stack.enter_context(Server(script, models).running())


WHOLE = json.dumps(chat("yes").body).encode()

NO_REPLIES = {
    "HTML": (b"<html><h1>502 Bad Gateway</h1></html>", {"content-type": "text/html"}, "not JSON"),
    "nothing": (b"", {}, "the reply is empty"),
    "white space": (b" \n ", {}, "the reply is empty"),
    "cut JSON": (WHOLE[:-9], {}, "not JSON, or was cut off"),
    "cut gzip": (gzip.compress(WHOLE)[:-20], {"content-encoding": "gzip"}, "cut off"),
    "no gzip": (WHOLE, {"content-encoding": "gzip"}, "cannot be decompressed"),
    "a list": (b"[1, 2]", {}, "not a JSON object"),
    "a text": (b'"yes"', {}, "not a JSON object"),
    "deep": (b"[" * 200_000, {}, "not JSON"),
    "Latin-1": ('{"choices": [{"message": {"content": "café"}}]}'.encode("latin-1"), {}, "UTF-8"),
    "half a character": (WHOLE.replace(b"yes", b"ye\xf0\x9f"), {}, "UTF-8"),
}


@pytest.mark.parametrize("kind", NO_REPLIES)
def test_a_success_that_is_no_reply_is_asked_again(serve: Serve, kind: str) -> None:
    content, headers, _ = NO_REPLIES[kind]
    server = serve(saying(Reply(content, headers=headers), chat("yes")))
    assert one(server, Generate(QUESTION)).text == "yes"
    assert len(server.asked) == 2


@pytest.mark.parametrize("kind", NO_REPLIES)
def test_one_that_stays_no_reply_is_an_error_of_the_server(serve: Serve, kind: str) -> None:
    content, headers, says = NO_REPLIES[kind]
    server = serve(saying(Reply(content, headers=headers)))
    answer = one(server, Generate(QUESTION))
    assert (answer.outcome, answer.text) == ("error", None)
    assert says in (answer.reason or "")
    assert len(server.asked) == 3


def test_a_reply_in_the_encoding_that_it_names(serve: Serve) -> None:
    content = '{"choices": [{"message": {"content": "café"}}]}'.encode("latin-1")
    headers = {"content-type": "application/json; charset=ISO-8859-1"}
    assert one(serve(saying(Reply(content, headers=headers))), Generate(QUESTION)).text == "café"


def test_a_reply_with_a_mark_of_its_byte_order(serve: Serve) -> None:
    assert one(serve(saying(Reply(b"\xef\xbb\xbf" + WHOLE))), Generate(QUESTION)).text == "yes"


def _bomb(megabytes: int) -> bytes:
    """Compress a reply of so many megabytes."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(b'{"choices": [{"message": {"content": "')]
    parts += [packer.compress(b"a" * 2**20) for _ in range(megabytes)]
    return b"".join([*parts, packer.compress(b'"}}]}'), packer.flush()])


@pytest.mark.parametrize("times", [1, 2])
def test_a_reply_that_is_too_long_is_not_read_to_its_end(serve: Serve, times: int) -> None:
    content = _bomb(80)
    for _ in range(times - 1):
        content = gzip.compress(content)
    headers = {"content-encoding": ", ".join(["gzip"] * times)}
    server = serve(saying(Reply(content, headers=headers)))
    one(serve(saying(chat("warm"))), Generate(QUESTION))
    tracemalloc.start()
    try:
        answer = ask(f"{server.address}?api=both&retries=0#tiny", Generate(QUESTION))[0]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer == Answer("error", reason="the reply is longer than 8 MiB")
    assert peak < 30 * 2**20


def test_a_failure_that_is_too_long_is_not_read_to_its_end_either(serve: Serve) -> None:
    reply = Reply(_bomb(50), 500, {"content-encoding": "gzip", "retry-after-ms": "1"})
    answer = ask(f"{serve(saying(reply)).address}?api=both&retries=0#tiny", Generate(QUESTION))[0]
    assert answer == Answer("error", reason="the reply is longer than 8 MiB")


def test_a_list_of_models_without_end(serve: Serve) -> None:
    server = serve(saying(chat("x")))
    server.models = Reply(_bomb(50), headers={"content-encoding": "gzip"})
    with pytest.raises(InputError, match="does not say which it has"):
        OpenAICompatible(parse_model_spec(server.address))


@gives_up
def test_a_reply_drop_by_drop_is_not_waited_for_without_end(serve: Serve) -> None:
    """Each drop comes in time; the server sends more until the client has gone."""

    def drip(connection: BufferedIOBase) -> None:
        while True:
            connection.write(b" ")
            connection.flush()
            time.sleep(0.01)

    server = serve(saying(Reply(b"", headers={"content-length": "1000000"}, write=drip)))
    answer = ask(f"{server.address}?api=both&timeout=0.3&retries=0#tiny", Generate(QUESTION))[0]
    assert answer == Answer("error", reason="no reply within 0.3 s, asked 1 times")


def test_a_reply_that_ends_too_early_is_asked_again(serve: Serve) -> None:
    cut = Reply(WHOLE[:10], headers={"content-length": str(len(WHOLE))}, write=lambda _: None)
    server = serve(saying(cut, chat("yes")))
    assert one(server, Generate(QUESTION)).text == "yes"
    assert len(server.asked) == 2


@pytest.mark.parametrize("count", ["1" + "0" * 20, "1" + "0" * 5000, "1e999", "-3", "100000001"])
def test_an_absurd_number_of_tokens_counts_as_not_said(serve: Serve, count: str) -> None:
    content = WHOLE.replace(b'"prompt_tokens": 7', b'"prompt_tokens": ' + count.encode())
    answer = one(serve(saying(Reply(content))), Generate(QUESTION))
    assert answer == Answer("answered", "yes", None, None, 3, "stop")


def test_another_address_is_not_followed(serve: Serve) -> None:
    elsewhere = serve(saying(chat("yes")))
    away = Reply({}, 307, {"location": f"{elsewhere.address}/chat/completions"})
    with pytest.raises(InputError, match=r"another address \(HTTP 307\).*not followed"):
        one(serve(saying(away)), Generate(QUESTION))
    assert not elsewhere.asked


def test_cookies_are_not_kept(serve: Serve) -> None:
    reply = chat("yes")
    reply.headers = {"set-cookie": "a=b"}
    server = serve(saying(reply))
    model = OpenAICompatible(parse_model_spec(f"{server.address}?api=both#tiny"))

    async def twice() -> None:
        for sample in (1, 2):
            await model.answer([Item("s", Generate(QUESTION), sample)], 0)
        await model.close()

    asyncio.run(twice())
    assert len(server.asked) == 2
    assert all("cookie" not in asked.headers for asked in server.asked)


def test_what_a_busy_server_turns_away_is_asked_until_it_is_taken(serve: Serve) -> None:
    """More often than the option `retries` allows for failures."""
    replies = [fault(status) for status in (429, 503, 529) for _ in range(5)]
    server = serve(saying(*replies, chat("at last")))
    assert one(server, Generate(QUESTION)).text == "at last"
    assert len(server.asked) == 16


def test_a_server_with_a_limit_loses_no_question_and_the_end_says_so(serve: Serve) -> None:
    """It takes four at once; the rest is turned away."""
    free = threading.Semaphore(4)

    def limited(asked: Asked) -> Reply:
        if not free.acquire(blocking=False):
            return fault(429)
        try:
            return completion(f"re {asked.body['prompt']}")
        finally:
            free.release()

    server = serve(limited)
    model = OpenAICompatible(
        parse_model_spec(f"{server.address}?api=both&concurrency=32&retries=0#tiny")
    )
    items = [Item("s", Generate(f"q{number}")) for number in range(60)]

    async def run() -> list[Answer]:
        first = await asyncio.gather(*(model.answer([item], 0) for item in items))
        await model.close()
        return [answers[0] for answers in first]

    answers = asyncio.run(run())
    assert [answer.text for answer in answers] == [f"re q{number}" for number in range(60)]
    turned_away = len(server.asked) - 60
    assert (f"too busy {turned_away} time" in model.tempo()) == (turned_away > 0)


def test_a_server_that_wants_hours_stops_the_run(serve: Serve) -> None:
    server = serve(saying(Reply({}, 429, {"retry-after": "86400"})))
    with pytest.raises(SlantError, match=r"left alone for 86,400 s.*Resume later"):
        one(server, Generate(QUESTION))
    assert len(server.asked) == 1
