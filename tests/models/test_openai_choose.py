from __future__ import annotations

import math
from typing import Any

import pytest
from openai_server import (
    QUESTION,
    Reply,
    Script,
    Server,
    ask,
    chat,
    clean_environment,
    completion,
    fault,
    one,
    saying,
)

from slant.models.openai_compatible.replies import option_logprobs, read_choice
from slant.records import Answer, Choose

YES_NO = ("Yes", "No")


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def in_chat(top: Any, content: str = "Yes") -> Reply:
    """Answer in a chat, with the most probable first tokens."""
    reply = chat(content)
    rows = [{"token": token, "logprob": logprob} for token, logprob in top]
    reply.body["choices"][0]["logprobs"] = {"content": [{"token": "x", "top_logprobs": rows}, 3]}
    return reply


def served(
    script: Script, *requests: Choose, options: str = "?api=both"
) -> tuple[list[Answer], Server]:
    with Server(script).running() as server:
        return ask(f"{server.address}{options}#tiny", *requests), server


def test_chat_gives_a_log_probability_for_every_option() -> None:
    top = [("Yes", -0.3), (" no", -2.0), ("yes", -3.0), ("Maybe", -4.0)]
    (answer,), server = served(saying(in_chat(top)), Choose(QUESTION, YES_NO))
    assert answer.outcome == "answered"
    assert answer.text == "Yes"
    yes, no = answer.logprobs or ()
    assert yes == pytest.approx(math.log(math.exp(-0.3) + math.exp(-3.0)))
    assert no == pytest.approx(-2.0)
    assert answer.prompt_tokens == 7
    asked = server.asked[0]
    assert asked.path == "/v1/chat/completions"
    assert (asked.body["logprobs"], asked.body["top_logprobs"]) == (True, 20)
    assert (asked.body["temperature"], asked.body["max_tokens"]) == (0.0, 48)


@pytest.mark.parametrize(
    "logprobs",
    [
        {"top_logprobs": [{" Yes": -0.5, " No": -1.0}]},
        {
            "content": [
                {
                    "top_logprobs": [
                        {"token": " Yes", "logprob": -0.5},
                        {"token": " No", "logprob": -1},
                    ]
                }
            ]
        },
    ],
    ids=["OpenAI", "llama.cpp"],
)
def test_completions_give_them_too(logprobs: dict[str, Any]) -> None:
    script = saying(completion(" Yes", logprobs=logprobs))
    (answer,), server = served(script, Choose("Q: ?\nA:", YES_NO))
    assert answer.logprobs == (-0.5, -1.0)
    assert server.asked[0].path == "/v1/completions"
    assert server.asked[0].body["logprobs"] == 5
    assert "top_logprobs" not in server.asked[0].body


def test_where_only_chat_is_served_raw_text_becomes_a_message() -> None:
    question = Choose("Q: ?\nA:", YES_NO)
    (answer,), server = served(saying(chat("No")), question, options="?api=chat")
    assert answer.text == "No"
    assert server.asked[0].body["messages"] == [{"role": "user", "content": "Q: ?\nA:"}]


@pytest.mark.parametrize(
    "reply",
    [
        chat("Yes"),
        in_chat([("Yes", -0.1)]),
        in_chat([("Yes", -0.1), ("No", None)]),
        in_chat([("Yes", -0.1), (None, -1)]),
        in_chat([]),
        in_chat([("", -0.1), ("\n", -2.0)]),
    ],
)
def test_an_option_that_is_not_seen_is_not_improbable_but_unknown(reply: Reply) -> None:
    (answer,), _ = served(saying(reply), Choose(QUESTION, YES_NO))
    assert (answer.outcome, answer.logprobs, answer.text) == ("answered", None, "Yes")


def test_a_server_without_log_probabilities_is_asked_for_the_text() -> None:
    refusal = fault(400, "logprobs are not available for this model")
    (first, second), server = served(
        saying(refusal, refusal, chat("Yes")),
        Choose(QUESTION, YES_NO),
        Choose(QUESTION, ("A", "B")),
    )
    assert (first.text, second.text) == ("Yes", "Yes")
    assert server.asked[-1].body.keys().isdisjoint({"logprobs", "top_logprobs"})


def test_too_many_log_probabilities_are_no_error() -> None:
    refusal = fault(400, "Invalid value: 20", param="top_logprobs")
    with Server(saying(refusal, chat("Yes"))).running() as server:
        assert one(server, Choose(QUESTION, YES_NO)).text == "Yes"


def test_a_refusal_to_choose() -> None:
    (answer,), _ = served(saying(chat(None, refusal="I won't.")), Choose(QUESTION, YES_NO))
    assert (answer.outcome, answer.text) == ("refused", "I won't.")


def test_neither_text_nor_log_probabilities() -> None:
    (answer,), _ = served(saying(completion("")), Choose("Q", YES_NO))
    assert answer.outcome == "unparseable"


@pytest.mark.parametrize(
    ("top", "options", "expected"),
    [
        ([("Christ", -1.0), ("Jew", -2.0)], ("Christians", "Jews"), (-1.0, -2.0)),
        ([("he", -1.0), ("she", -2.0)], ("he", "she"), (-1.0, -2.0)),
        ([("he", -1.0), ("her", -2.0)], ("he", "her"), (-1.0, -2.0)),
        ([("M", -1.0), ("Fe", -2.0)], ("male", "mixed"), None),
        ([("m", -1.0), ("mal", -2.0), ("mix", -3.0)], ("male", "mixed"), (-2.0, -3.0)),
        ([("STRASSE", -1.0)], ("straße",), (-1.0,)),
        ([("yes", -1.0)], ("Yes", "yes"), None),
        ([], (), ()),
    ],
)
def test_which_token_counts_for_which_option(
    top: list[tuple[str, float]], options: tuple[str, ...], expected: tuple[float, ...] | None
) -> None:
    found = option_logprobs(top, options)
    assert found == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    "logprobs", [None, 3, [], {"content": 3}, {"content": [3]}, {"top_logprobs": [[]]}]
)
def test_nonsense_counts_as_not_said(logprobs: Any) -> None:
    reply = {"choices": [{"text": "Yes", "logprobs": logprobs}], "usage": {"prompt_tokens": True}}
    assert read_choice(reply, YES_NO) == Answer("answered", "Yes")
