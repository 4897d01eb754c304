from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from planting import EXAMPLES, ask, one, plant, samples

from cpu_time import cpu_seconds
from slant.errors import InputError
from slant.models.mock import Mock
from slant.models.model_spec import parse_model_spec
from slant.records import Answer, Generate, Likelihood


def test_what_it_is_and_can(tmp_path: Path) -> None:
    rule = "[[generate]]\nanswers = [{text = 'a b'}]\n"
    model = plant(tmp_path, rule, "?price=1,2")
    assert model.name == "planted"
    assert model.abilities == {"raw", "chat"}
    assert (model.batch_size, model.concurrency, model.price) == (1000, 1, (1.0, 2.0))
    assert one(model, Generate("one two three")) == Answer("answered", "a b", None, 3, 2, "stop")
    assert model.fingerprint() == plant(tmp_path, rule).fingerprint()
    other = plant(tmp_path, "abilities = ['raw']\nbatch_size = 7\n" + rule)
    assert other.fingerprint() != model.fingerprint()
    assert other.abilities == {"raw"}
    assert other.batch_size == 7
    both = plant(tmp_path, "[[choose]]\nprobabilities = [1]\n[[likelihood]]\n")
    assert both.abilities == {"choose", "likelihood"}
    asyncio.run(model.close())


def test_a_batch_takes_as_long_as_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, asleep, here = list[float](), asyncio.sleep, threading.get_ident()

    async def sleep(seconds: float) -> None:
        if threading.get_ident() != here:  # a server that other tests share
            return await asleep(seconds)
        waits.append(seconds)
        return None

    monkeypatch.setattr(asyncio, "sleep", sleep)
    model = plant(tmp_path, "delay_ms = 50\n[[generate]]\nanswers = [{text = 'a'}]")
    ask(model, samples(10))
    assert waits == [0.05]


@pytest.mark.slow
def test_it_is_fast(tmp_path: Path) -> None:
    model = plant(tmp_path, EXAMPLES["completion.toml"])
    items = samples(5000, group="Muslims")
    ask(model, items)  # computes the items' ids
    each = cpu_seconds(lambda: ask(model, items)) / 5000
    assert each < 60e-6  # 30 would do on an idle machine


def test_prompts_may_hold_half_characters(tmp_path: Path) -> None:
    model = plant(tmp_path, "[[likelihood]]\nnoise = 0.1")
    assert one(model, Likelihood("a \ud83d")).outcome == "answered"


# Mistakes

GOOD = "# first line\n[[generate]]\n"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("name = \n", 1, "not TOML"),
        ("name = 'x'", None, "there are no rules"),
        ("nmae = 'x'\n[[likelihood]]", 1, "did you mean 'name'"),
        (GOOD + "answers = [\n{text = 'a', weigth = 1}]", 4, "did you mean 'weight'"),
        (GOOD + "answers = []", 3, "at least 1"),
        (GOOD + "answers = [{text = 'a', weight = 0.5}]", 3, "sum up to 0.5, expected 1"),
        (GOOD + "answers = [{text = 'a', weight = 1}, {text = 'b'}]", 3, "every answer a weight"),
        (GOOD + "answers = [{text = 'a', weight = -1}]", 3, "greater than or equal to 0"),
        (GOOD + "answers = [{text = 'a', weight = nan}]", 3, "finite"),
        (GOOD + "answers = [{text = 'a', weight = '1'}]", 3, "valid number"),
        (GOOD + "answers = [{weight = 1}]", 3, "a reply needs text"),
        (GOOD + "answers = [{text = 'a', texts = ['b']}]", 3, "exclude each other"),
        (GOOD + "answers = [{text = 'a', reason = 'b'}]", 3, "give an outcome"),
        (GOOD + "answers = [{text = 'a', outcome = 'refuse'}]", 3, "'refused'"),
        (GOOD + "answers = [{text = 'a {b'}]", 3, "has no partner"),
        (GOOD + "answers = [{text = '{a {b|c}}'}]", 3, "inside other braces"),
        (GOOD + "answers = [{text = '{grup}'}]", 2, "nothing is known to fill in {grup}"),
        (
            GOOD + "prompt = '('\nanswers = [{text = 'a'}]",
            3,
            "cannot be used as a regular expression",
        ),
        (GOOD + "group = 3\nanswers = [{text = 'a'}]", 3, "group"),
        (GOOD, 2, "either answers or each"),
        (GOOD + "answers = [{text = 'a'}]\nbefore = 'x'", 2, "go with each"),
        ("[[choose]]\nprobabilities = {a = 0.7, b = 0.2}", 1, "sum up to 0.9"),
        ("[[choose]]\nprobabilities = {a = 0.5, A = 0.5}", 1, "differ in case"),
        ("[[choose]]\nnoise = 1", 1, "either probabilities or answers"),
        ("[[choose]]\nanswers = [{text = 'a'}]\nnoise = 1", 1, "go with probabilities"),
        ("[[choose]]\nanswers = [{text = '{x}'}]", 1, "fill in {x}"),
        ("[[likelihood]]\nshift = 4", 1, "above 0"),
        ("[[likelihood]]\nnoise = -1", 2, "greater than or equal to 0"),
        ("batch_size = 0\n[[likelihood]]", 1, "greater than or equal to 1"),
        (
            "abilities = ['fly']\n[[likelihood]]",
            1,
            "'raw', 'chat', 'see', 'choose' or 'likelihood'",
        ),
    ],
)
def test_mistakes_are_told_with_their_line(
    tmp_path: Path, text: str, line: int | None, says: str
) -> None:
    with pytest.raises(InputError) as raised:
        plant(tmp_path, text)
    assert says in str(raised.value)
    assert raised.value.line == line
    assert str(raised.value.file).endswith("planted.toml")


@pytest.mark.parametrize(
    ("spelling", "says"),
    [
        ("mock:", "names no file"),
        ("mock:nowhere.toml", "there is no such file"),
        ("mock:nowhere.toml?speed=9", "unknown option"),
    ],
)
def test_bad_spellings(spelling: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Mock(parse_model_spec(spelling))
