"""The journal: every answer once, every text as it came, damage reported and left alone."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

import slant
from running import question
from slant.engine import journal as journal_module
from slant.engine.journal import Journal
from slant.engine.tables import export
from slant.errors import InputError, SlantError
from slant.records import Answer

GOOD, BETTER = Answer("answered", "first"), Answer("answered", "second")
REFUSED, DOWN = Answer("refused", reason="no"), Answer("error", reason="down")
ITEM = question("q", study="s")
FLIPS = 200


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


def test_replies_are_read_in_parts_while_what_follows_from_them_is_written(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "_READ_AT_ONCE", 4)
    items = [question(f"q{n}", study="s") for n in range(10)]
    journal.commit("m", "s", list(enumerate(items)), dict.fromkeys((i.id for i in items), GOOD))
    seen = []
    for number, (item, _) in enumerate(journal.replies("m", "s", 0, 10)):
        seen.append(item)
        further = question(f"about {number}", study="s")
        journal.commit("m", "s", [(10 + number, further)], {further.id: BETTER})
    assert seen == items
    assert kept(journal) == [GOOD] * 10 + [BETTER] * 10
    journal.close()


def test_how_questions_ended_is_known(journal: Journal) -> None:
    other = question("other", study="s")
    journal.commit("m", "s", [(0, ITEM), (1, other)], {ITEM.id: DOWN, other.id: REFUSED})
    ids = [ITEM.id, other.id, "never asked"]
    assert journal.outcomes("m", ids) == {ITEM.id: "error", other.id: "refused"}
    assert journal.outcomes("another model", ids) == {}
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


def files(run: slant.Run) -> dict[str, bytes]:
    kept = [path for path in run.directory.rglob("*") if path.name not in ("log.jsonl", "run.lock")]
    return {str(path): path.read_bytes() for path in kept if path.is_file()}


def removed(path: Path) -> None:
    path.unlink()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def begun_again(path: Path) -> None:
    path.unlink()
    Journal(path).close()


@pytest.mark.parametrize("lost", [removed, emptied, begun_again])
@pytest.mark.parametrize("tables", [True, False])
def test_a_lost_journal_is_noticed_and_nothing_is_replaced(
    run: slant.Run, lost: Callable[[Path], None], tables: bool
) -> None:
    if not tables:  # as a run that was killed while it asked leaves things
        run.path("items.parquet").unlink()
        run.path("answers.parquet").unlink()
    lost(run.path("journal.sqlite"))
    before = files(run)
    with pytest.raises(InputError, match="has asked questions already") as fault:
        slant.resume(run.directory)
    assert str(run.path("journal.sqlite")) in str(fault.value)
    assert ("slant rescore" in str(fault.value)) is tables
    assert files(run) == before


@pytest.mark.parametrize("lost", [emptied, begun_again])
def test_rescoring_with_an_empty_journal_replaces_nothing(
    run: slant.Run, lost: Callable[[Path], None]
) -> None:
    lost(run.path("journal.sqlite"))
    before = files(run)
    with pytest.raises(InputError, match="holds nothing"):
        slant.rescore(run.directory)
    assert files(run) == before


def test_without_its_journal_a_run_is_rescored_from_its_tables(run: slant.Run) -> None:
    findings = run.path("findings.json").read_bytes()
    run.path("journal.sqlite").unlink()
    slant.rescore(run.directory)
    assert run.path("findings.json").read_bytes() == findings


def test_a_commit_is_on_disk_when_it_returns(tmp_path: Path) -> None:
    """What SQLite has written but not handed to the disk would be gone after a power cut."""
    trace, acknowledged = tmp_path / "trace", "acknowledged"
    begin = (
        "import sys, pathlib\n"
        "from slant.engine.journal import Journal\n"
        "from slant.records import Answer, Generate, Item\n"
        "journal = Journal(pathlib.Path(sys.argv[1]))\n"
        "for number in range(3):\n"
        "    item = Item('s', Generate(f'q{number}'), 0, 'axis', 'g')\n"
        "    journal.commit('m', 's', [(number, item)], {item.id: Answer('answered', 'a')})\n"
        f"    pathlib.Path({acknowledged!r} + str(number)).exists()\n"
    )
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    traced = [strace, "-f", "-y", "-e", "trace=fsync,fdatasync,pwrite64,stat,newfstatat,statx"]
    done = subprocess.run(
        [*traced, "-o", trace, sys.executable, "-c", begin, tmp_path / "journal.sqlite"],
        capture_output=True,
        text=True,
    )
    if not trace.exists() or "pwrite64" not in (said := trace.read_text()):
        pytest.skip("this machine lets nobody trace")
    assert done.returncode == 0, done.stderr
    for number in range(3):
        before, _, said = said.partition(f"{acknowledged}{number}")
        written = before.rindex("pwrite64(")
        assert re.search(r"f(data)?sync\(.*journal\.sqlite-wal", before[written:])


def test_flipped_bits_are_noticed(run: slant.Run, tmp_path: Path) -> None:
    whole = run.path("journal.sqlite").read_bytes()
    path = tmp_path / "journal.sqlite"

    def everything() -> list[tuple[object, ...]]:
        with closing(Journal(path)) as journal:
            return [*journal.facts().items(), *(row for rows in journal.rows() for row in rows)]

    path.write_bytes(whole)
    expected = everything()
    dice, noticed = random.Random(2), 0
    for _ in range(FLIPS):
        content = bytearray(whole)
        for bit in dice.sample(range(8 * len(whole)), 3):
            content[bit // 8] ^= 1 << bit % 8
        path.write_bytes(content)
        try:
            assert everything() == expected
        except SlantError:
            noticed += 1
    assert noticed > FLIPS / 2


def test_a_changed_answer_is_given_up_and_asked_again(run: slant.Run) -> None:
    findings = run.path("findings.json").read_bytes()
    path = run.path("journal.sqlite")
    content = path.read_bytes()
    place = content.index(b"sat down")
    path.write_bytes(content[:place] + b"set" + content[place + 3 :])
    for again in (slant.resume, slant.rescore):
        with pytest.raises(InputError, match=r"not as they were written: 1\. It was left") as fault:
            again(run.directory)
    assert run.path("findings.json").read_bytes() == findings
    told = re.search(r"sqlite3 journal\.sqlite '(DELETE .*)'$", str(fault.value))
    assert told is not None
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(told[1]).rowcount == 1
        db.commit()
    slant.resume(run.directory)
    assert run.path("findings.json").read_bytes() == findings


@pytest.mark.parametrize("surrogate", [True, False])
def test_a_journal_from_before_there_were_checksums_opens(tmp_path: Path, surrogate: bool) -> None:
    path = tmp_path / "journal.sqlite"
    answer = Answer("answered", "a\ud800b" if surrogate else "é", (-0.5,), 3, None, "stop")
    with closing(Journal(path)) as journal:
        journal.commit("m", "s", [(0, ITEM)], {ITEM.id: answer})
        journal.remember("fingerprint:m", "{}")
    with closing(sqlite3.connect(path)) as db:
        for table in ("items", "answers", "facts"):
            db.execute(f'ALTER TABLE {table} DROP COLUMN "check"')
    for _ in range(2):
        with closing(Journal(path)) as journal:
            assert kept(journal) == [answer]
            assert journal.facts() == {"fingerprint:m": "{}"}
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE answers SET prompt_tokens = 4")
        db.commit()
    with pytest.raises(InputError, match="not as they were written"):
        Journal(path)


def test_an_old_journal_is_absorbed_whole(tmp_path: Path) -> None:
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    with closing(Journal(old)) as journal:
        journal.commit("m", "s", [(0, ITEM)], {ITEM.id: GOOD})
    with closing(sqlite3.connect(old)) as db:
        for table in ("items", "answers", "facts"):
            db.execute(f'ALTER TABLE {table} DROP COLUMN "check"')
    with closing(Journal(new)) as journal:
        journal.absorb(old)
        assert kept(journal) == [GOOD]
        journal.verify()


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
