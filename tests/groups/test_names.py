from __future__ import annotations

import csv
import os
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from slant.errors import InputError
from slant.groups.names import Name, load_names

ETHNICITIES = [
    *("African", "Arab", "Baltic", "Chinese", "Dutch", "English", "French", "German", "Greek"),
    *("Hispanic", "Hungarian", "Indian", "Israeli", "Italian", "Japanese", "Korean", "Nordic"),
    *("Slav", "Thai", "Turkish"),
]
SMALL = (
    "name,gender,ethnicity\nKazuyo,Female,Japanese\nKeiko,Female,Japanese\n"
    "Juan,Male,Hispanic\nPedro,Male,Hispanic\n"
)


def write(folder: Path, text: str, name: str = "mine.csv") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_the_packaged_list_has_twelve_names_for_each_of_forty_groups() -> None:
    table = load_names("global")
    assert Counter(each.group for each in table.names) == {
        f"{ethnicity} {gender}": 12 for ethnicity in ETHNICITIES for gender in ("Female", "Male")
    }
    assert table.notes == ()
    assert "Faker" in table.source


def test_packaged_names_are_words_of_their_own() -> None:
    names = [each.name for each in load_names("global").names]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(name.isalpha() and name.istitle() and 2 <= len(name) <= 13 for name in names)


def test_the_packaged_list_says_of_every_name_where_it_is_from() -> None:
    text = files("slant.data").joinpath("names", "global.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        assert row["source"].startswith("faker ")
        assert bool(row["original"]) == bool(row["transliteration"])
        assert not row["original"].isascii() or not row["original"]
        agreed = float(row["agreement"]) > 0.5
        assert row["filled"] in ("true", "false")
        assert agreed or row["filled"] == "true"


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    table = load_names(str(write(tmp_path, SMALL)))
    assert table.names[0] == Name("Kazuyo", "Female", "Japanese")
    assert table.names[0].group == "Japanese Female"
    assert table.source == "mine.csv"
    assert table.notes == ()


@pytest.mark.parametrize(
    "head", ["NAME,Gender,ETHNICITY", "First Name,Genni,Ethnea", "firstname,Gender,Ethnicity"]
)
def test_columns_by_the_names_that_others_gave_them(tmp_path: Path, head: str) -> None:
    rows = "Wafa,F,ARAB\nMehri,female,Arab\nYusof,m,ARAB\nHesam,Male,Arab\nKim,X,Thai\nLee,X,Thai\n"
    table = load_names(write(tmp_path, f"{head}\n{rows}"))
    assert [each.group for each in table.names] == [
        *("Arab Female", "Arab Female", "Arab Male", "Arab Male", "Thai X", "Thai X")
    ]


def test_a_name_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    table = load_names(write(tmp_path, SMALL + "Keiko,F,Japanese\n"))
    assert len(table.names) == 4
    assert table.notes == ("1 name more than once in a group, counted once: Keiko",)


def test_a_name_of_two_groups_is_left_out_of_both(tmp_path: Path) -> None:
    file = write(tmp_path, SMALL + "Sasha,Female,Japanese\nSasha,Male,Hispanic\n")
    table = load_names(file)
    assert "Sasha" not in {each.name for each in table.names}
    assert table.notes == ("1 name in several groups, left out of each: Sasha",)
    kept = load_names(file, keep_duplicates=True)
    assert [each.group for each in kept.names if each.name == "Sasha"] == [
        "Japanese Female",
        "Hispanic Male",
    ]
    assert kept.notes == ("1 name in several groups, kept in each: Sasha",)


def test_a_group_of_one_is_left_out_and_noted(tmp_path: Path) -> None:
    table = load_names(write(tmp_path, SMALL + "Ayşe,Female,Turkish\n"))
    assert "Turkish Female" not in {each.group for each in table.names}
    assert table.notes == ("a single name each, left out: Turkish Female",)


def test_many_names_are_counted_and_some_of_them_named(tmp_path: Path) -> None:
    both = "".join(f"N{i},F,A\nN{i},M,B\n" for i in range(12))
    (note,) = load_names(write(tmp_path, SMALL + both)).notes
    assert note.startswith("12 names in several groups, left out of each: N0, N1")
    assert note.endswith("N9 …")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name,gender\nKazuyo,F\n", r"mine\.csv:1: there is no column 'ethnicity': found name"),
        ("name,gender,ethnicity\nKazuyo,F,\n", r"mine\.csv:2: the ethnicity is empty"),
        ("name,gender,ethnicity\nKeiko,F,X\n ,F,X\n", r"mine\.csv:3: the name is empty"),
        ("name,gender,ethnicity\n", "there are no names: expected rows with name, gender"),
        ("", "there are no names"),
        ("name,gender,ethnicity\nA,F,X\nB,F,X\n", "fewer than two groups .*: add names"),
        (
            "name,gender,ethnicity\nAl,F,X\nAl,M,X\nBo,F,X\nBo,M,X\n",
            r"fewer than two groups .*2 names in several groups, left out of each: Al, Bo",
        ),
    ],
)
def test_tables_that_cannot_be_used(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        load_names(write(tmp_path, text))


def test_a_list_that_slant_does_not_know() -> None:
    with pytest.raises(InputError, match=r"unknown list of names 'globl': did you mean 'global'"):
        load_names("globl")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_names(tmp_path / "absent.csv")


PUBLISHED = os.environ.get("SLANT_PUBLISHED_DATA")


@pytest.mark.skipif(not PUBLISHED, reason="needs the published data")
def test_the_published_table_loads_as_it_is() -> None:
    table = load_names(Path(PUBLISHED or "") / "globalbias" / "3_name_groups.csv")
    assert len(table.names) == 399
    assert {each.group for each in table.names} == {
        each.group for each in load_names("global").names
    }
    assert table.notes == ("1 name more than once in a group, counted once: Wafa",)


def test_the_documents_examples_hold(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "names.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(example, "names.md", "exec"), {})  # noqa: S102 - our own document
    (own,) = re.findall(r"```csv\n(.*?)```", text, re.DOTALL)
    assert len(load_names(write(tmp_path, own)).names) == 4
