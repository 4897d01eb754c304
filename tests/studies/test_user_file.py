"""Model outputs that users bring: values as they stand, faults with file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from slant.errors import InputError
from slant.studies.user_file import read_user_table

OPTIONAL: dict[str, pl.DataType] = {"model": pl.String(), "sample": pl.Int64()}


def read(source: Any) -> pl.DataFrame:
    return read_user_table(source, ["group"], ["text"], OPTIONAL)


ROWS: list[dict[str, Any]] = [
    {"group": "a", "text": "5.10", "sample": 3, "other": 1},
    {"group": "nan", "text": "None"},
    {"group": "c, d", "text": 'two\nlines "quoted" ☕'},
    {"group": "e", "text": None},
]
EXPECTED = {
    "group": ["a", "nan", "c, d", "e"],
    "text": ["5.10", "None", 'two\nlines "quoted" ☕', None],
    "model": [None] * 4,
    "sample": [3, None, None, None],
}


@pytest.mark.parametrize("kind", ["jsonl", "ndjson", "csv", "tsv", "parquet", "polars", "pandas"])
def test_every_kind_of_table_reads_the_same(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"table.{kind}"
    frame = pl.DataFrame(ROWS, infer_schema_length=None)
    if kind in ("jsonl", "ndjson"):
        file.write_text("\n\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    elif kind in ("csv", "tsv"):
        frame.write_csv(file, separator="," if kind == "csv" else "\t")
    elif kind == "parquet":
        frame.write_parquet(file)
    source = {"polars": frame, "pandas": pd.DataFrame(ROWS)}.get(kind, file)
    if kind == "pandas":
        source = pd.DataFrame(frame.to_dicts()).astype({"sample": "Int64"})
    table = read(source)
    assert table.to_dict(as_series=False) == EXPECTED
    assert table.schema == {
        "group": pl.String, "text": pl.String, "model": pl.String, "sample": pl.Int64,
    }  # fmt: skip


def test_the_mark_that_some_programs_put_first_is_passed_over(tmp_path: Path) -> None:
    for name, text in (("a.csv", "group,text\nx,y\n"), ("a.jsonl", '{"group":"x","text":"y"}')):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        assert read(tmp_path / name)["group"].to_list() == ["x"]


def test_half_characters_and_numbers_become_text(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"group": 1, "text": "x\\ud800y", "\\ud800": 0}\n')
    table = read(file)
    assert table["group"].to_list() == ["1"]
    assert table["text"].to_list() == ["x\ufffdy"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"group,text\nx,y\n ,z\n", r"a\.csv:3: 'group'"),
        ("a.jsonl", b'{"group":"x","text":"y"}\n\n{"text":"z"}\n', r"a\.jsonl:3: 'group'"),
        ("a.csv", b"group,text,sample\nx,y,1\nx,y,one\n", r"a\.csv:3: 'sample' \('one'\)"),
        ("a.csv", b"text\ny\n", "no column 'group'.*found text"),
        ("a.csv", b"group,text\n", "no records"),
        ("a.jsonl", b"\n\n", "no records"),
        ("a.jsonl", b'"text"\n', r"a\.jsonl:1: "),
        ("a.jsonl", b'{"group":"x","text":"y"}\n{"group":"x",\n', r"a\.jsonl:2: "),
        ("a.csv", b"group,text\nx,caf\xe9\n", r"a\.csv:2: byte 0xe9 is not UTF-8"),
        ("a.txt", b"group,text\n", r"\.jsonl"),
        ("a.parquet", b"nonsense", "Parquet"),
    ],
)
def test_faults_are_told_with_their_place(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said) as told:
        read(tmp_path / name)
    assert str(told.value).startswith(str(tmp_path / name))


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="a dict is no table"):
        read({"group": ["x"]})
