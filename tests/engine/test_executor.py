"""The executor: batches, order, rounds, failures; nothing asked twice, nothing lost."""

from __future__ import annotations

import asyncio
import logging
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import tomli_w

import slant
from running import Ask, Echo, ask, chain, prompt_of, question, said
from slant.engine.journal import Journal
from slant.engine.progress import Silent, Step
from slant.engine.shard import Shard
from slant.errors import IncompleteError, InputError, SlantError
from slant.records import Answer, Item


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "journal.sqlite")
    yield journal
    journal.close()


class Notes(Silent):
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.known = self.asked = 0
        self.outcomes: Counter[str] = Counter()

    def note(self, message: str) -> None:
        self.notes.append(message)

    def advance(self, step: Step) -> None:
        self.asked += len(step.asked)
        self.known += step.size - len(step.asked)
        self.outcomes.update(step.outcomes)


def questions(count: int) -> list[Item]:
    return [question(f"q{number}") for number in range(count)]


@pytest.mark.parametrize("concurrency", [1, 4, 100])
def test_as_many_batches_go_out_as_the_model_takes(journal: Journal, concurrency: int) -> None:
    model = Echo()
    model.concurrency = concurrency
    ask(model, journal, Ask(*questions(31)))
    assert model.most_under_way == min(concurrency, 11)
    assert model.batches == 11
    assert said(journal) == [(f"q{number}", f"<q{number}>") for number in range(31)]


def test_the_same_question_is_asked_once_for_all_groups(journal: Journal) -> None:
    items = [question("same", group=group) for group in "abcdefg"]
    others = [question("same", sample=1), question("else")]
    model = Echo()
    model.concurrency = 4
    ask(model, journal, Ask(*items, *others))
    assert sorted(model.asked) == ["else", "same", "same"]
    replies = list(journal.replies("echo", "chain", 0, 100))
    assert [item.group for item, _ in replies] == [*"abcdefg", "g", "g"]
    assert {answer.text for item, answer in replies if item.sample == 0} == {"<same>", "<else>"}


def test_what_is_answered_is_not_asked_again(journal: Journal) -> None:
    ask(Echo(), journal, Ask(*questions(7)))
    model, progress = Echo(), Notes()
    ask(model, journal, Ask(*questions(10)), progress=progress)
    assert model.asked == ["q7", "q8", "q9"]
    assert (progress.asked, progress.known) == (3, 7)
    assert progress.outcomes == {"answered": 10}


def test_only_errors_are_asked_again(journal: Journal) -> None:
    def bad(item: Item) -> Answer:
        kinds = {"q0": "error", "q1": "refused", "q2": "unparseable"}
        return Answer(kinds.get(prompt_of(item), "answered"), "x")  # type: ignore[arg-type]

    ask(Echo(bad), journal, Ask(*questions(4)))
    model = Echo()
    ask(model, journal, Ask(*questions(4)))
    assert model.asked == ["q0"]
    assert said(journal) == [("q0", "<q0>"), ("q1", "x"), ("q2", "x"), ("q3", "x")]


def test_a_second_round_depends_on_the_answers_of_the_first(journal: Journal) -> None:
    model = Echo()
    model.concurrency = 3
    assert ask(model, journal, chain())
    first = [(f"start {number}", f"<start {number}>") for number in range(6)]
    then = [(f"after <start {number}>", f"<after <start {number}>>") for number in range(6)]
    assert said(journal) == [*first, *then]


@pytest.mark.parametrize("limit", [1, 4, 6, 8, 12, 50])
def test_the_limit_holds_over_rounds(journal: Journal, limit: int) -> None:
    model = Echo()
    assert ask(model, journal, chain(), limit=limit)
    assert len(model.asked) == min(limit, 12)
    assert len(said(journal)) == min(limit, 12)


