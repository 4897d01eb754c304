"""Input that once took minutes or gigabytes, or was called a defect of slant: one message each."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import polars as pl
import pytest

from command_line import SLANT, Done, slant, written
from slant import limits

SUITE = 'name = "s"\n[[study]]\nuse = "completion"\n'
LEXICON = 'name = "joy"\ntitle = "Joy"\n[[entry]]\nforms = ["happy"]\n'


def refused(done: Done, *said: str) -> None:
    assert done.code == 2, done
    assert "Traceback" not in done.err
    assert "defect" not in done.err
    for part in said:
        assert part in done.err, done.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\n" * 200_000, "larger than"),
        ("a" + ".a" * 100_000 + " = 1\n", "more than ten parts"),
        (SUITE * 1 + '[[study]]\nuse = "completion"\n' * 3_000, "more than the 100"),
        (SUITE + "samples = 100000000000000000000000000\n", "a.toml:4: study[0].samples"),
        (SUITE + "samples = true\n", "a.toml:4: study[0].samples: it should be a number"),
        (SUITE + "temperature = inf\n", "a.toml:4: study[0].temperature"),
        (SUITE + 'axis = "relegion"\n', "a.toml:4: unknown axis 'relegion'"),
        ('name = "s"\n[[study]]\nuse = "builtins:dict"\n', "a.toml:3: 'builtins:dict' is no study"),
        ('name = "s"\n[[study]]\nuse = "os:path"\n', "'os:path' is no study"),
        (SUITE + 'axis = "a\\u0000.toml"\n', "NUL"),
        (LEXICON + 'unless = ["a{99999999999999}"]\n', "a.toml:5:"),
        (LEXICON + 'unless = ["((a{1000}){1000}){1000}"]\n', "a.toml:5:"),
        (LEXICON + 'unless = ["(?<=a)b"]\n', "of look-around, only (?!…) can"),
        (
            LEXICON
            + "[fragments]\n"
            + 'a = "xxxxxxxxxx"\n'
            + "".join(
                f'{b} = "{{{a}}}{{{a}}}"\n'
                for a, b in zip("abcdefghijklmno", "bcdefghijklmnop", strict=True)
            )
            + '[[entry]]\nforms = ["sad"]\nunless = ["{p}"]\n',
            "longer than 20,000",
        ),
        (LEXICON.replace("happy", "(a|b)" * 40), "spellings"),
        (LEXICON.replace("happy", "a ... a ... a ... a ... a"), "more than 3 gaps"),
        (LEXICON + "near = ['sad']\nwithin = 100000000000000000000000000\n", "within"),
        (
            'name = "many"\n' + "".join(f'[[group]]\nname = "g{n}"\n' for n in range(2_000)),
            "a.toml:1002: the axis has 2,000 groups",
        ),
    ],
    ids=lambda value: value[:30] if len(value) < 200 else "long",
)
def test_a_file_that_asks_too_much(tmp_path: Path, text: str, said: str) -> None:
    refused(slant("validate", written(tmp_path / "a.toml", text)), said)


def test_a_measured_table_with_too_many_groups(tmp_path: Path) -> None:
    rows = [f'{{"group": "g{number % 501}", "text": "They sang."}}' for number in range(2_000)]
    file = written(tmp_path / "many.jsonl", "\n".join(rows))
    done = slant("measure", "completion", file, "--out", tmp_path / "run")
    refused(done, "many.jsonl: the table has 501 groups, more than the 500", "'g500'")
    assert not (tmp_path / "run").exists()


def test_a_table_whose_cells_are_too_many(tmp_path: Path) -> None:
    rows = [f"g{number % 500},They sang.,{number}" for number in range(40_001)]
    file = written(tmp_path / "many.csv", "\n".join(["group,text,prompt", *rows]))
    done = slant("measure", "completion", file, "--out", tmp_path / "run")
    refused(done, "many.csv: the table has 500 groups and 40,001 prompts", "20,000,000 pairs")
    rows = [f"g{number % 2},n{number},d{number},3.5" for number in range(5_000)]
    file = written(tmp_path / "thin.csv", "\n".join(["group,name,descriptor,perplexity", *rows]))
    done = slant("measure", "likelihood", file, "--out", tmp_path / "run")
    refused(done, "thin.csv: the records make a matrix of 5,000 names, 5,000 descriptors")
    assert not (tmp_path / "run").exists()


def test_a_chain_of_axes(tmp_path: Path) -> None:
    for number in range(2_000):
        written(tmp_path / f"{number}.toml", f'extends = "{number + 1}.toml"\n')
    refused(slant("validate", tmp_path / "0.toml"), "10.toml:1: more than 10 axes extend")


def test_many_unknown_keys_are_told_once(tmp_path: Path) -> None:
    keys = "".join(f"key{number} = 1\n" for number in range(20_000))
    done = slant("validate", written(tmp_path / "a.toml", SUITE + keys))
    refused(done, "unknown key", "more")
    assert len(done.err.splitlines()) < 50


def test_a_template_with_too_many_examples(tmp_path: Path) -> None:
    fillers = ", ".join(f'{{ name = "n{number}" }}' for number in range(100))
    slots = ", ".join(f'{slot} = "d"' for slot in "abcde")
    text = (
        f'name = "t"\n[domains.d]\nfillers = [{fillers}]\n[[template]]\nid = "x"\n'
        f'text = "{{a}} {{b}} {{c}} {{d}} {{e}}."\nslots = {{ {slots} }}\nabout = "a"\n'
        'label = "No"\n'
    )
    file = written(tmp_path / "t.toml", text)
    refused(slant("export", file, "--limit", "5"), "t.toml:7:", "10,000,000,000 ways")
    refused(slant("validate", file), "10,000,000,000 ways")


def test_an_exported_formula_is_text(tmp_path: Path) -> None:
    text = (
        'name = "t"\n[domains.d]\nfillers = [{ name = "=cmd|\' /C calc\'!A0" }, { name = "b" }]\n'
        '[[template]]\nid = "x"\ntext = "{a} sing."\nslots = { a = "d" }\nlabel = "No"\n'
    )
    done = slant("export", written(tmp_path / "t.toml", text))
    assert done.code == 0
    assert "'=cmd" in done.out
    assert not any(cell.startswith("=") for cell in done.out.replace("\n", ",").split(","))


@pytest.mark.parametrize("text", ["", "\n", "a,b\n"])
def test_a_templates_file_of_nothing(tmp_path: Path, text: str) -> None:
    refused(slant("validate", written(tmp_path / "t.templates.csv", text)), "expected template_id")


@pytest.mark.parametrize(
    "ending", ["toml", "jsonl", "csv", "tsv", "parquet", "sgm", "templates.csv"]
)
def test_a_pipe_is_not_waited_for(tmp_path: Path, ending: str) -> None:
    pipe = tmp_path / f"pipe.{ending}"
    os.mkfifo(pipe)
    if ending in ("toml", "templates.csv"):
        refused(slant("validate", pipe), "a pipe or a device")
    elif ending == "sgm":
        suite = f'name = "s"\n[[study]]\nuse = "news"\ncorpus = "{pipe}"\n'
        refused(slant("validate", written(tmp_path / "s.toml", suite)), "a pipe or a device")
    else:
        refused(slant("measure", "completion", pipe), "a pipe or a device")


def test_an_endless_device_is_not_read() -> None:
    refused(slant("validate", "/dev/zero"), "a pipe or a device")


def test_names_that_lead_nowhere(tmp_path: Path) -> None:
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    refused(slant("validate", loop), "Too many levels of symbolic links")
    refused(slant("audit", loop), "Too many levels of symbolic links")
    refused(slant("validate", "a\0.toml"))
    refused(slant("measure", "completion", "a\0.csv"))


def test_seeds_that_no_journal_can_hold() -> None:
    for seed in (2**63, 2**64, 10**26):
        refused(slant("audit", "--seed", str(seed)), "--seed")


def test_a_message_holds_no_control_of_the_terminal(tmp_path: Path) -> None:
    for done in (
        slant("validate", tmp_path / "x\x1b[31m.toml"),
        slant("audit", "--\x1b[31m"),
        slant("validate", written(tmp_path / "a.toml", SUITE + '"\\u001b[2J" = 1\n')),
        slant("ls", "\x1b[31m"),
    ):
        refused(done)
        assert "\x1b" not in done.err


def test_a_column_that_is_there_twice(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "group,text,text\na,b,c\n")
    refused(slant("measure", "completion", table), "t.csv:1: the column 'text' is there twice")
    table = written(tmp_path / "t.jsonl", '{"group": "a", "text": "b", "text": "c"}\n')
    refused(slant("measure", "completion", table), "t.jsonl:1:", "'text' is there twice")


def test_a_parquet_file_that_unpacks_to_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "t.parquet"
    pl.DataFrame({"group": ["a"], "text": ["x" * 3_000_000]}).write_parquet(table)
    assert table.stat().st_size < 10_000
    monkeypatch.setattr(limits, "PARQUET_BYTES", 2_000_000)
    refused(slant("measure", "completion", table), "when it is unpacked")


@pytest.mark.slow  # to pack it takes a while
def test_a_parquet_file_of_kilobytes_that_holds_gigabytes(tmp_path: Path) -> None:
    file = tmp_path / "bomb.parquet"
    text = pl.Series(["They sang. " * 1_300_000]).new_from_index(0, 300)  # 4.3 GB
    table = pl.DataFrame({"group": ["a", "b"] * 150, "text": text})
    table.write_parquet(file, compression="zstd", row_group_size=10)
    assert file.stat().st_size < 1_000_000
    call: list[str | Path] = [SLANT, "measure", "completion", file, "--out", tmp_path / "run"]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 2, said
    assert "bomb.parquet: the texts take more than the 4,000,000,000 bytes" in said
    assert used.ru_maxrss < 1_500_000  # kilobytes


def test_a_parquet_file_with_one_text_in_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "t.parquet"
    pl.DataFrame({"group": ["a"] * 2_000, "text": ["x" * 10_000] * 2_000}).write_parquet(table)
    monkeypatch.setattr(limits, "PARQUET_BYTES", 2_000_000)
    refused(slant("measure", "completion", table), "split")


def test_a_table_of_too_many_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TABLE_ROWS", 5)
    frame = pl.DataFrame({"group": ["a"] * 6, "text": ["b"] * 6})
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_csv(tmp_path / "t.csv")
    for ending in ("parquet", "csv"):
        refused(slant("measure", "completion", tmp_path / f"t.{ending}"), "more than 5 rows")


def test_a_long_cell_is_read_back(tmp_path: Path) -> None:
    rows = [f'{group},"{"bomb " * 40_000}"' for group in ("a", "b") for _ in range(5)]
    table = written(tmp_path / "t.csv", "\n".join(["group,text", *rows]) + "\n")
    from slant.table_file import read_rows

    assert [len(row["text"]) for _, row in read_rows(table)] == [200_000] * 10
