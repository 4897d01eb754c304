"""A run whose answers came in files concludes what one concludes that asked for itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from batch_service import Answers, Reply, carry_out, refused, requests_in, said
from openai_server import clean_environment

import slant
from golden.audits import write_suite
from golden.cases import MODEL
from slant.models.model import Model
from slant.models.open import open_model
from slant.records import Ability, Answer, Choose, Item

STUDIES = [
    "completion-one-prompt",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in ("triggers", "templates", "analogy", "news", "knowledge", "profiles", "story")
    ),
]
"""All that ask for text: no batch gives likelihoods."""

_MOST_ROUNDS = 40


class Remembering(Model):
    """The planted model, which chats, asked at once; it remembers what it said to what."""

    abilities: frozenset[Ability] = frozenset({"chat", "see", "choose"})

    def __init__(self, mock: Model):
        self._mock = mock
        self.name, self.batch_size = "tiny", mock.batch_size
        self.heard: dict[str, tuple[Item, Answer]] = {}

    def fingerprint(self) -> dict[str, str]:
        return {"model": self.name}

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        answers = await self._mock.answer(items, seed)
        for item, answer in zip(items, answers, strict=True):
            self.heard[item.id] = (item, answer)
        return answers


def as_reply(item: Item, answer: Answer) -> Reply:
    """Give what a server says that means this answer."""
    if answer.outcome == "error":
        return refused(answer.reason or "")
    if isinstance(item.request, Choose) and answer.logprobs is not None:
        options = item.request.options
        top = [
            {"token": option, "logprob": logprob}
            for option, logprob in zip(options, answer.logprobs, strict=True)
        ]
        best = options[max(range(len(options)), key=answer.logprobs.__getitem__)]
        return said(best, logprobs={"content": [{"token": best, "top_logprobs": top}]})
    if answer.outcome == "refused":
        return said(answer.text or "", finish_reason="content_filter")
    return said(answer.text or "")


def live(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[slant.Run, Remembering]:
    rules = folder / "model.toml"
    rules.write_text(
        MODEL.read_text(encoding="utf-8")
        + '[[generate]]\nstudy = "templates"\nanswers = [{ text = "Yes" }, { text = "No" }]\n',
        encoding="utf-8",
    )
    model = Remembering(open_model(f"mock:{rules}"))
    with monkeypatch.context() as patched:
        patched.setattr("slant.engine.audit.replicate", lambda *_: {model.name: model})
        run = slant.audit(write_suite(name, folder), "tiny:", out=folder / "live", seed=20)
    return run, model


def by_batches(suite: Path, spelling: str, answers: Answers, folder: Path) -> tuple[slant.Run, int]:
    """Have a suite's questions carried out batch after batch; count the batches."""
    file = folder / "batch-0.jsonl"
    run = slant.audit(suite, spelling, out=folder / "posted", seed=20, batch_out=file)
    for number in range(1, _MOST_ROUNDS):
        if run.asked_everything:
            return run, number - 1
        results = carry_out(file, answers, folder / f"results-{number}.jsonl")
        file = folder / f"batch-{number}.jsonl"
        run = slant.resume(run.directory, answers=results, batch_out=file)
    raise AssertionError("the studies never came to their end")


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_concludes_the_same_from_batches(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean_environment(monkeypatch)  # no key: nobody is asked
    plain, model = live(name, tmp_path, monkeypatch)

    def answers(id_: str, _: object) -> Reply:
        return as_reply(*model.heard[id_])

    posted, batches = by_batches(tmp_path / "suite.toml", "openai:tiny", answers, tmp_path)
    assert batches > 1 or name not in ("knowledge", "triggers")
    assert posted.outcomes == plain.outcomes
    columns = ["metric", "group", "contrast", "condition", "value", "low", "high", "n", "p", "q"]
    # A server gives a text beside log-probabilities, the planted model does not.
    found = posted.findings.filter(pl.col("metric") != "text_disagrees")
    assert found.select(columns).equals(plain.findings.select(columns))


def test_a_reply_in_a_file_is_read_like_one_from_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean_environment(monkeypatch)
    suite = write_suite("completion-one-prompt", tmp_path)

    def answers(_: str, body: dict[str, object]) -> Reply:
        assert body["max_tokens"] == 48 + 500
        return said("<think>Not a shooting.</think>Sure! Here you go:\n\n**bar.**")

    run, _ = by_batches(suite, "openai:tiny?thinking=500", answers, tmp_path)
    texts = run.answers.select("text", "aside").unique().collect()
    assert texts["text"].to_list() == ["bar."]
    assert "shooting" in texts["aside"][0]


def test_messages_go_out_and_come_in_in_anthropics_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean_environment(monkeypatch)
    suite = write_suite("completion-one-prompt", tmp_path)

    def answers(_: str, params: dict[str, object]) -> Reply:
        assert params["model"] == "tiny"
        block = {"type": "text", "text": "bar."}
        usage = {"input_tokens": 7, "output_tokens": 3}
        return 200, {"content": [block], "stop_reason": "end_turn", "usage": usage}

    run, _ = by_batches(suite, "anthropic:tiny", answers, tmp_path)
    assert set(run.answers.collect()["text"]) == {"bar."}
    ids = [request["custom_id"] for request in requests_in(tmp_path / "batch-0.jsonl")]
    assert len(ids) == len(set(ids))
    assert all(len(id_) == 32 and id_.isalnum() for id_ in ids)


def test_a_parameter_that_the_batch_shows_to_be_refused_is_left_out_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean_environment(monkeypatch)
    suite = write_suite("analogy", tmp_path)
    seen = list[set[str]]()

    def answers(_: str, body: dict[str, object]) -> Reply:
        seen.append(set(body))
        for name in ("max_tokens", "temperature"):
            if name in body:
                return refused(f"Unsupported parameter: {name!r}", param=name)
        return said("faith")

    run, batches = by_batches(suite, "openai:tiny", answers, tmp_path)
    assert batches == 3  # one a parameter, then all is answered
    assert "max_completion_tokens" in seen[-1]
    assert not {"max_tokens", "temperature"} & seen[-1]
    assert run.outcomes["answered"] == sum(run.outcomes.values())
    told = run.environment["models"]["tiny"]["effective"]
    assert told["left_out"] == ["temperature"]
    assert math.isclose(len(seen) / 3, len(requests_in(tmp_path / "batch-0.jsonl")))


def test_what_an_application_puts_around_a_question_is_in_the_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean_environment(monkeypatch)
    suite = write_suite("analogy", tmp_path)
    prompt = tmp_path / "system.txt"
    prompt.write_text("You are a clerk.", encoding="utf-8")
    file = tmp_path / "batch.jsonl"
    slant.audit(suite, "openai:tiny", system=prompt, out=tmp_path / "run", batch_out=file)
    messages = requests_in(file)[0]["body"]["messages"]
    assert messages[0] == {"role": "system", "content": "You are a clerk."}
