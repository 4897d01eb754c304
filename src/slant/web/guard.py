"""Keeps strangers out: whose requests are answered, and what a page may do in the browser."""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse

from slant.web.numbers import whole_number

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
"""Names that a browser on this machine may use."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # With no referrer at all, browsers would send forms with the origin `null`.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
_COOKIE = "slant_token"
_LARGEST = 16 * 1024 * 1024


class Guard:
    """Middleware that answers only requests that come from the dashboard's own pages.

    A request must name a host that the dashboard goes by, so that no foreign site can reach it
    by pointing its own name here (DNS rebinding). What writes must come from one of its pages
    (the `Origin` header), so that no foreign site can send a form. Where a token is set, it must
    have been shown once; it is then kept in a cookie that no script can read.

    Parameters
    ----------
    app
        What is guarded.
    hosts
        Names it goes by, without port; `None` for any, which needs a token.
    token
        Secret that opens it; `None` for none.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None, token: str | None):
        if hosts is None and token is None:
            raise ValueError("a dashboard that goes by any name needs a token")
        self._app, self._hosts, self._token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            # There are no sockets here; a lifespan event is the server's own.
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], headers, scope["scheme"])
        if refusal:
            status, words = refusal
            await PlainTextResponse(f"slant: {words}\n", status)(scope, receive, _marked(send))
            return
        if self._token is not None and not self._known(headers):
            await self._ask(scope, receive, send, self._token)
            return
        await self._app(scope, receive, _marked(send))

    def _refusal(self, method: str, headers: Headers, scheme: str) -> tuple[int, str] | None:
        host = headers.get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if self._hosts is not None and name.lower() not in self._hosts:
            return 421, "this dashboard does not go by that name"
        if method not in ("GET", "HEAD", "POST"):
            return 405, "only GET, HEAD and POST are answered"
        if method == "POST":
            if headers.get("origin") != f"{scheme}://{host}":
                return 403, "what writes must come from one of the dashboard's own pages"
            length = headers.get("content-length", "")
            if (size := whole_number(length)) is None or size > _LARGEST:
                return 413, f"a form may hold {_LARGEST:,} bytes"
        return None

    def _known(self, headers: Headers) -> bool:
        assert self._token is not None  # noqa: S101 - tells the type checker
        try:
            shown = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
        except CookieError:
            return False
        return shown is not None and _same(shown.value, self._token)

    async def _ask(self, scope: Scope, receive: Receive, send: Send, token: str) -> None:
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        shown = dict(asked).get("token", "")
        if scope["method"] != "GET" or not _same(shown, token):
            words = "slant: open the address that `slant view` printed: it holds a token\n"
            await PlainTextResponse(words, 401)(scope, receive, _marked(send))
            return
        rest = urlencode([(name, value) for name, value in asked if name != "token"])
        # A path that began with two slashes would lead to another host.
        path = "/" + scope["path"].lstrip("/\\")
        answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(_COOKIE, token, httponly=True, samesite="strict")
        await answer(scope, receive, _marked(send))


def _same(shown: str, token: str) -> bool:
    return hmac.compare_digest(shown.encode("utf-8", "replace"), token.encode())


def _marked(send: Send) -> Send:
    """Put the headers that guard a page on every answer that has none of its own."""

    async def marked(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return marked
