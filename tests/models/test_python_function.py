"""A function in place of a model: what it is given, and everything that can be wrong with it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from slant.errors import InputError
from slant.models.open import open_model
from slant.models.python_function import PythonFunction
from slant.records import Answer, Choose, Generate, Item, Likelihood, Message, Picture, Request
from slant.registry import allow

APP = """
import asyncio, threading

stay = threading.Event()
loops = set()

def echo(messages):
    return " | ".join(f"{m['role']}: {m['content']}" for m in messages)

async def later(messages):
    await asyncio.sleep(0)
    loops.add(id(asyncio.get_running_loop()))
    return messages[-1]["content"].upper()

def nothing(messages):
    pass

def number(messages):
    return 42

def blank(messages):
    return "  "

def half(messages):
    return "half \\ud800"

def raises(messages):
    raise KeyError("no such customer")

def leaves(messages):
    raise SystemExit(3)

async def raises_later(messages):
    raise ValueError("later")

def hangs(messages):
    stay.wait()

async def hangs_later(messages):
    await asyncio.Event().wait()

def takes_nothing():
    return "?"

class Assistant:
    async def __call__(self, messages):
        return "called"

assistant = Assistant()
name = "no function"
"""
ASKED = Generate((Message("system", "Be brief."), Message("user", "Who?")))


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Put a module of functions where Python finds it; a name of its own for every test."""
    name = f"my_app_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(APP)
    monkeypatch.syspath_prepend(tmp_path)
    return name


def opened(app: str, function: str, options: str = "") -> PythonFunction:
    allow([f"python:{app}:{function}"])
    model = open_model(f"python:{app}:{function}{options}")
    assert isinstance(model, PythonFunction)
    return model


def said(app: str, function: str, options: str = "", *, request: Request = ASKED) -> Answer:
    async def asked() -> Answer:
        model = opened(app, function, options)
        try:
            (answer,) = await model.answer([Item("s", request)], 0)
        finally:
            await model.close()
        return answer

    return asyncio.run(asked())


def test_it_is_given_messages_and_returns_text(app: str) -> None:
    assert said(app, "echo") == Answer("answered", "system: Be brief. | user: Who?")
    assert said(app, "echo", request=Choose("Yes or No?", ("Yes", "No"))).text == "user: Yes or No?"


def test_async_functions_and_callable_objects_share_one_loop(app: str) -> None:
    assert said(app, "assistant").text == "called"

    async def twice() -> None:
        model = opened(app, "later", "?concurrency=2")
        items = [Item("s", ASKED, sample) for sample in range(2)]
        answers = [await model.answer([item], 0) for item in items]
        await model.close()
        assert [answer.text for (answer,) in answers] == ["WHO?", "WHO?"]

    asyncio.run(twice())
    assert len(sys.modules[app].loops) == 1


@pytest.mark.parametrize(
    ("function", "outcome", "reason"),
    [
        ("nothing", "error", "the function returned nothing: it should return text"),
        ("number", "error", "the function returned int: it should return text (str)"),
        ("blank", "unparseable", "the function returned an empty text"),
        ("raises", "error", "the function raised KeyError: 'no such customer'"),
        ("raises_later", "error", "the function raised ValueError: later"),
        ("leaves", "error", "the function raised SystemExit: 3"),
    ],
)
def test_what_is_no_answer(app: str, function: str, outcome: str, reason: str) -> None:
    answer = said(app, function)
    assert (answer.outcome, answer.reason) == (outcome, reason)


def test_half_characters_are_mended_and_wrong_arguments_told(app: str) -> None:
    assert said(app, "half").text == "half \ufffd"
    assert "takes 0 positional arguments" in (said(app, "takes_nothing").reason or "")


@pytest.mark.parametrize("function", ["hangs", "hangs_later"])
def test_what_hangs_is_left_behind(app: str, function: str) -> None:
    answer = said(app, function, "?timeout=0.05")
    assert answer.outcome == "error"
    assert answer.reason == "the function did not return within 0.05 s"
    sys.modules[app].stay.set()


def test_calls_that_never_came_back_are_counted(app: str) -> None:
    async def asked() -> list[str]:
        model = opened(app, "hangs_later", "?timeout=0.02")
        await model.answer([Item("s", ASKED)], 0)
        await model.close()
        return model.remarks()

    assert any(remark.startswith("1 calls of") for remark in asyncio.run(asked()))


def test_pictures_and_likelihoods_are_not_for_functions(app: str) -> None:
    shown = Generate((Message("user", "Who?", Picture("0" * 64, "image/png")),))
    assert "no pictures" in (said(app, "echo", request=shown).reason or "")
    assert "no likelihood" in (said(app, "echo", request=Likelihood("x")).reason or "")


def test_its_fingerprint_is_the_file_it_is_written_in(app: str, tmp_path: Path) -> None:
    before = opened(app, "echo").fingerprint()
    assert before["model"] == f"{app}.echo"
    file = tmp_path / f"{app}.py"
    file.write_text(file.read_text() + "\n# changed\n")
    assert opened(app, "echo").fingerprint() != before


@pytest.mark.parametrize(
    ("spelling", "says"),
    [
        ("python:", "names no function: write python:MODULE:FUNCTION"),
        ("python:{app}", "names no function"),
        ("python:{app}:ecko", "cannot be loaded"),
        ("python:{app}:name", "is no function"),
        ("python:no_such_module:f", "is its folder in PYTHONPATH"),
        ("python:{app}:echo?timeout=0", "timeout='0' is not a number from 0.001"),
        ("python:{app}:echo?concurrency=many", "is not a whole number from 1 to 1000"),
        ("python:{app}:echo?temperature=1", "temperature"),
    ],
)
def test_what_cannot_be_asked(app: str, spelling: str, says: str) -> None:
    text = spelling.format(app=app)
    allow([text.partition("?")[0]])
    with pytest.raises(InputError, match=says):
        open_model(text)


def test_what_nobody_named_is_not_imported(app: str, tmp_path: Path) -> None:
    (tmp_path / f"{app}_evil.py").write_text("raise AssertionError('imported')")
    with pytest.raises(InputError, match=f"slant --plugin python:{app}_evil:f"):
        open_model(f"python:{app}_evil:f")
