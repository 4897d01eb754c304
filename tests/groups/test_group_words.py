"""Words by group: counted as whole words, against a plain loop; and files that are refused."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.errors import InputError
from slant.groups.group_words import load_group_words

GENDER = load_group_words("gender")
PIECES = st.sampled_from(
    ["She", "hers", "other", "HIS", "man", "human", " ", ".", "—", "woman's", "\n"]
)


def test_the_papers_words_are_there() -> None:
    assert GENDER.groups == ["female", "male"]
    assert [len(words) for words in GENDER.words.values()] == [20, 20]


@given(st.lists(PIECES).map("".join))
def test_counts_are_those_of_a_plain_loop(text: str) -> None:
    words = re.findall(r"\w+", text.casefold())
    expected = [sum(word in own for word in words) for own in GENDER.words.values()]

    assert GENDER.count(pl.Series([text])).tolist() == [expected]
    assert len(GENDER.spans(text)) == sum(expected)


def test_phrases_of_ones_own_are_words_too(tmp_path: Path) -> None:
    file = tmp_path / "jobs.toml"
    file.write_text('name = "jobs"\n[words]\ncare = ["nurse", "head nurse"]\nair = ["pilot"]\n')
    own = load_group_words(file)

    assert own.count(pl.Series(["A head nurse met a pilot.", "Pilots"])).tolist() == [
        [1, 1],
        [0, 0],
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "x"\n[words]\na = ["b"]\n', "two groups or more"),
        ('name = "x"\n[words]\na = ["b"]\nc = []\n', "group 'c' has no words"),
        (
            'name = "x"\n[words]\na = ["b"]\nc = ["B"]\n',
            ":4: the word 'B' stands for 'a' and for 'c'",
        ),
        ('name = "x"\n[word]\na = ["b"]\n', "did you mean 'words'"),
    ],
)
def test_faulty_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text)
    with pytest.raises(InputError) as fault:
        load_group_words(file)

    assert message in str(fault.value)


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'gender'"):
        load_group_words("gendre")
