"""The journal: every answer once, every text as it came, damage reported and left alone."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import polars as pl
import pytest
from running import question

import slant
from slant.engine.journal import Journal
from slant.engine.tables import export
from slant.errors import InputError
from slant.records import Answer

GOOD, BETTER = Answer("answered", "first"), Answer("answered", "second")
REFUSED, DOWN = Answer("refused", reason="no"), Answer("error", reason="down")
ITEM = question("q", study="s")


def kept(journal: Journal) -> list[Answer]:
    return [answer for _, answer in journal.replies("m", "s", 0, 100)]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.sqlite")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (DOWN, GOOD, GOOD),
        (DOWN, REFUSED, REFUSED),
        (GOOD, BETTER, GOOD),
        (GOOD, DOWN, GOOD),
        (REFUSED, GOOD, REFUSED),
        (DOWN, Answer("error", reason="still down"), Answer("error", reason="still down")),
    ],
)
def test_only_an_error_gives_way(
    journal: Journal, first: Answer, second: Answer, expected: Answer
) -> None:
    for answer in (first, second):
        journal.commit("m", "s", [(0, ITEM)], {ITEM.id: answer})
    assert kept(journal) == [expected]
    journal.close()


def test_errors_count_as_not_answered(journal: Journal) -> None:
    other = question("other", study="s")
    journal.commit("m", "s", [(0, ITEM), (1, other)], {ITEM.id: DOWN, other.id: REFUSED})
    assert journal.answered("m", [ITEM.id, other.id]) == {other.id: "refused"}
    assert journal.answered("another model", [other.id]) == {}
    journal.close()


def test_a_failed_commit_leaves_nothing(journal: Journal) -> None:
    broken = Answer("answered", text=["no text"])  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r"list|encode"):
        journal.commit("m", "s", [(0, ITEM), (1, ITEM)], {"a": GOOD, "b": broken})
    assert kept(journal) == []
    journal.commit("m", "s", [(0, ITEM)], {ITEM.id: GOOD})
    assert kept(journal) == [GOOD]
    journal.close()


TEXTS = {
    "lone surrogate": "a\ud800b\udfff",
    "NUL": "before\0after",
    "long": "é" * 1_000_000,
    "empty": "",
    "emoji": "👩🏽‍🚀 \u2028 \ufeff",
    "quotes": "'; DROP TABLE answers; --\"\r\n\t\\",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_texts_come_back_as_they_were(tmp_path: Path, text: str) -> None:
    path = tmp_path / "journal.sqlite"
    item = question(f"about {text}", study="s", group=f"people {text}")
    answer = Answer("answered", text, (-0.5, -1e-300), 3, 4, "stop", f"reason {text}")
    journal = Journal(path)
    journal.commit("m", "s", [(7, item)], {item.id: answer})
    journal.close()
    journal = Journal(path)
    (reply,) = journal.replies("m", "s", 0, 100)
    assert reply == (item, answer)
    export(journal, tmp_path / "items.parquet", tmp_path / "answers.parquet")
    journal.close()
    row = pl.read_parquet(tmp_path / "answers.parquet").row(0, named=True)
    valid = text.encode("utf-8", "replace").decode()
    assert row["text"] == valid
    assert row["prompt"] == f"about {valid}"
    assert row["reason"] == f"reason {valid}"
    assert row["group"].encode("utf-8")
    assert row["logprobs"] == [-0.5, -1e-300]
    assert (row["position"], row["prompt_tokens"], row["completion_tokens"]) == (7, 3, 4)


@pytest.fixture
def run(suite: Path, planted: str, tmp_path: Path) -> slant.Run:
    return slant.audit(suite, planted, out=tmp_path / "run")


def garbage_in_the_middle(content: bytes) -> bytes:
    middle = len(content) // 8
    return content[:middle] + random.Random(1).randbytes(20_000) + content[middle + 20_000 :]


def garbage_in_a_text(content: bytes) -> bytes:
    assert b"sat down" in content
    return content.replace(b"sat down", b"\xff\xfe\xfdt down")


def half(content: bytes) -> bytes:
    return content[: len(content) // 2 + 77]


def something_else(content: bytes) -> bytes:
    return b"This is no database, however long it may be. " * (len(content) // 45)


@pytest.mark.parametrize("damage", [garbage_in_the_middle, garbage_in_a_text, half, something_else])
def test_damage_is_reported_and_left_alone(run: slant.Run, damage: object) -> None:
    assert callable(damage)
    path = run.path("journal.sqlite")
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    findings = run.path("findings.json").read_bytes()
    for again in (slant.resume, slant.rescore):
        with pytest.raises(InputError, match="the journal is damaged") as fault:
            again(run.directory)
        assert fault.value.exit_code == 2
        assert str(path) in str(fault.value)
        assert ".recover" in str(fault.value)
    assert path.read_bytes() == damaged
    assert run.path("findings.json").read_bytes() == findings


def test_a_lost_journal_is_asked_anew(run: slant.Run, tmp_path: Path) -> None:
    findings = run.path("findings.json").read_bytes()
    run.path("journal.sqlite").unlink()
    slant.resume(run.directory)
    assert run.path("findings.json").read_bytes() == findings


def test_absorbing_prefers_answers_to_errors(tmp_path: Path) -> None:
    paths = [tmp_path / "a.sqlite", tmp_path / "b.sqlite", tmp_path / "all.sqlite"]
    for path, answer in zip(paths, (DOWN, GOOD, None), strict=True):
        journal = Journal(path)
        journal.commit("m", "s", [(0, ITEM)], {} if answer is None else {ITEM.id: answer})
        journal.close()
    for order in ([0, 1], [1, 0]):
        target = tmp_path / f"merged{order[0]}.sqlite"
        shutil.copy(paths[2], target)
        journal = Journal(target)
        for index in order:
            journal.absorb(paths[index])
        assert kept(journal) == [GOOD]
        journal.close()
