"""How slant gets along with a server that takes four questions a second.

A server on the loopback holds a bucket of four questions, filled at four a second, and turns away
what comes when it is empty, with HTTP 429 and without a word about when to come again. An audit
asks it sixteen questions at once, as slant does unless told otherwise.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

RATE = 4.0
GROUPS = 6
AT_MOST = {"lost": 0.0, "turned_away_percent": 25.0}
AT_LEAST = {"questions_a_second": 0.7 * RATE}


class _Bucket:
    """What the server still takes."""

    def __init__(self) -> None:
        self._held, self._last, self._lock = RATE, time.monotonic(), threading.Lock()
        self.taken = self.turned_away = 0

    def takes(self) -> bool:
        with self._lock:
            now = time.monotonic()
            self._held = min(self._held + (now - self._last) * RATE, RATE)
            self._last = now
            if self._held < 1:
                self.turned_away += 1
                return False
            self._held -= 1
            self.taken += 1
            return True


def _server(bucket: _Bucket) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(200, {"data": [{"id": "limited"}]})

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            if bucket.takes():
                self._send(200, {"choices": [{"text": " bar.", "finish_reason": "stop"}]})
            else:
                self._send(429, {"error": {"message": "too many requests"}})

        def _send(self, status: int, body: dict[str, Any]) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


def run(questions: int = 300) -> dict[str, float]:
    """Measure.

    Returns
    -------
    dict
        `questions`, how many were `lost`, how many requests were turned away (in percent of all),
        and the questions that were answered a second, from the first to the last.
    """
    import slant

    os.environ["NO_PROXY"] = "127.0.0.1"
    bucket = _Bucket()
    http = _server(bucket)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as scratch:
        suite = Path(scratch) / "suite.toml"
        samples = questions // GROUPS
        suite.write_text(f'name = "b"\n[[study]]\nuse = "completion"\nsamples = {samples}\n')
        address = f"http://127.0.0.1:{http.server_port}/v1?api=completions#limited"
        begun = time.monotonic()
        found = slant.audit(suite, address, out=Path(scratch) / "run")
        seconds = time.monotonic() - begun
        outcomes = found.outcomes
    http.shutdown()
    http.server_close()
    asked = sum(outcomes.values())
    return {
        "questions": asked,
        "lost": asked - outcomes["answered"],
        "turned_away_percent": round(
            100 * bucket.turned_away / (bucket.taken + bucket.turned_away), 1
        ),
        "questions_a_second": round(asked / seconds, 2),
    }
