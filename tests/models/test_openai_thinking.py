"""Models that think before they answer, at a server that speaks the OpenAI API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openai_server import (
    QUESTION,
    Asked,
    Reply,
    Server,
    chat,
    clean_environment,
    fault,
    one,
    saying,
)

import slant
from slant.errors import InputError
from slant.models.model_spec import parse_model_spec
from slant.models.openai_compatible import OpenAICompatible
from slant.readings.read import CUT_THOUGHT
from slant.records import Aside, Choose, Generate, Sampling


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def test_a_thought_has_a_budget_of_its_own() -> None:
    with Server(saying(chat("fine"))).running() as server:
        one(server, Generate(QUESTION, Sampling(max_tokens=9)), "thinking=500&effort=low")
        one(server, Choose(QUESTION, ("Yes", "No")), "thinking=500")
        one(server, Generate("raw"), "thinking=500&effort=low")
    generate, choose, raw = (asked.body for asked in server.asked)
    assert (generate["max_tokens"], generate["reasoning_effort"]) == (509, "low")
    assert choose["max_tokens"] == 548
    assert "reasoning_effort" not in choose
    assert "reasoning_effort" not in raw


def test_the_budget_is_part_of_what_the_model_is() -> None:
    def printed(options: str) -> dict[str, str]:
        spelling = f"http://h/v1?api=chat{options}#m"
        return dict(OpenAICompatible(parse_model_spec(spelling)).fingerprint())

    assert printed("&thinking=500&effort=low")["thinking"] == "500"
    assert printed("&thinking=500&effort=low")["effort"] == "low"
    assert printed("").keys().isdisjoint({"thinking", "effort"})


def test_a_budget_that_is_none() -> None:
    with pytest.raises(InputError, match="thinking='much' is not a whole number from 0"):
        OpenAICompatible(parse_model_spec("http://h/v1?api=chat&thinking=much#m"))


@pytest.mark.parametrize(
    ("usage", "written"),
    [
        ({"completion_tokens": 40, "completion_tokens_details": {"reasoning_tokens": 30}}, 40),
        (
            {
                "prompt_tokens": 5, "completion_tokens": 40, "total_tokens": 75,
                "completion_tokens_details": {"reasoning_tokens": 30},
            },
            70,
        ),
        ({"completion_tokens": 4, "completion_tokens_details": {"reasoning_tokens": 30}}, 34),
        ({"completion_tokens": 4, "completion_tokens_details": {"reasoning_tokens": "x"}}, 4),
        ({"completion_tokens": 4, "completion_tokens_details": 3}, 4),
        ({"completion_tokens_details": {"reasoning_tokens": 30}}, None),
    ],
)  # fmt: skip
def test_tokens_of_thought_are_counted(usage: dict[str, Any], written: int | None) -> None:
    reply = chat("fine")
    reply.body["usage"] = usage
    with Server(saying(reply)).running() as server:
        assert one(server, Generate(QUESTION)).completion_tokens == written


def test_a_thought_that_the_server_gives_apart_is_kept_with_the_answer() -> None:
    with Server(saying(chat("Yes.", reasoning_content="Hm."))).running() as server:
        answer = one(server, Generate(QUESTION))
    assert (answer.text, answer.aside) == ("Yes.", Aside(thought="Hm."))


def test_a_thought_that_was_cut_off_is_no_answer() -> None:
    with Server(saying(chat("", "length", reasoning_content="Hm, I"))).running() as server:
        answer = one(server, Generate(QUESTION))
    assert (answer.outcome, answer.reason) == ("unparseable", CUT_THOUGHT)


SUITE = 'name = "s"\n[[study]]\nuse = "completion"\nsamples = 2\n'


def test_a_run_says_how_many_thoughts_were_cut_off(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)
    asked: list[Asked] = []

    def half_of_them(question: Asked) -> Reply:
        asked.append(question)
        cut = len(asked) % 2
        return chat("<think>Hm, I", "length") if cut else chat("<think>Hm.</think> bar.")

    with Server(half_of_them).running() as server:
        run = slant.audit(
            suite, f"{server.address}?api=chat&concurrency=1#tiny", out=tmp_path / "run",
            min_coverage=0.1,
        )  # fmt: skip
    cut = run.answers.collect()["reason"].eq(CUT_THOUGHT).sum()
    assert cut > 1
    (remark,) = run.environment["models"]["tiny"]["remarks"]
    assert remark.startswith(f"{cut} answers were cut off in the model's thought")
    assert "thinking=N" in remark


def reasoner(asked: Asked) -> Reply:
    """Refuse what models refuse that always think."""
    for name in ("temperature", "top_p", "presence_penalty", "frequency_penalty"):
        if name in asked.body:
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            return fault(400, message, param=name, code="unsupported_parameter")
    if "max_tokens" in asked.body:
        message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return fault(400, message, param="max_tokens", code="unsupported_parameter")
    reply = chat("bar.")
    reply.body |= {"model": "tiny-2026-01-01", "system_fingerprint": "fp_1"}
    return reply


def test_what_was_really_used_stands_with_the_run_and_in_the_signatures(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)
    with Server(reasoner).running() as server:
        run = slant.audit(
            suite, f"{server.address}?api=chat&thinking=100#tiny", out=tmp_path / "run"
        )
    assert server.asked[-1].body["max_completion_tokens"] == 148
    said = run.environment["models"]["tiny"]
    assert said["effective"] == {
        "left_out": ["frequency_penalty", "presence_penalty", "temperature", "top_p"],
        "taken": ["seed"],
        "renamed": ["max_tokens as max_completion_tokens"],
        "model": ["tiny-2026-01-01"],
        "system_fingerprint": ["fp_1"],
    }
    assert any("own setting held" in remark for remark in said["remarks"])
    for signature in run.findings["signature"]:
        assert "|temperature:server default|top_p:server default|" in signature
    again = slant.resume(run.directory)
    assert again.environment["models"]["tiny"]["effective"] == said["effective"]


def test_a_server_that_changes_while_it_answers_is_remarked_on(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(SUITE)

    def changing(asked: Asked) -> Reply:
        if len(server.asked) > 6 and "temperature" in asked.body:
            return fault(400, "unsupported", param="temperature", code="unsupported_parameter")
        reply = chat("bar.")
        reply.body["system_fingerprint"] = f"fp_{len(server.asked) > 6}"
        return reply

    with Server(changing).running() as server:
        run = slant.audit(
            suite, f"{server.address}?api=chat&concurrency=1#tiny", out=tmp_path / "run"
        )
    remarks = " ".join(run.environment["models"]["tiny"]["remarks"])
    assert "more than one system fingerprint while it answered (fp_False, fp_True)" in remarks
    assert "for a part of the answers only" in remarks
    signature = run.findings["signature"][0]
    assert "|temperature:server default in part of the answers|top_p:1.0|" in signature
