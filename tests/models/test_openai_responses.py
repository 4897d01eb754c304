"""OpenAI's Responses API: what only it does; the rest is in `test_contract.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openai_server import QUESTION, Reply, Server, clean_environment, one, saying
from small_pictures import png

from slant.models.picture_file import read_picture
from slant.records import Answer, Choose, Generate, Message, Sampling


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def said(text: str, **more: Any) -> Reply:
    part = {"type": "output_text", "text": text, **more}
    return Reply({"status": "completed", "output": [{"type": "message", "content": [part]}]})


def put(request: Generate | Choose, reply: Reply, options: str = "") -> tuple[Answer, Any]:
    with Server(saying(reply)).running() as server:
        answer = one(server, request, f"api=responses&{options}")
    assert [asked.path for asked in server.asked] == ["/v1/responses"]
    return answer, server.asked[0].body


def test_a_conversation_is_written_as_the_api_takes_it() -> None:
    sampling = Sampling(40, 0.8, 0.9, stop=("\n",))
    answer, body = put(Generate(QUESTION, sampling), said("Nobody."), "effort=low")
    assert answer == Answer("answered", "Nobody.", finish_reason="stop")
    assert body == {
        "model": "tiny",
        "input": [
            {"role": "system", "content": [{"type": "input_text", "text": "Be brief."}]},
            {"role": "user", "content": [{"type": "input_text", "text": "Who?"}]},
        ],
        "max_output_tokens": 40,
        "temperature": 0.8,
        "top_p": 0.9,
        "store": False,
        "reasoning": {"effort": "low"},
    }


def test_an_earlier_answer_is_output() -> None:
    turns = (Message("user", "a"), Message("assistant", "b"), Message("user", "c"))
    _, body = put(Generate(turns, Sampling(3)), said("d"))
    kinds = [turn["content"][0]["type"] for turn in body["input"]]
    assert kinds == ["input_text", "output_text", "input_text"]
    assert body["max_output_tokens"] == 16


def test_a_choice_has_the_log_probabilities_of_the_first_token() -> None:
    top = [{"token": "Yes", "logprob": -0.5}, {"token": "No", "logprob": -1.0}]
    logprobs = [{"token": "Yes", "top_logprobs": top}, {"token": ".", "top_logprobs": []}]
    answer, body = put(Choose(QUESTION, ("Yes", "No")), said("Yes.", logprobs=logprobs))
    assert (answer.text, answer.logprobs) == ("Yes.", (-0.5, -1.0))
    assert body["include"] == ["message.output_text.logprobs"]


def test_a_filter_and_a_failure() -> None:
    filtered: dict[str, Any] = {"output": [], "status": "incomplete"}
    filtered |= {"incomplete_details": {"reason": "content_filter"}}
    assert put(Generate(QUESTION), Reply(filtered))[0].outcome == "refused"
    failed = {"output": [], "status": "failed", "error": {"message": "it broke"}}
    answer, _ = put(Generate(QUESTION), Reply(failed))
    assert (answer.outcome, answer.reason) == ("error", "the server reports an error: it broke")


def test_a_schema_and_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "p.png"
    file.write_bytes(png())
    turns = (Message("user", "What is it?", read_picture(file)),)
    _, body = put(Generate(turns, schema='{"type": "object"}'), said("{}"))
    assert body["text"]["format"]["schema"] == {"type": "object"}
    assert body["input"][0]["content"][1]["image_url"].startswith("data:image/png;base64,")