def test_questions_change_when_an_error_is_answered_after_all(
    journal: Journal, tmp_path: Path
) -> None:
    def flaky(item: Item) -> Answer:
        lost = prompt_of(item) == "start 2"
        return (
            Answer("error", reason="down") if lost else Answer("answered", f"<{prompt_of(item)}>")
        )

    ask(Echo(flaky), journal, chain())
    assert said(journal)[8][0] == "after None"
    ask(Echo(), journal, chain())
    undisturbed = Journal(tmp_path / "undisturbed.sqlite")
    ask(Echo(), undisturbed, chain())
    assert said(journal) == said(undisturbed)
    undisturbed.close()


def test_questions_that_are_no_longer_wanted_leave_the_tables(journal: Journal) -> None:
    ask(Echo(), journal, Ask(*questions(9)))
    ask(Echo(), journal, Ask(*questions(5)))
    assert [prompt for prompt, _ in said(journal)] == [f"q{number}" for number in range(5)]


def test_a_shard_stops_where_it_needs_the_others(journal: Journal) -> None:
    model = Echo()
    assert not ask(model, journal, chain(), part=Shard(1, 2))
    assert 0 < len(model.asked) < 6
    assert all(prompt.startswith("start") for prompt in model.asked)
    assert ask(Echo(), journal, chain(), part=Shard(1, 1))


def test_a_fault_of_one_batch_loses_that_batch_only(journal: Journal) -> None:
    class Faulty(Echo):
        async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
            if prompt_of(items[0]) == "q3":
                raise ZeroDivisionError("the graphics card is on fire")
            return await super().answer(items, seed)

    progress = Notes()
    assert ask(Faulty(), journal, Ask(*questions(9)), progress=progress)
    replies = [answer for _, answer in journal.replies("echo", "chain", 0, 100)]
    assert [answer.outcome for answer in replies] == (
        ["answered"] * 3 + ["error"] * 3 + ["answered"] * 3
    )
    assert replies[4].reason == "ZeroDivisionError: the graphics card is on fire"
    assert progress.notes == ["echo: ZeroDivisionError: the graphics card is on fire"]


@pytest.mark.parametrize("change", [-1, 1])
def test_a_wrong_number_of_answers_is_an_error(journal: Journal, change: int) -> None:
    class Miscounting(Echo):
        async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
            answers = await super().answer(items, seed)
            return (answers * 2)[: len(items) + change]

    ask(Miscounting(), journal, Ask(*questions(3)))
    reasons = {answer.reason for _, answer in journal.replies("echo", "chain", 0, 100)}
    assert reasons == {f"ValueError: {3 + change} answers to 3 items"}


def test_twenty_batches_without_an_answer_end_the_run(journal: Journal) -> None:
    model = Echo(lambda item: Answer("error", reason="no route to host"))
    with pytest.raises(IncompleteError, match=r"20 batches in a row.*no route to host"):
        ask(model, journal, Ask(*questions(300)))
    assert model.batches == 20
    assert journal.outcome_counts() == {"error": 60}


def failing(*numbers: int) -> Echo:
    lost = {f"q{number}" for number in numbers}

    def reply(item: Item) -> Answer:
        name = prompt_of(item)
        return Answer("error", reason="too long") if name in lost else Answer("answered", name)

    return Echo(reply)


def test_what_failed_for_good_keeps_no_resume_from_its_end(journal: Journal) -> None:
    # Thirty batches that will always fail, each followed by one that does not.
    hopeless = [number for number in range(180) if number % 6 < 3]
    assert ask(failing(*hopeless), journal, Ask(*questions(180)))
    again = failing(*hopeless)
    assert ask(again, journal, Ask(*questions(180)))
    assert len(again.asked) == 90
    assert journal.outcome_counts() == {"answered": 90, "error": 90}


def test_a_run_that_was_given_up_goes_on_behind_what_failed_for_good(journal: Journal) -> None:
    hopeless = range(90)
    with pytest.raises(IncompleteError, match="20 batches in a row"):
        ask(failing(*hopeless), journal, Ask(*questions(120)))
    model = failing(*hopeless)
    assert ask(model, journal, Ask(*questions(120)))
    assert journal.outcome_counts() == {"answered": 30, "error": 90}


