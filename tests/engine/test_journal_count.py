"""Answers that stood in a journal's -wal are not lost without a word."""

from __future__ import annotations

import random
import shlex
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from running import question
from slant.engine.journal import Journal
from slant.errors import InputError, SlantError
from slant.records import Answer

BATCHES, EACH = 12, 5
FLIPS = 150
HEADER, FRAME = 32, 24 + 4096


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a journal as a process leaves it that is killed after its last commit."""
    folder = tmp_path_factory.mktemp("journal")
    (folder / "at work").mkdir()
    with closing(Journal(folder / "at work" / "journal.sqlite")) as journal:
        for batch in range(BATCHES):
            items = [question(f"q{batch}-{each}", study="s") for each in range(EACH)]
            answers = {item.id: Answer("answered", f"about {item.id} " * 20) for item in items}
            journal.commit("m", "s", list(enumerate(items, batch * EACH)), answers)
        shutil.copytree(folder / "at work", folder / "killed")
    return folder / "killed"


def copied(killed: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    return Path(shutil.copytree(killed, to)) / "journal.sqlite"


def wal(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-wal")


def held(path: Path) -> int:
    """Count the answers of a journal, every one of which must be as it was stored."""
    with closing(Journal(path)) as journal:
        replies = list(journal.replies("m", "s", 0, BATCHES * EACH))
    assert all(answer.text == f"about {item.id} " * 20 for item, answer in replies)
    return len(replies)


def flipped(path: Path, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


def test_a_journal_that_was_left_by_a_kill_has_everything(killed: Path, tmp_path: Path) -> None:
    path = copied(killed, tmp_path / "run")
    assert wal(path).stat().st_size > 10 * FRAME
    for _ in range(2):
        assert held(path) == BATCHES * EACH


@pytest.mark.parametrize(
    "byte",
    [0, 20, HEADER + 3 * FRAME + 8, HEADER + 4 * FRAME + 900, -FRAME + 16, -FRAME + 2_000],
    ids=["magic", "salt", "frame's salt", "page", "last checksum", "last page"],
)
def test_lost_answers_are_missed(killed: Path, tmp_path: Path, byte: int) -> None:
    path = copied(killed, tmp_path / "run")
    flipped(wal(path), 8 * (byte % wal(path).stat().st_size))
    before = path.read_bytes(), wal(path).read_bytes()
    for _ in range(2):
        with pytest.raises(
            InputError, match=r"lacks the last \d+ answers that it had taken"
        ) as told:
            Journal(path)
        assert (path.read_bytes(), wal(path).read_bytes()) == before
    said = int(str(told.value).partition("the last ")[2].split()[0])
    _, _, command = str(told.value).partition("after: ")
    subprocess.run(shlex.split(command), check=True)
    assert held(path) == BATCHES * EACH - said


def test_whatever_bit_flips_nothing_is_lost_without_a_word(killed: Path, tmp_path: Path) -> None:
    dice, told = random.Random(5), 0
    bits = 8 * (killed / "journal.sqlite-wal").stat().st_size
    for bit in dice.sample(range(bits), FLIPS):
        path = copied(killed, tmp_path / "run")
        flipped(wal(path), bit)
        try:
            assert held(path) == BATCHES * EACH
        except SlantError:
            told += 1
    assert told > FLIPS / 2


@pytest.mark.parametrize("lost", ["journal.sqlite-wal", "journal.sqlite"])
def test_a_part_that_is_gone_is_missed(killed: Path, tmp_path: Path, lost: str) -> None:
    path = copied(killed, tmp_path / "run")
    held(path)  # now all is in the journal
    older = copied(tmp_path / "run", tmp_path / "older")
    with closing(Journal(path)) as journal:
        item = question("one more", study="s")
        journal.commit("m", "s", [(100, item)], {item.id: Answer("answered", "x")})
        copied(tmp_path / "run", tmp_path / "crashed")
    path = tmp_path / "crashed" / "journal.sqlite"
    if lost == "journal.sqlite":  # an older copy was put back
        shutil.copy(older, path)
    wal(path).unlink()
    with pytest.raises(InputError, match=r"lacks the last "):
        Journal(path)


@pytest.mark.parametrize("content", [b"", b"\0" * 32, b"61 1234", b"\xff" * 500, b"9" * 5_000])
def test_a_note_that_cannot_be_read_alarms_nobody(
    killed: Path, tmp_path: Path, content: bytes
) -> None:
    path = copied(killed, tmp_path / "run")
    path.with_name("journal.sqlite-count").write_bytes(content)
    assert held(path) == BATCHES * EACH


def test_an_answer_that_takes_the_place_of_an_error_counts(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    item = question("q", study="s")
    with closing(Journal(tmp_path / "run" / "journal.sqlite")) as journal:
        journal.commit("m", "s", [(0, item)], {item.id: Answer("error", reason="down")})
        short = wal(tmp_path / "run" / "journal.sqlite").stat().st_size
        journal.commit("m", "s", [(0, item)], {item.id: Answer("answered", "better")})
        copied(tmp_path / "run", tmp_path / "crashed")
    path = tmp_path / "crashed" / "journal.sqlite"
    wal(path).write_bytes(wal(path).read_bytes()[:short])
    with pytest.raises(InputError, match="lacks the last answer that it had taken"):
        Journal(path)
