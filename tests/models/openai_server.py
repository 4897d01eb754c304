"""A real HTTP server on the loopback, which answers as a test tells it to; and asking it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import Any

import pytest

from slant.models.model_spec import parse_model_spec
from slant.models.openai_compatible import OpenAICompatible
from slant.records import Answer, Item, Message, Request

QUESTION = (Message("system", "Be brief."), Message("user", "Who?"))


@dataclass
class Reply:
    """What the server sends: a JSON document, or raw bytes; `write` then writes what it likes."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    write: Callable[[BufferedIOBase], None] | None = None


@dataclass
class Asked:
    """What the server was asked."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]


Script = Callable[[Asked], Reply]


class Server:
    """Answers POST by its script and GET /v1/models with its models; remembers questions."""

    def __init__(self, script: Script, models: list[str] | None = None):
        self.script, self.asked = script, list[Asked]()
        self.models = Reply({"data": [{"id": name} for name in models or ["tiny"]]})
        self.greetings = list[Asked]()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer.greetings.append(Asked(self.path, {}, self._lower()))
                self._send(outer.models)

            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                asked = Asked(self.path, json.loads(self.rfile.read(length)), self._lower())
                outer.asked.append(asked)
                self._send(outer.script(asked))

            def _lower(self) -> dict[str, str]:
                return {name.lower(): value for name, value in self.headers.items()}

            def _send(self, reply: Reply) -> None:
                raw = isinstance(reply.body, bytes)
                content = reply.body if raw else json.dumps(reply.body).encode()
                headers = {
                    "content-type": "application/json",
                    "content-length": str(len(content)),
                    **reply.headers,
                }
                try:
                    self.send_response(reply.status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(content)
                    if reply.write is not None:
                        reply.write(self.wfile)
                        self.close_connection = True
                except OSError:
                    self.close_connection = True  # The client had enough of waiting.

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._http.server_port}/v1"

    @contextmanager
    def running(self) -> Iterator[Server]:
        """Serve until the block ends."""
        thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            self._http.server_close()
            thread.join()


def chat(content: Any, finish_reason: str = "stop", **message: Any) -> Reply:
    """Say something in a chat."""
    choice = {"message": {"content": content, **message}, "finish_reason": finish_reason}
    return Reply({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}})


def completion(text: Any, finish_reason: str = "stop", **choice: Any) -> Reply:
    """Continue a text."""
    return Reply({"choices": [{"text": text, "finish_reason": finish_reason, **choice}]})


def fault(status: int, message: str = "broken", **error: Any) -> Reply:
    """Fail, and ask the client to try again at once."""
    return Reply({"error": {"message": message, **error}}, status, {"retry-after-ms": "1"})


def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget keys, addresses and proxies."""
    keys = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SLANT_API_KEY")
    for name in (*keys, "OPENAI_BASE_URL", "OPENAI_ORG_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def ask(spelling: str, *requests: Request, seed: int = 0, study: str = "s") -> list[Answer]:
    async def run() -> list[Answer]:
        model = OpenAICompatible(parse_model_spec(spelling))
        try:
            return await model.answer([Item(study, request) for request in requests], seed)
        finally:
            await model.close()

    return asyncio.run(run())


def one(server: Server, request: Request, options: str = "") -> Answer:
    api = "" if "api=" in options else "api=both&"
    return ask(f"{server.address}?{api}retries=2&{options}#tiny".replace("&#", "#"), request)[0]


def saying(*replies: Reply) -> Script:
    """Answer with one reply after the other, and with the last one from then on."""
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]
