"""A key is found in whatever way it is written, and nothing else is."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote

import pytest

from slant.models.remote.secret import Secret
from slant.records import Answer

KEY = "sk-Abc/de+f_0123456789.x=z&"


def _escaped(key: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in key)


WAYS = {
    "plain": KEY,
    "JSON with escaped slashes": KEY.replace("/", "\\/"),
    "JSON, every character": _escaped(KEY),
    "JSON, every character, large": _escaped(KEY).upper().replace("\\U", "\\u"),
    "JSON within JSON": json.dumps(json.dumps(_escaped(KEY))),
    "JSON within JSON, slashes": json.dumps(KEY.replace("/", "\\/")),
    "Python bytes": "".join(f"\\x{byte:02x}" for byte in KEY.encode()),
    "octal": "".join(f"\\{byte:03o}" for byte in KEY.encode()),
    "ES6": "".join(f"\\u{{{byte:x}}}" for byte in KEY.encode()),
    "URL": quote(KEY, safe=""),
    "URL, every character": "".join(f"%{byte:02X}" for byte in KEY.encode()),
    "URL, twice": quote(quote(KEY, safe=""), safe=""),
    "HTML": html.escape(KEY),
    "HTML, twice": html.escape(html.escape(KEY)),
    "HTML, decimal": "".join(f"&#{byte};" for byte in KEY.encode()),
    "HTML, zeros": "".join(f"&#0000{byte}" for byte in KEY.encode()),
    "HTML, hexadecimal": "".join(f"&#x{byte:X};" for byte in KEY.encode()),
    "HTML, named": KEY.replace("/", "&sol;").replace("_", "&lowbar;").replace("+", "&plus;"),
    "hexadecimal": KEY.encode().hex(),
    "large": KEY.upper(),
    "a mixture": "\\u0073%6B&#45;" + KEY[3:],
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_writing_it(way: str) -> None:
    said = Secret(KEY).hide(f"before {WAYS[way]} after")
    assert "***" in said
    assert said.startswith("before ")
    assert said.endswith(" after")
    assert len(said) < len("before *** after") + 8  # quotation marks of JSON may be left


@pytest.mark.parametrize("around", ["", "x", "Bearer ", "ab", "Authorization: Bearer "])
@pytest.mark.parametrize("code", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_wherever_it_stands_in_something_longer(around: str, code: object) -> None:
    assert callable(code)
    coded = code(f"{around}{KEY} and more".encode()).decode()
    said = Secret(KEY).hide(coded)
    assert "***" in said
    for start in range(4):  # what is left holds no three characters of the key in a row
        part = said.replace("***", " ").split()[-1][start:]
        left = base64.b64decode(part[: len(part) // 4 * 4], altchars=b"-_")
        assert all(KEY[place : place + 4].encode() not in left for place in range(len(KEY) - 3))


def test_what_is_not_the_key_stays() -> None:
    for text in ("", "sk-Abc", KEY[:-1], KEY[1:], "100% & \\u0073 \\\\ &amp; %20", "Bearer none"):
        assert Secret(KEY).hide(text) == text


def test_a_short_key_is_hidden_in_messages_and_left_in_answers() -> None:
    assert Secret("EMPTY").hide("Bearer EMPTY") == "Bearer ***"
    answer = Answer("answered", "the box is empty")
    assert Secret("EMPTY").hide_in_answer(answer) is answer


def test_every_text_of_an_answer() -> None:
    answer = Answer("refused", f"a {KEY}", (-1.0,), 3, 4, f"stop {KEY}", quote(KEY, safe=""))
    assert Secret(KEY).hide_in_answer(answer) == Answer(
        "refused", "a ***", (-1.0,), 3, 4, "stop ***", "***"
    )
    assert Secret(KEY).hide_in_answer(Answer("answered", None)) == Answer("answered", None)


@pytest.mark.parametrize("part", ["\\", "%25", "&amp;", "&#0", "s\\", "\\u0073", KEY[:-1], "\\u{0"])
def test_a_text_made_to_be_slow_takes_its_length_in_time(part: str) -> None:
    """With a search that grows with the square of the text this would not end."""
    text = part * (400_000 // len(part))
    assert Secret(KEY).hide(text) == text


def test_the_key_is_not_shown_by_what_holds_it() -> None:
    secret = Secret(KEY)
    secret.hide("x")
    assert KEY not in repr(secret) + str(secret)
