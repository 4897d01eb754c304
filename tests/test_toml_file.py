from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from slant.errors import InputError
from slant.toml_file import TomlFile, packaged_names, read_packaged, read_toml

DOCUMENT = '''\
# a comment with [brackets] and "quotes"
title = "one"
nothing = ["""
[not.a.table]
fake = 1""", "x # y", 'it''s' ]
"quoted key" = { inner = 1, "two words" = [1,
  2, {deep = true}] }

[a.b]  # header
key = 1979-05-27 07:32:00
c.d = """one \\""" two"""

[[study]]
kind = "first"
[study.options]
limit = 3
[[study]]
kind = "second"
values = [
  "x",   # comment, with ] bracket
  "y",
]
[[study.part]]
n = 1
[[study.part]]
n = 2
'''.replace("'it''s'", "'its'")


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "mine.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def parsed(text: str) -> TomlFile:
    import tomllib

    return TomlFile("mine.toml", text, tomllib.loads(text))


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("title",), 2),
        (("nothing",), 3),
        (("nothing", 0), 3),
        (("nothing", 1), 5),
        (("quoted key",), 6),
        (("quoted key", "inner"), 6),
        (("quoted key", "two words", 1), 7),
        (("quoted key", "two words", 2, "deep"), 7),
        (("a",), 9),
        (("a", "b"), 9),
        (("a", "b", "key"), 10),
        (("a", "b", "c", "d"), 11),
        (("study",), 13),
        (("study", 0, "kind"), 14),
        (("study", 0, "options", "limit"), 16),
        (("study", 1), 17),
        (("study", 1, "values", 1), 21),
        (("study", 1, "part", 0, "n"), 24),
        (("study", 1, "part", 1, "n"), 26),
        (("study", 1, "missing"), 17),
        (("fake",), None),
        ((), None),
    ],
)
def test_keys_are_found_on_their_lines(keys: tuple[str | int, ...], line: int | None) -> None:
    assert parsed(DOCUMENT).line_of(*keys) == line


def test_carriage_returns_do_not_shift_lines(tmp_path: Path) -> None:
    file = read_toml(write(tmp_path, DOCUMENT.replace("\n", "\r\n")))
    assert file.line_of("study", 1, "part", 1, "n") == 26


LEAVES = st.one_of(st.text(), st.integers(-(2**60), 2**60), st.booleans())
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


def paths_in(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    pairs = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    return [each for key, value in pairs for each in [(*path, key), *paths_in(value, (*path, key))]]


@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_every_key_of_any_document_is_found(data: dict[str, Any]) -> None:
    text = tomli_w.dumps(data)
    file = parsed(text)
    assert file.data == data
    for path in paths_in(data):
        assert path in file._lines, (path, text)
        assert 1 <= file._lines[path] <= text.count("\n") + 1


def test_an_empty_file_is_an_empty_table(tmp_path: Path) -> None:
    assert read_toml(write(tmp_path, "")).data == {}


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    assert read_toml(str(write(tmp_path, b"\xef\xbb\xbfa = 1\n"))).data == {"a": 1}


@pytest.mark.parametrize(
    ("content", "place", "said"),
    [
        (b"a = 1\nb = '\xe9'\n", ":2: ", "byte 0xe9 is not UTF-8: save the file"),
        (b"a = 1\na = 2\n", ":2: ", "this is not TOML: cannot overwrite a value"),
        (b"a = 1\nb = \n", ":2: ", "this is not TOML: invalid value"),
        (b"a = 1\nb = [1,\n2\n\n", ":3: ", "this is not TOML: "),
        (b"a = " + b"9" * 5000, ": ", "this is not TOML: "),
        (b"a = " + b"[" * 3000 + b"]" * 3000, ": ", "nested too deeply"),
        (b"a\x00 = 1", ":1: ", "this is not TOML: "),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(
    tmp_path: Path, content: bytes, place: str, said: str
) -> None:
    path = write(tmp_path, content)
    with pytest.raises(InputError) as error:
        read_toml(path)
    assert str(error.value).startswith(f"{path}{place}")
    assert said in str(error.value)


def test_files_that_cannot_be_opened_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.toml: there is no such file"):
        read_toml(tmp_path / "gone.toml")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_toml(tmp_path)


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    n: int = 1


class Cat(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["dog"]
    tricks: list[str] = []


class Whole(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    limit: int = Field(default=1, ge=1)
    parts: tuple[Part, ...] = Field(default=(), alias="part")
    pets: dict[str, Cat | Dog] = {}

    @field_validator("name")
    @classmethod
    def _lower(cls, name: str) -> str:
        if name != name.lower():
            raise ValueError("write the name in small letters")
        return name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mine.toml: name: missing: this key is required"),
        (
            'name = "a"\nlimt = 3',
            "mine.toml:2: limt: unknown key: did you mean 'limit'? Known: limit, name, part, pets",
        ),
        (
            'name = "a"\nlimit = 0',
            "mine.toml:2: limit: it should be greater than or equal to 1; found 0",
        ),
        ('name = "A"', "mine.toml:1: name: write the name in small letters"),
        (
            'name = "a"\n[[part]]\nn = 2\n[[part]]\nm = 2',
            "mine.toml:5: part[1].m: unknown key: Known: n",
        ),
        (
            'name = "a"\n[pets.tom]\nkind = "cat"\ntrick = []',
            "mine.toml:4: pets.tom.trick: unknown key: did you mean 'tricks'?",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_line_and_key(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parsed(text).validate(Whole)
    assert message in str(error.value)


def test_all_faults_are_told_in_the_order_of_the_file() -> None:
    text = 'limit = "many"\nname = 3\nlong = "' + "x" * 100 + '"'
    with pytest.raises(InputError) as error:
        parsed(text).validate(Whole)
    first, second, third = str(error.value).splitlines()
    assert first.startswith("mine.toml:1: limit: it should be a valid integer")
    assert second.startswith("mine.toml:2: name: it should be a valid string; found 3")
    assert third.startswith("mine.toml:3: long: unknown key")
    assert error.value.line == 1


def test_a_part_is_validated_in_place() -> None:
    file = parsed('[[study]]\nkind = "x"\nn = 5\n[[study]]\nkind = "y"\nn = "five"')
    assert file.validate(Part, at=("study", 0), without=("kind",)).n == 5
    with pytest.raises(InputError, match=r"mine\.toml:6: study\[1\]\.n: .*found 'five'"):
        file.validate(Part, at=("study", 1), without=("kind",))


def test_packaged_files_are_read_by_name() -> None:
    assert "religion" in packaged_names("groups")
    file = read_packaged("groups", "religion.toml")
    assert file.name == "slant/data/groups/religion.toml"
    assert file.data["name"] == "religion"
