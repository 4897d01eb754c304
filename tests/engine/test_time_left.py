"""How long a run still takes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from running import question
from slant.engine.progress import Step
from slant.engine.time_left import Expected, Load, TimeLeft, expected, time_words
from slant.errors import InputError
from slant.records import Answer, Item, Likelihood
from slant.studies.completion import Completion, CompletionSettings
from slant.studies.study import Circumstances

WRITING, SCORING = Load(tokens=48.0), Load(scored=1.0)


def asked(count: int, *, scored: bool = False) -> Step:
    items = [question(f"{number}") for number in range(count)]
    if scored:
        items = [Item("chain", Likelihood(f"{number}"), 0, "axis", "g") for number in range(count)]
    return Step(count, 0.0, items, [Answer("answered", text="x")] * count)


def test_answers_that_were_there_already_count_neither_as_work_nor_as_time() -> None:
    left = TimeLeft([])
    left.begin("completion", "m", 100)
    left.advance(Step(50, 0.0), 7.0)
    assert (left.rate, left.seconds) == (None, None)
    left.advance(asked(10), 2.0)
    assert left.rate == 5.0
    assert left.seconds == pytest.approx(40 / 5)


def test_it_is_one_time_for_all_studies_each_by_what_it_asks() -> None:
    left = TimeLeft([
        Expected("completion", "m", 20, WRITING), Expected("likelihood", "m", 1000, SCORING),
        Expected("story", "m", 10, Load(tokens=480.0)), Expected("search", "m", None, WRITING),
    ])  # fmt: skip
    left.begin("completion", "m", 20)
    left.advance(asked(20), 20.0)
    assert left.seconds == pytest.approx(10 * 10 + 1000 / 48)  # a score is taken for a token
    left.begin("likelihood", "m", 1000)
    left.advance(asked(500, scored=True), 5.0)
    assert left.seconds == pytest.approx(500 / 100 + 10 * 10)


def test_later_rounds_and_parts_of_a_run_are_counted() -> None:
    left = TimeLeft([])
    left.begin("completion", "m", 20)
    left.grow(40)
    step = asked(10)  # of a batch of twenty, of which another shard asks the rest
    left.advance(Step(20, 0.0, step.asked, step.answers), 4.0)
    assert left.seconds == pytest.approx(40 * 4 / 20)


def test_a_study_says_what_it_will_ask_without_asking() -> None:
    study = Completion(CompletionSettings(samples=3), Circumstances("m", frozenset({"raw"})))
    seen = expected(study)
    assert seen.questions
    assert seen.questions % 3 == 0
    assert seen.each.tokens >= 1
    assert expected(study, 4).questions == 4


def test_a_study_without_questions_takes_no_time() -> None:
    class Mute(Completion):
        def rounds(self) -> Iterator[list[Item]]:  # type: ignore[override]
            yield from ()

    study = Mute(CompletionSettings(), Circumstances("m", frozenset({"raw"})))
    assert expected(study) == Expected("completion", "m", 0, Load())


def test_a_study_that_cannot_begin_is_no_reason_to_stop_before_it_is_asked() -> None:
    class Broken(Completion):
        def rounds(self) -> Iterator[list[Item]]:  # type: ignore[override]
            raise InputError("no such corpus")
            yield []

    study = Broken(CompletionSettings(), Circumstances("m", frozenset({"raw"})))
    assert expected(study) == Expected("completion", "m", None, Load())


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "0 s"), (725, "12 min"), (12_600, "3.5 h")])
def test_time_is_told_in_words(seconds: float, words: str) -> None:
    assert time_words(seconds) == words
