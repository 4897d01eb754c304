from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from slant.errors import InputError
from slant.models.model_spec import parse_model_spec
from slant.models.replay import Replay
from slant.records import Answer, Choose, Generate, Item, Likelihood, Message, Request

HELLO = Generate("Hello,")
MISSING = Answer("error", reason="no recorded answer")


def record(folder: Path, content: str | bytes, name: str = "answers.jsonl") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def replay(path: Path, options: str = "") -> Replay:
    return Replay(parse_model_spec(f"replay:{path}{options}"))


def one(model: Replay, request: Request = HELLO, sample: int = 0, group: str = "") -> Answer:
    return asyncio.run(model.answer([Item("s", request, sample, group=group)], 0))[0]


def test_by_item(tmp_path: Path) -> None:
    item = Item("s", HELLO)
    row = {
        "item": item.id, "prompt": "something else", "text": "world", "outcome": "answered",
        "finish_reason": "length", "prompt_tokens": 2, "completion_tokens": 1, "reason": None,
        "unknown": [1],
    }  # fmt: skip
    model = replay(record(tmp_path, lines(row)))
    assert one(model) == Answer("answered", "world", None, 2, 1, "length")
    assert one(model, sample=1) == MISSING
    assert one(model, Generate("something else")) == MISSING
    assert model.abilities == {"raw", "chat", "choose", "likelihood"}
    assert asyncio.run(model.answer([Item("t", HELLO), item], 3)) == [MISSING, one(model)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
def test_every_format_says_the_same(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    frame = pl.DataFrame(
        {
            "prompt": ["Hello,", "Hello,", "Bye", "Bye"],
            "sample": [0, 1, 0, 1],
            "text": ['a "quoted", line\nand ☃', "5.10", "None", None],
            "outcome": ["answered", "answered", "refused", "error"],
            "reason": [None, None, None, "timeout"],
        }
    )
    if name == "a.jsonl":
        frame.write_ndjson(path)
    elif name == "a.csv":
        frame.write_csv(path, include_bom=True)
    else:
        frame.write_parquet(path)
    model = replay(path)
    assert one(model).text == 'a "quoted", line\nand ☃'
    assert one(model, sample=1).text == "5.10"
    assert one(model, Generate("Bye")) == Answer("refused", "None")
    assert one(model, Generate("Bye"), sample=1) == Answer("error", reason="timeout")
    assert one(model, sample=2) == MISSING
    assert model.name == "a"
    assert model.fingerprint()["recording"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_without_numbers_the_order_counts(tmp_path: Path) -> None:
    rows = [{"prompt": "Hello,", "text": text} for text in ("a", "b", "a")]
    model = replay(record(tmp_path, lines(*rows)))
    assert [one(model, sample=sample).text for sample in range(4)] == ["a", "b", "a", None]


def test_a_group_narrows_the_prompt(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"prompt": "Hello,", "group": "x", "text": "for x"},
        {"prompt": "Hello,", "group": None, "text": "for all"},
    ]
    model = replay(record(tmp_path, lines(*rows)))
    assert one(model, group="x").text == "for x"
    assert one(model, group="y").text == "for all"


@pytest.mark.parametrize(
    ("request_", "prompt"),
    [
        (Generate((Message("system", "s"), Message("user", "u"))), "u"),
        (Generate(()), ""),
        (Choose("Q: it is? A:", ("Yes", "No")), "Q: it is? A:"),
        (Likelihood("is bold."), "is bold."),
        (Likelihood("is bold.", "Ann"), "Ann → is bold."),
    ],
)
def test_what_is_searched_by(tmp_path: Path, request_: Request, prompt: str) -> None:
    row = {"prompt": prompt, "text": "t", "logprobs": [-1.0, -2.0]}
    model = replay(record(tmp_path, lines(row)))
    assert one(model, request_) == Answer("answered", "t", (-1.0, -2.0))


@pytest.mark.parametrize(
    ("request_", "row", "reason"),
    [
        (HELLO, {"text": None}, "recorded without a text"),
        (HELLO, {"logprobs": [-1]}, "the recorded answer holds no text"),
        (Likelihood("Hello,"), {"text": "t"}, "the recorded answer holds no log-probabilities"),
        (
            Choose("Hello,", ("a", "b")),
            {"logprobs": [-1]},
            "1 log-probabilities are recorded for 2",
        ),
    ],
)
def test_what_does_not_fit_is_unparseable(
    tmp_path: Path, request_: Request, row: dict[str, Any], reason: str
) -> None:
    answer = one(replay(record(tmp_path, lines({"prompt": "Hello,", **row}))), request_)
    assert answer.outcome == "unparseable"
    assert (answer.reason or "").startswith(reason)


def test_an_option_may_be_answered_in_words(tmp_path: Path) -> None:
    model = replay(record(tmp_path, lines({"prompt": "Q", "text": "Yes"})))
    assert one(model, Choose("Q", ("Yes", "No"))) == Answer("answered", "Yes")


def test_a_run_directory(tmp_path: Path) -> None:
    items = [Item("s", Likelihood("a b"), group=group) for group in ("x", "y")]
    pl.DataFrame(
        {
            "model": ["tiny"] * 2, "study": ["s"] * 2, "position": [0, 1],
            "item": [item.id for item in items], "axis": ["a"] * 2, "group": ["x", "y"],
            "condition": [""] * 2, "sample": [0, 0], "prompt": ["a b"] * 2, "slots": ["{}"] * 2,
            "outcome": ["answered"] * 2, "text": [None, None], "logprobs": [[-1.5, -2.0]] * 2,
            "finish_reason": [None, None], "reason": [None, None],
            "prompt_tokens": [2, 2], "completion_tokens": [0, 0],
        },
        schema_overrides={"text": pl.String},
    ).write_parquet(tmp_path / "answers.parquet")  # fmt: skip
    model = replay(tmp_path)
    assert model.name == "tiny"
    expected = Answer("answered", None, (-1.5, -2.0), 2, 0)
    assert asyncio.run(model.answer(items, 0)) == [expected, expected]


def test_answers_of_several_models(tmp_path: Path) -> None:
    rows = [{"prompt": "Hello,", "model": name, "text": name} for name in ("big", "small")]
    path = record(tmp_path, lines(*rows))
    with pytest.raises(InputError, match=r"several models \(big, small\): choose one"):
        replay(path)
    with pytest.raises(InputError, match="unknown recorded model 'smal': did you mean 'small'"):
        replay(path, "?model=smal")
    model = replay(path, "?model=small")
    assert (model.name, one(model).text) == ("small", "small")


def test_log_probabilities_in_csv_are_json(tmp_path: Path) -> None:
    path = record(tmp_path, 'prompt,logprobs\nHello,"[-0.5, -1]"\n', "a.csv")
    assert one(replay(path), Choose("Hello", ("a", "b"))).logprobs == (-0.5, -1.0)


def test_half_characters_are_replaced(tmp_path: Path) -> None:
    model = replay(record(tmp_path, '{"prompt": "Hello,", "text": "a \\ud83d"}'))
    assert one(model).text == "a \ufffd"


@pytest.mark.parametrize(
    ("name", "content", "line", "says"),
    [
        ("a.jsonl", "", None, "holds no recorded answers"),
        ("a.csv", "prompt,text\n", None, "holds no recorded answers"),
        ("a.jsonl", '{"prompt": "a", "text": "b"}\n\n{"prompt"\n', 3, "not JSON"),
        ("a.jsonl", "[1]", 1, "expected a JSON object"),
        ("a.jsonl", b'{"prompt": "a", "text": "b"}\n"\xff"', 2, "0xff is not UTF-8"),
        ("a.csv", b"prompt,text\n\xe9,b\n", 2, "0xe9 is not UTF-8"),
        ("a.jsonl", '{"question": 1, "text": "b"}', None, "found the columns question, text"),
        ("a.jsonl", '{"prompt": 1, "reply": "b"}', None, "expected text"),
        ("a.jsonl", '{"prompt": "a", "text": 3}', 1, "column 'text' holds 3"),
        ("a.jsonl", '{"prompt": "a", "outcome": "fine"}', 1, "'refused'"),
        ("a.jsonl", '{"prompt": "a", "logprobs": ["x"]}', 1, "column 'logprobs'"),
        ("a.jsonl", '{"prompt": "a", "text": "b", "sample": -1}', 1, "column 'sample' holds -1"),
        ("a.csv", "prompt,logprobs\na,[\n", 2, "column 'logprobs' holds '['"),
        ("a.csv", 'prompt,text\n"a\nb",c\nd,e,f\n', 4, "3 cells, expected 2"),
        ("a.csv", 'prompt,text\na,"b\n', 2, "not CSV"),
        ("a.csv", "prompt,text\na,b\n,c\n", 3, "the column prompt is empty"),
        ("a.parquet", "PAR1", None, "not a Parquet file"),
        ("a.txt", "x", None, "ending in .jsonl, .ndjson, .csv, .tsv, .parquet"),
        (
            "a.jsonl",
            '{"prompt": "a", "text": "b", "sample": 0}\n{"prompt": "a", "text": "c"}',
            2,
            "a second, different answer to 'a': keep one, or number them",
        ),
        ("a.jsonl", '{"item": "a", "text": "b"}\n{"item": "a", "text": "c"}', 2, "keep one"),
    ],
)
def test_mistakes_are_told_with_their_line(
    tmp_path: Path, name: str, content: str | bytes, line: int | None, says: str
) -> None:
    path = record(tmp_path, content, name)
    with pytest.raises(InputError) as raised:
        replay(path)
    assert says in str(raised.value)
    assert raised.value.line == line
    assert raised.value.file == path


def test_a_parquet_file_without_any_known_column(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"x": [1], "y": [2]}).write_parquet(path)
    with pytest.raises(InputError, match="found the columns x, y; expected item"):
        replay(path)


@pytest.mark.parametrize(
    ("argument", "says"),
    [("", "names no file"), ("no.csv", "no such file"), (".", "run has no answers yet")],
)
def test_nothing_to_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=says):
        Replay(parse_model_spec(f"replay:{argument}"))