def test_a_server_that_is_still_down_ends_a_resumed_run_too(journal: Journal) -> None:
    for _ in range(2):
        model = failing(*range(300))
        with pytest.raises(IncompleteError, match="20 batches in a row"):
            ask(model, journal, Ask(*questions(300)))
    assert model.batches == 40  # those that had failed once more, and twenty new ones


def test_one_answer_now_and_then_keeps_a_run_going(journal: Journal) -> None:
    def rarely(item: Item) -> Answer:
        number = int(prompt_of(item)[1:])
        return Answer("error", reason="down") if number % 50 else Answer("answered", "x")

    assert ask(Echo(rarely), journal, Ask(*questions(200)))
    assert journal.outcome_counts() == {"answered": 4, "error": 196}


def test_a_fatal_failure_keeps_what_was_under_way(
    journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    class Locked(Echo):
        async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
            if prompt_of(items[0]) != "q0":
                raise SlantError("the key is not accepted")
            await asyncio.sleep(0.05)
            return await super().answer(items, seed)

    model = Locked()
    model.concurrency = 4
    with caplog.at_level(logging.ERROR), pytest.raises(SlantError, match="key is not accepted"):
        ask(model, journal, Ask(*questions(60)))
    assert [prompt for prompt, _ in said(journal)] == ["q0", "q1", "q2"]
    assert caplog.text == ""


MODEL = '[[generate]]\nprompt = "(?P<all>.*)"\nanswers = [{ text = "{all} {a|b|c|d|e}" }]\n'


def chained(folder: Path, out: str, **options: object) -> slant.Run:
    (folder / "suite.toml").write_text('name = "c"\n[[study]]\nuse = "running:Chain"\n')
    (folder / "model.toml").write_text(f"batch_size = 2\n{MODEL}")
    return slant.audit(
        folder / "suite.toml",
        f"mock:{folder / 'model.toml'}",
        out=folder / out,
        **options,  # type: ignore[arg-type]
    )


def test_rounds_survive_sharding_merging_and_resuming(tmp_path: Path) -> None:
    whole = chained(tmp_path, "whole").answers.collect()
    assert whole.height == 12
    parts = [chained(tmp_path, f"part{index}", shard=f"{index}/2").directory for index in (1, 2)]
    asked = [slant.Run(part).answers.collect()["prompt"].to_list() for part in parts]
    assert sorted(asked[0] + asked[1]) == [f"start {number}" for number in range(6)]
    with pytest.raises(IncompleteError, match="slant resume"):
        slant.merge(parts, tmp_path / "merged")
    assert slant.resume(tmp_path / "merged").answers.collect().equals(whole)


def test_rounds_resume_from_anywhere(tmp_path: Path) -> None:
    whole = chained(tmp_path, "whole").answers.collect()
    for limit in (1, 5, 6, 7, 11):
        part = chained(tmp_path, f"part{limit}", limit=limit)
        assert part.answers.collect().equals(whole.head(limit))
        content = tomllib.loads(part.path("run.toml").read_text())
        del content["limit"]
        part.path("run.toml").write_text(tomli_w.dumps(content))
        assert slant.resume(part.directory).answers.collect().equals(whole)


def test_abilities_are_checked_before_anything_runs(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "mute.toml").write_text("[[likelihood]]\nshift = 1.0\n")
    with pytest.raises(
        InputError, match=r"'mute' cannot continue raw text, which study 'completion' needs"
    ):
        slant.audit(suite, f"mock:{tmp_path / 'mute.toml'}", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_an_audit_and_a_merge_work_inside_an_event_loop(
    suite: Path, planted: str, tmp_path: Path
) -> None:
    alone = slant.audit(suite, planted, out=tmp_path / "alone", limit=60)

    async def notebook() -> slant.Run:
        slant.audit(suite, planted, out=tmp_path / "part", limit=60, shard="1/1")
        slant.merge([tmp_path / "part"], tmp_path / "merged")
        return slant.audit(suite, planted, out=tmp_path / "inside", limit=60)

    inside = asyncio.run(notebook())
    findings = alone.path("findings.json").read_bytes()
    assert inside.path("findings.json").read_bytes() == findings
    assert (tmp_path / "merged" / "findings.json").read_bytes() == findings
