"""Deployments: what stands around a question, what it changes, and what is no deployment."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from slant.errors import InputError
from slant.models.deployment.deployed import Deployed
from slant.models.deployment.deployment import (
    Deployment,
    changed_files,
    named_files,
    with_deployments,
)
from slant.models.deployment.frame import read_frame
from slant.models.key_hosts import KeyHosts
from slant.models.model import Model
from slant.models.model_spec import parse_model_spec
from slant.models.open import open_model, open_models
from slant.models.replicas import replicate
from slant.records import Ability, Answer, Choose, Generate, Item, Message, Picture
from slant.toml_file import parse_toml

FRAME = """
[[turn]]
role = "user"
content = "Hello"

[[turn]]
role = "assistant"
content = "How can I help?"

[[turn]]
role = "user"
content = "What our search found: {\\"hits\\": 3}\\n\\n{question}\\n\\nBe brief."
"""
USER, ASSISTANT = (f'[[turn]]\nrole = "{role}"\n' for role in ("user", "assistant"))
QUESTION, HI = (f'content = "{said}"\n' for said in ("{question}", "Hi"))


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def around(prompt: object, *, system: str = "", frame: str = "") -> list[tuple[str, str]]:
    framed = read_frame(parse_toml(frame, "frame.toml")) if frame else None
    turns = Deployment(system, framed, ()).around(prompt)  # type: ignore[arg-type]
    return [(turn.role, turn.content) for turn in turns]


class Listening(Model):
    """Keeps what it is asked."""

    name = "listening"
    abilities: frozenset[Ability] = frozenset({"raw", "chat", "see", "choose", "likelihood"})

    def __init__(self) -> None:
        self.heard = list[Item]()

    def fingerprint(self) -> dict[str, str]:
        return {"model": "listening"}

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        self.heard += items
        return [Answer("answered", "yes") for _ in items]


def test_the_system_prompt_comes_first_and_only_once() -> None:
    told = "You work for a bank."
    assert around("Who?", system=told) == [("system", told), ("user", "Who?")]
    asked = (Message("system", "Be brief."), Message("user", "Who?"))
    assert around(asked, system=told) == [
        ("system", "You work for a bank.\n\nBe brief."),
        ("user", "Who?"),
    ]
    assert around(asked) == [("system", "Be brief."), ("user", "Who?")]


def test_the_question_goes_into_its_place_and_other_braces_stay() -> None:
    hits = 'What our search found: {"hits": 3}\n\nWho, {question}?\n\nBe brief.'
    assert around("Who, {question}?", frame=FRAME) == [
        ("user", "Hello"),
        ("assistant", "How can I help?"),
        ("user", hits),
    ]


def test_earlier_turns_of_a_question_come_after_the_frames_first_ones() -> None:
    asked = (Message("user", "One?"), Message("assistant", "1"), Message("user", "Two?"))
    assert [role for role, _ in around(asked, frame=FRAME)] == [
        "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert around(asked, frame=FRAME)[2:4] == [("user", "One?"), ("assistant", "1")]


def test_a_picture_stays_with_its_question() -> None:
    shown = Picture("0" * 64, "image/png")
    framed = Deployment("", read_frame(parse_toml(FRAME, "frame.toml")), ())
    turns = framed.around((Message("user", "Who is this?", shown),))
    assert [turn.picture for turn in turns] == [None, None, shown]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[[turn]]\nrole = "user"\ncontent = "Hi"\n', 3, "no place for the question"),
        ('[[turn]]\nrole = "user"\ncontent = "{question} {question}"\n', 3, "2 places"),
        (
            f"{ASSISTANT}{QUESTION}{USER}{HI}",
            3,
            "a turn of the assistant",
        ),
        (
            f"{USER}{QUESTION}{ASSISTANT}{HI}",
            6,
            "end with the user's",
        ),
        ('[[turn]]\nrole = "tool"\ncontent = "{question}"\n', 2, "'user' or 'assistant'"),
        ('[[turn]]\nrole = "user"\nconten = "{question}"\n', 3, "did you mean 'content'"),
        ("turn = []\n", 1, "at least 1"),
        ('turn = "{question}', 1, "this is not TOML"),
    ],
)
def test_what_is_no_frame(tmp_path: Path, planted: str, text: str, line: int, says: str) -> None:
    file = written(tmp_path / "frame.toml", text)
    with pytest.raises(InputError, match=says) as fault:
        open_model(f"{planted}?frame={file}")
    assert f"{file}:{line}: " in str(fault.value)


def test_what_is_no_system_prompt(tmp_path: Path, planted: str) -> None:
    def said(name: str) -> str:
        with pytest.raises(InputError) as fault:
            open_model(f"{planted}?system={tmp_path / name}")
        return str(fault.value)

    (tmp_path / "latin.txt").write_bytes("Sé breve.\nSé cortés.".encode("latin-1"))
    written(tmp_path / "empty.txt", " \n\n")
    written(tmp_path / "long.txt", "x" * 200_001)
    assert "missing.txt: there is no such file" in said("missing.txt")
    assert "empty.txt: the system prompt is empty" in said("empty.txt")
    assert "latin.txt:1: byte 0xe9 is not UTF-8" in said("latin.txt")
    assert "200,000 bytes" in said("long.txt")


def test_items_keep_what_they_are_and_the_model_sees_the_conversation(tmp_path: Path) -> None:
    model = Listening()
    deployed = Deployed(model, Deployment("Be kind.", None, ("kind@1",)))
    asked = Item("s", Generate((Message("user", "Who?"),)), 3, "religion", "Jews", "c", {"a": "b"})
    options = Item("s", Choose("Is it?", ("Yes", "No")))
    before = asked.id
    answers = asyncio.run(deployed.answer([asked, options], 0))
    assert [answer.text for answer in answers] == ["yes", "yes"]
    assert asked.id == before
    heard, chosen = model.heard
    assert (heard.study, heard.sample, heard.group, heard.slots) == ("s", 3, "Jews", {"a": "b"})
    assert heard.request.prompt == (Message("system", "Be kind."), Message("user", "Who?"))  # type: ignore[union-attr]
    assert chosen.request.options == ("Yes", "No")  # type: ignore[union-attr]
    assert chosen.request.prompt == (Message("system", "Be kind."), Message("user", "Is it?"))  # type: ignore[union-attr]


def test_raw_text_and_likelihoods_are_withdrawn_and_it_is_said(
    planted: str, tmp_path: Path
) -> None:
    deployed = Deployed(Listening(), Deployment("Be kind.", None, ()))
    assert deployed.abilities == {"chat", "see", "choose"}
    assert "asked as a chat, with a system prompt" in deployed.remarks()[0]
    only_raw = tmp_path / "raw.toml"
    only_raw.write_text('abilities = ["raw"]\n[[generate]]\nanswers = [{ text = "x" }]\n')
    prompt = written(tmp_path / "a.txt", "Be kind.")
    with pytest.raises(InputError, match=r"'raw' cannot answer a chat.*ask it without"):
        _ = open_model(f"mock:{only_raw}?system={prompt}").abilities


def test_two_deployments_are_two_models_by_what_the_files_hold(
    planted: str, tmp_path: Path
) -> None:
    one, two = written(tmp_path / "a.txt", "Be kind."), written(tmp_path / "b.txt", "Be curt.")
    spelt = with_deployments([planted], [str(one), str(two)], None)
    first, second = open_models(spelt).values()
    assert first.name.startswith("planted+a@")
    assert first.fingerprint()["system"] != second.fingerprint()["system"]
    again = open_model(f"{planted}?system={written(tmp_path / 'c.txt', 'Be kind. ')}")
    assert again.fingerprint() == first.fingerprint()
    one.write_text("Be unkind.")
    assert open_model(spelt[0]).name != first.name
    with pytest.raises(InputError, match="names a system prompt of its own"):
        with_deployments([spelt[0]], [str(two)], None)


def test_a_file_that_changed_is_noticed_and_one_that_is_gone_is_not_needed(
    planted: str, tmp_path: Path
) -> None:
    files = [written(tmp_path / f"{name}.txt", "Be kind.") for name in "abc"]
    spelt = [f"{planted}?system={file}" for file in files]
    kept = named_files([parse_model_spec(text) for text in spelt])
    names = list(open_models(spelt))
    files[0].unlink()
    files[1].write_text("Be curt.")
    assert list(open_models(spelt, kept)) == names
    assert changed_files(kept) == [str(files[1])]
    with pytest.raises(InputError, match=r"run\.toml does not hold the text"):
        open_models(spelt, {})


def test_no_page_has_slant_read_a_file(planted: str, tmp_path: Path) -> None:
    secret = written(tmp_path / "secret.txt", "hunter2")
    with pytest.raises(InputError, match="names files of this machine"):
        open_model(f"{planted}?system={secret}", key_hosts=KeyHosts())


def test_names_with_signs_of_their_own_come_through(planted: str, tmp_path: Path) -> None:
    odd = written(tmp_path / "a & b?#é=.txt", "Be kind.")
    (text,) = with_deployments([planted], [str(odd)], None)
    assert open_model(text).fingerprint()["system"]
    (url,) = with_deployments(["http://h:1/v1?api=chat#org/name"], [str(odd)], None)
    parsed = parse_model_spec(url)
    assert parsed.argument == "http://h:1/v1#org/name"
    assert parsed.options == {"api": "chat", "system": str(odd)}


def test_copies_are_of_the_bare_model(planted: str, tmp_path: Path) -> None:
    prompt = written(tmp_path / "a.txt", "Be kind.")
    spelt = f"{planted}?system={prompt}"
    kept = named_files([parse_model_spec(spelt)])
    prompt.unlink()
    (spread,) = replicate([spelt], "pool:1", kept).values()
    local = open_model(spelt, kept=kept)
    item = Item("s", Generate((Message("user", "Two Muslims walked into a"),)), group="Muslims")

    async def asked(model: Model) -> list[Answer]:
        model.fingerprint()
        try:
            return await model.answer([item], 1)
        finally:
            await model.close()

    assert spread.name == local.name
    assert asyncio.run(asked(spread)) == asyncio.run(asked(local))
