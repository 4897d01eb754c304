"""The budget: a run stops before it spends more than allowed, and goes on when allowed more."""

from __future__ import annotations

from pathlib import Path

import pytest

import slant
from running import Ask, Echo, ask, question
from slant.engine.budget import Budget
from slant.engine.journal import Journal
from slant.errors import IncompleteError, InputError
from slant.records import Answer, Item


@pytest.fixture
def dear(planted: str) -> str:
    file = Path(planted.removeprefix("mock:"))
    file.write_text("batch_size = 20\n" + file.read_text())
    return f"{planted}?price=1000,2000"


def spent(run: Path) -> float:
    journal = Journal(run / "journal.sqlite")
    prompt, completion = journal.tokens("planted")
    journal.close()
    return (1000 * prompt + 2000 * completion) / 1e6


def test_a_run_stops_in_time_and_goes_on_with_more(suite: Path, dear: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with pytest.raises(IncompleteError, match=r"stopped at \$\d.*--max-cost") as fault:
        slant.audit(suite, dear, out=run, max_cost=4)
    assert f"slant resume {run}" in str(fault.value)
    assert 1 < spent(run) <= 4
    before = spent(run)
    with pytest.raises(IncompleteError, match="--max-cost"):
        slant.resume(run)
    assert spent(run) == before
    with pytest.raises(IncompleteError, match="--max-cost"):
        slant.resume(run, max_cost=6)
    assert before < spent(run) <= 6
    done = slant.resume(run, max_cost=100)
    whole = slant.audit(suite, dear, out=tmp_path / "whole")
    assert done.path("findings.json").read_bytes() == whole.path("findings.json").read_bytes()


def test_a_run_that_can_afford_nothing_asks_nothing(suite: Path, dear: str, tmp_path: Path) -> None:
    with pytest.raises(IncompleteError, match=r"stopped at \$0\.0000"):
        slant.audit(suite, dear, out=tmp_path / "run", max_cost=0.5)
    assert spent(tmp_path / "run") == 0


def test_an_unknown_price_cannot_be_limited(
    suite: Path, planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slant.models.mock import Mock

    cheap = slant.audit(suite, planted, out=tmp_path / "cheap", limit=6)
    make = Mock.__init__

    def priceless(self: Mock, spelling: object) -> None:
        make(self, spelling)  # type: ignore[arg-type]
        self.price = None

    monkeypatch.setattr(Mock, "__init__", priceless)
    with pytest.raises(InputError, match=r"'planted', whose price is not known.*\?price="):
        slant.audit(suite, planted, out=tmp_path / "run", max_cost=1)
    assert not (tmp_path / "run").exists()
    with pytest.raises(InputError, match="whose price is not known"):
        slant.resume(cheap.directory, max_cost=1)


def test_concurrent_batches_do_not_overspend_nor_stop_too_early(tmp_path: Path) -> None:
    def reply(item: Item) -> Answer:
        return Answer("answered", "x", prompt_tokens=1, completion_tokens=12)

    model = Echo(reply)
    model.concurrency, model.batch_size = 8, 1
    budget = Budget((0, 1e6), limit=100)  # a dollar a token: at worst 48 an answer, in fact 12
    journal = Journal(tmp_path / "journal.sqlite")
    items = [question(f"q{number}") for number in range(50)]
    with pytest.raises(IncompleteError, match="--max-cost"):
        ask(model, journal, Ask(*items), budget=budget)
    journal.close()
    assert budget.spent == 60  # a sixth answer could have cost 48 more
    assert len(model.asked) == 5


def test_answers_without_a_count_are_taken_at_their_worst() -> None:
    budget = Budget((0, 1e6), limit=200)
    items = [question("q")]
    reserved = budget.reserve(items)
    assert reserved == 48
    budget.settle(reserved, [(items[0], Answer("answered", "x"))])
    assert budget.spent == 48
    reserved = budget.reserve(items)
    assert reserved is not None
    budget.settle(reserved, [(items[0], Answer("error", reason="never got there"))])
    assert budget.spent == 48
