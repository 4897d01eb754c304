"""Strangers stay out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

import patience
from patience import PATIENCE
from slant.web.app import dashboard
from slant.web.guard import POLICY

Get = Callable[..., httpx.Response]


def test_pages_carry_a_strict_policy(get: Get) -> None:
    answer = get("/")
    assert answer.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_foreign_host_is_refused(get: Get, host: str) -> None:
    assert get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:80", "127.0.0.1", "[::1]:99", "LOCALHOST"])
def test_the_names_of_this_machine_are_its_own(get: Get, host: str) -> None:
    assert get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"]
)
def test_a_form_from_elsewhere_is_refused(home: str, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}
    assert patience.post(home + "/", data={"a": "b"}, headers=headers).status_code == 403


def test_other_methods_and_endless_forms_are_refused(home: str) -> None:
    assert httpx.request("DELETE", home + "/", timeout=PATIENCE).status_code == 405
    answer = patience.post(home + "/", content=(b"x" for _ in range(3)), headers={"Origin": home})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path",
    ["/run/%2e%2e", "/run/..%2f..", "/run/%2Fetc", "/run/first%00", "/run/.",
     "/static/../app.py", "/static/%2e%2e/app.py", "/run/first/../../etc/passwd"],
)  # fmt: skip
def test_no_path_leads_out_of_the_directory(get: Get, path: str) -> None:
    assert get(path).status_code in (400, 404)


def test_a_link_out_of_the_directory_is_not_followed(shelved: Path, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(shelved / "first")
    client = TestClient(dashboard(tmp_path), base_url="http://localhost")
    assert client.get("/run/linked").status_code == 400
    assert "linked" not in client.get("/").text


def test_beyond_this_machine_a_token_is_asked_for(shelved: Path) -> None:
    app = dashboard(shelved, hosts=None, token="open sesame")  # noqa: S106 - a test's
    client = TestClient(app, base_url="http://audit.example:8642", follow_redirects=False)
    assert client.get("/").status_code == 401
    assert client.get("/?token=wrong").status_code == 401
    assert client.get("/static/dashboard.css").status_code == 401
    opened = client.get("/?token=open+sesame&tag=x")
    assert opened.status_code == 303
    assert opened.headers["location"] == "/?tag=x"
    cookie = opened.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert client.get("/").status_code == 200


def test_a_token_never_leads_to_another_host(shelved: Path) -> None:
    app = dashboard(shelved, hosts=None, token="t")  # noqa: S106 - a test's
    client = TestClient(app, base_url="http://audit.example", follow_redirects=False)
    assert (
        client.get("http://audit.example//evil.example/?token=t").headers["location"]
        == "/evil.example/"
    )


def test_any_name_needs_a_token(shelved: Path) -> None:
    with pytest.raises(ValueError, match="needs a token"):
        TestClient(dashboard(shelved, hosts=None)).get("/")


def test_a_report_runs_in_a_sandbox(get: Get) -> None:
    answer = get("/run/first/report.html")
    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts")
    assert "allow-same-origin" not in answer.headers["content-security-policy"]
