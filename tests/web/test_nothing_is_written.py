"""No page writes anything: every address is asked for, and every link followed."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from slant.engine.run import Run
from slant.web.app import dashboard
from slant.web.links import finding_id
from slant.web.pages import ROUTES

from .serving import client_of

DERIVED = [
    re.compile(r"first/sections/\d+/drawings(/.*)?"),
    re.compile(r"first/transcripts\.(lock|sqlite.*)"),
]
"""What pages may leave behind, to be quicker the next time; it can be removed without loss."""

_LINKS = 400


def content(directory: Path) -> dict[str, bytes | None]:
    """Read a directory: names and bytes, but for what is derived."""
    return {
        name: path.read_bytes() if path.is_file() else None
        for path in sorted(directory.rglob("*"))
        if not any(p.fullmatch(name := str(path.relative_to(directory))) for p in DERIVED)
    }


def asked(client: TestClient, address: str) -> str:
    answer = client.get(address, follow_redirects=False)
    assert answer.status_code in (200, 303, 400, 404, 405), (address, answer.text[:500])
    return answer.text if "html" in answer.headers.get("content-type", "") else ""


def test_asking_every_address_writes_nothing(copied: Path) -> None:
    finding = finding_id(Run(copied / "first").finding_list()[0])
    before, client = content(copied), client_of(copied)
    given = {"run": "first", "number": "0", "finding": finding}
    paths = [route.path for route in ROUTES if isinstance(route, Route)]
    for path in paths:
        filled = re.sub(r"\{(\w+)(:\w+)?\}", lambda m: given.get(m[1], "0"), path)
        asked(client, filled)
        for name in ("run=first", "tags=x&note=y", "delete=1", "page=2&q=x&sort=title"):
            asked(client, f"{filled}?{name}")
    assert "/" in paths
    assert content(copied) == before


def test_following_every_link_writes_nothing(copied: Path) -> None:
    before, client = content(copied), client_of(copied)
    todo, seen = ["/"], {"/"}
    while todo and len(seen) < _LINKS:
        at = todo.pop(0)
        for link in re.findall(r'(?:href|src|data-events)="([^"#]+)', asked(client, at)):
            found = urljoin(at, unescape(link))
            if found.startswith("/") and found not in seen:
                seen.add(found)
                todo.append(found)
    assert "/run/first" in seen
    assert any(address.startswith("/run/first/finding/") for address in seen)
    assert content(copied) == before


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_writes_answers_to_nothing_but_a_form(copied: Path, method: str) -> None:
    before, client = content(copied), client_of(copied)
    assert client.request(method, "/run/first/marks?tags=x&note=y").status_code in (404, 405)
    assert content(copied) == before


def test_a_form_from_elsewhere_writes_nothing(copied: Path) -> None:
    before = content(copied)
    client = TestClient(dashboard(copied), base_url="http://localhost")
    for origin in ({}, {"Origin": "null"}, {"Origin": "http://evil.example"}):
        answer = client.post("/run/first/marks", data={"tags": "x"}, headers=origin)
        assert answer.status_code == 403
    assert content(copied) == before
