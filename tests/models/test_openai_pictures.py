"""Pictures in chats with a server: sent as data URLs."""

from __future__ import annotations

from pathlib import Path

import pytest
from openai_server import Server, chat, clean_environment, fault, one, saying
from small_pictures import png, write

from slant.models.picture_file import data_url, read_picture
from slant.records import Generate, Message


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def test_a_picture_is_sent_beside_its_text(tmp_path: Path) -> None:
    picture = read_picture(write(tmp_path / "a.png", png()))
    question = Generate((Message("system", "Be brief."), Message("user", "What?", picture)))
    with Server(saying(chat("A red square."))).running() as server:
        answer = one(server, question)
    assert (answer.outcome, answer.text) == ("answered", "A red square.")
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What?"},
                {"type": "image_url", "image_url": {"url": data_url(picture)}},
            ],
        },
    ]


def test_a_picture_that_changed_is_an_error_and_is_not_sent(tmp_path: Path) -> None:
    path = write(tmp_path / "a.png", png())
    question = Generate((Message("user", "What?", read_picture(path)),))
    path.write_bytes(png(colour=(9, 9, 9)))
    with Server(saying(chat("A red square."))).running() as server:
        answer = one(server, question)
    assert answer.outcome == "error"
    assert "not the one it was" in (answer.reason or "")
    assert not server.asked


def test_a_model_without_eyes_gives_an_error_with_its_reason(tmp_path: Path) -> None:
    picture = read_picture(write(tmp_path / "a.png", png()))
    with Server(saying(fault(400, "image input is not supported"))).running() as server:
        answer = one(server, Generate((Message("user", "What?", picture),)))
    assert answer.outcome == "error"
    assert "image input is not supported" in (answer.reason or "")
