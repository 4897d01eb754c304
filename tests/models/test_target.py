"""Targets described in TOML: what is sent, what is read, and what can be wrong on either side."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from openai_server import Asked, Reply, Script, Server

from slant.errors import InputError
from slant.models.open import open_model
from slant.models.target.json_path import find, parse_path
from slant.records import Answer, Generate, Item, Message
from slant.registry import allow

KEY = "sk-0123456789abcdef"
TARGET = """
name = "bot"
url = "{url}"
answer = "choices[0].text"
refusal = "blocked"
error = "fault.message"
retries = 0

[headers]
Authorization = "Bearer ${{BOT_KEY}}"
X-Client = "audit"

[body]
conversation = "{{{{messages}}}}"
options = {{ stream = false, note = "Asked: {{{{prompt}}}}!" }}
"""
ASKED = Generate((Message("system", "Be brief."), Message("user", 'Who "is" it?')))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_KEY", KEY)


def described(folder: Path, url: str, text: str = TARGET) -> str:
    file = folder / "bot.toml"
    file.write_text(text.format(url=url))
    allow([f"target:{file}"])
    return f"target:{file}"


def said(folder: Path, script: Script, text: str = TARGET) -> tuple[Answer, list[Asked]]:
    async def asked(url: str) -> Answer:
        model = open_model(described(folder, url, text))
        try:
            (answer,) = await model.answer([Item("s", ASKED)], 0)
        finally:
            await model.close()
        return answer

    with Server(script).running() as server:
        url = server.address.removesuffix("/v1") + "/chat"
        return asyncio.run(asked(url)), server.asked


def replying(body: object, status: int = 200) -> Script:
    return lambda _: Reply(body, status)


def test_the_template_is_filled_and_the_answer_found(tmp_path: Path) -> None:
    answer, (asked,) = said(tmp_path, replying({"choices": [{"text": "A neighbour."}]}))
    assert answer == Answer("answered", "A neighbour.")
    assert asked.path == "/chat"
    assert asked.body == {
        "conversation": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": 'Who "is" it?'},
        ],
        "options": {"stream": False, "note": 'Asked: Who "is" it?!'},
    }
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["x-client"] == "audit"


def test_a_path_that_is_not_there_is_an_error_that_says_what_is(tmp_path: Path) -> None:
    answer, _ = said(tmp_path, replying({"choices": []}))
    assert answer.outcome == "error"
    assert answer.reason is not None
    assert answer.reason.endswith("bot.toml says: [0] is looked for in a list of 0")
    answer, _ = said(tmp_path, replying({"id": 1, "output": "x"}))
    assert str(answer.reason).endswith("'choices' is looked for in an object with 'id', 'output'")


@pytest.mark.parametrize(
    ("body", "outcome", "text", "reason"),
    [
        ({"choices": [{"text": 5}]}, "error", None, "there is no text"),
        ({"choices": [{"text": None}]}, "error", None, "there is nothing"),
        ({"choices": [{"text": " "}]}, "unparseable", " ", "the answer is empty"),
        ({"blocked": "policy"}, "refused", "policy", "marks a refusal"),
        ({"blocked": True, "choices": [{"text": "No."}]}, "refused", "No.", "marks a refusal"),
        ({"blocked": False, "choices": [{"text": "Yes."}]}, "answered", "Yes.", ""),
        ({"fault": {"message": "tired"}}, "error", None, "reports an error: tired"),
        ([1, 2], "error", None, "not a JSON object"),
        (b"<html>", "error", None, "not JSON"),
    ],
)
def test_what_is_read(
    tmp_path: Path, body: object, outcome: str, text: str | None, reason: str
) -> None:
    answer, _ = said(tmp_path, replying(body))
    assert (answer.outcome, answer.text) == (outcome, text)
    assert reason in (answer.reason or "")


def test_a_server_that_fails_is_asked_again(tmp_path: Path) -> None:
    count = iter(range(2))

    def script(_: Asked) -> Reply:
        return Reply({"x": 1}, 500) if next(count) == 0 else Reply({"choices": [{"text": "Yes."}]})

    answer, asked = said(tmp_path, script, TARGET.replace("retries = 0", "retries = 1"))
    assert (answer.text, len(asked)) == ("Yes.", 2)


def test_the_key_is_kept_nowhere(tmp_path: Path) -> None:
    told, _ = said(tmp_path, replying({"choices": [{"text": f"Your key is {KEY}."}]}))
    failed, _ = said(tmp_path, replying({"error": f"bad {KEY}"}, 400))
    assert told.text == "Your key is ***."
    assert KEY not in str(failed)
    assert "HTTP 400" in str(failed.reason)
    model = open_model(described(tmp_path, "http://127.0.0.1:9/x"))
    assert KEY not in repr(vars(model)) + repr(model.fingerprint())


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (401, "does not accept the key"),
        (404, "check address and method"),
        (302, "sends slant to another address"),
    ],
)
def test_what_will_fail_for_every_question_ends_the_run(
    tmp_path: Path, status: int, says: str
) -> None:
    with pytest.raises(InputError, match=says) as fault:
        said(tmp_path, replying({}, status))
    assert "bot.toml: " in str(fault.value)


def test_nobody_there(tmp_path: Path) -> None:
    with Server(replying({})).running() as server:
        address = server.address
    model = open_model(described(tmp_path, address))
    with pytest.raises(InputError, match="nobody can be reached"):
        asyncio.run(model.answer([Item("s", ASKED)], 0))


def test_a_target_for_prompts_takes_no_conversation(tmp_path: Path) -> None:
    text = 'url = "{url}"\nanswer = "a"\nbody = {{ q = "{{{{prompt}}}}" }}\n'
    answer, asked = said(tmp_path, replying({"a": "x"}), text)
    assert "takes one prompt, and this is a conversation of 2 turns" in str(answer.reason)
    assert not asked


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (('"choices[0].text"', '"choices[x]"'), 4, "is no way into JSON"),
        (('"choices[0].text"', '""'), 4, "is no way into JSON"),
        (('"fault.message"', '".message"'), 6, "is no way into JSON"),
        (('"{url}"', '"ftp://h"'), 3, "no address"),
        (('"{url}"', '"http://me:pw@h"'), 3, "do not belong into an address"),
        (('"{url}"', '"http://h?key=${{BOT_KEY}}"'), 3, "do not belong into an address"),
        (("BOT_KEY", "NO_SUCH_KEY"), 10, "environment variable NO_SUCH_KEY, which is not set"),
        (
            ('conversation = "{{{{messages}}}}"', 'conversation = "Hi {{{{messages}}}}"'),
            13,
            "alone",
        ),
        (("name =", "nmae ="), 2, "did you mean 'name'"),
        (("retries = 0", "retries = -1"), 7, "greater than or equal to 0"),
        (("retries = 0", "retries ="), 7, "this is not TOML"),
    ],
)
def test_what_is_no_description(
    tmp_path: Path, change: tuple[str, str], line: int, says: str
) -> None:
    spelling = described(tmp_path, "http://h/x", TARGET.replace(*change))
    with pytest.raises(InputError, match=says) as fault:
        open_model(spelling)
    assert f"bot.toml:{line}: " in str(fault.value)


def test_a_body_needs_a_place_for_the_question(tmp_path: Path) -> None:
    text = 'url = "{url}"\nanswer = "a"\n[body]\nq = 1\n'
    with pytest.raises(InputError, match=r"bot\.toml:3: the body has no place"):
        open_model(described(tmp_path, "http://h", text))


def test_a_target_that_nobody_named_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "theirs.toml"
    file.write_text(TARGET.format(url="http://h"))
    with pytest.raises(InputError, match="nobody named in this call"):
        open_model(f"target:{file}")


def test_paths_into_json() -> None:
    value = {"a": [{"b": 1}, {"b": 2}], "text": "abc"}
    assert find(value, parse_path("a[-1].b")) == 2
    assert find([[7]], parse_path("[0][0]")) == 7
    for path, says in [("text[0]", "a text"), ("a.b", "a list of 2"), ("a[0].b.c", "a number")]:
        with pytest.raises(LookupError, match=f"is looked for in {says}"):
            find(value, parse_path(path))
