"""The answer cache: the same question of the same model with the same seed, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import slant
from running import Ask, Echo, ask, question
from slant.engine.cache import AnswerCache
from slant.engine.journal import Journal
from slant.errors import SlantError
from slant.records import Answer

MODEL = {"model": "m"}
ANSWER = Answer("answered", "a\ud800\0é", (-1.5, -0.0), 3, 4, "stop", None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "answers.sqlite"


def known(path: Path, text: str = "q", sample: int = 0, seed: int = 0, model: str = "m") -> bool:
    cache = AnswerCache(path, {"model": model})
    item = question(text, sample)
    found = cache.get([item], seed)
    cache.close()
    assert set(found.values()) <= {ANSWER}
    return item.id in found


def test_only_the_very_same_is_known(path: Path) -> None:
    cache = AnswerCache(path, MODEL)
    cache.put([question("q")], [ANSWER], 0)
    cache.close()
    assert known(path)
    assert not known(path, sample=1)
    assert not known(path, seed=1)
    assert not known(path, text="another")
    assert not known(path, model="another")


def test_errors_are_not_kept(path: Path) -> None:
    cache = AnswerCache(path, MODEL)
    cache.put([question("q"), question("r")], [Answer("error", reason="down"), ANSWER], 0)
    cache.close()
    assert not known(path)
    assert known(path, text="r")


def test_what_the_cache_knows_is_not_asked_and_reaches_the_journal(
    path: Path, tmp_path: Path
) -> None:
    items = [question("q", sample) for sample in range(5)]
    cache = AnswerCache(path, MODEL)
    first, second = Echo(), Echo()
    for number, (model, wanted) in enumerate([(first, items[:3]), (second, items)]):
        journal = Journal(tmp_path / f"{number}.sqlite")
        ask(model, journal, Ask(*wanted), cache=cache)
        assert journal.outcome_counts() == {"answered": len(wanted)}
        journal.close()
    cache.close()
    assert len(first.asked) == 3
    assert len(second.asked) == 2


def test_a_hundred_draws_stay_a_hundred_draws(
    suite: Path, planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    runs = [slant.audit(suite, planted, out=tmp_path / name, cache=True) for name in "ab"]
    texts = [run.answers.collect()["text"].to_list() for run in runs]
    assert texts[0] == texts[1]
    assert len(set(texts[0])) > 5
    other = slant.audit(suite, planted, out=tmp_path / "c", cache=True, seed=1)
    alone = slant.audit(suite, planted, out=tmp_path / "d", seed=1)
    assert other.answers.collect()["text"].to_list() == alone.answers.collect()["text"].to_list()


def test_a_broken_cache_is_one_message(
    suite: Path, planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "slant").mkdir()
    (tmp_path / "slant" / "answers.sqlite").write_text("This is no database at all. " * 100)
    with pytest.raises(SlantError, match=r"the answer cache .* cannot be used"):
        slant.audit(suite, planted, out=tmp_path / "run", cache=True)
