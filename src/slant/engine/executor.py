"""The executor: takes a study's items to a model and its answers to the journal."""

from __future__ import annotations

import asyncio
import itertools
import signal
import threading
from collections import Counter
from collections.abc import Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from slant.engine.committing import Committer
from slant.engine.journal import Batch
from slant.engine.progress import Step
from slant.errors import IncompleteError, InterruptedRunError, SlantError
from slant.readings import read_answer
from slant.records import Answer, Likelihood

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from slant.engine.budget import Budget
    from slant.engine.cache import AnswerCache
    from slant.engine.journal import Journal
    from slant.engine.progress import Progress
    from slant.engine.shard import Part
    from slant.models.model import Model
    from slant.records import Item, Outcome
    from slant.studies.study import Rounds

_HOPELESS = 20
"""After so many new batches in a row without one answer, asking on is pointless."""


class Questions(Protocol):
    """What is asked in rounds: a study, or texts that are put to a judge.

    Attributes
    ----------
    label
        What the answers are filed under.
    """

    label: str

    def rounds(self) -> Rounds:
        """Yield the items, round by round, and be sent their answers."""


class Executor:
    """Asks one model the questions of one study at a time.

    Items are taken lazily, in batches that depend on the study alone; every batch is committed
    whole. So memory does not grow with the number of items, and a run that was killed forms the
    same batches when it is resumed.

    Parameters
    ----------
    model, journal, progress, budget
        What is asked, where answers are kept, who is told, what may be spent.
    seed
        Root of the model's randomness.
    limit
        Ask at most this many items of a study.
    part
        Ask only the items of this part.
    cache
        Answers of earlier runs to use instead of asking.
    """

    def __init__(
        self,
        model: Model,
        journal: Journal,
        progress: Progress,
        budget: Budget,
        *,
        seed: int,
        limit: int | None = None,
        part: Part | None = None,
        cache: AnswerCache | None = None,
    ):
        self._model, self._journal, self._progress = model, journal, progress
        self._committer = Committer(journal)
        self._budget, self._seed, self._limit = budget, seed, limit
        self._part, self._cache = part, cache
        self._stopped: SlantError | None = None
        self._under_way: set[str] = set()
        self._failed_in_a_row = 0

    async def ask(self, study: Questions) -> bool:
        """Ask everything a study wants to know.

        Returns
        -------
        bool
            Whether the study came to its end; it may have to stop where it needs answers that are
            no part of this.

        Raises
        ------
        InterruptedRunError
            The user pressed Ctrl-C; everything answered is in the journal.
        IncompleteError
            The budget is spent, or the model answers nothing any more.
        """
        rounds = study.rounds()
        position = 0
        try:
            items = next(rounds)
            self._progress.start(study.label, self._model.name, self._size(items, 0))
            while True:
                limit = None if self._limit is None else self._limit - position
                wanted, chunk = itertools.islice(items, limit), getattr(items, "chunk", 1)
                complete, asked = await self._round(study, wanted, position, chunk)
                if not complete:
                    return False
                replies = self._journal.replies(
                    self._model.name, study.label, position, position + asked
                )
                position += asked
                if self._limit is not None and position >= self._limit:
                    break
                items = rounds.send(replies)
                self._progress.grow(self._size(items, position))
        except StopIteration:
            pass
        # Errors answered since may have led to fewer questions than the journal knows.
        self._journal.trim(self._model.name, study.label, position)
        return True

    def _batches(self, items: Iterator[Item], chunk: int) -> Iterator[list[Item]]:
        """Cut a round into batches of whole runs of items that belong together."""
        first = next(items, None)
        if first is None:
            return
        size = self._model.batch_size
        if isinstance(first.request, Likelihood):
            size = self._model.likelihood_batch_size or size
        size = max(size // chunk, 1) * chunk
        batch = [first, *itertools.islice(items, size - 1)]
        while batch:
            yield batch
            batch = list(itertools.islice(items, size))

    def _size(self, items: Iterable[Item], before: int) -> int | None:
        size = len(items) if isinstance(items, Sized) else None
        if self._limit is None:
            return size
        return self._limit - before if size is None else min(size, self._limit - before)

    async def _round(
        self, study: Questions, items: Iterator[Item], start: int, chunk: int
    ) -> tuple[bool, int]:
        """Ask one round; say whether all of it is answered now, and how many items it had."""
        running: set[asyncio.Task[None]] = set()
        position, complete = start, True
        try:
            for batch in self._batches(items, chunk):
                placed = list(enumerate(batch, position))
                position += len(batch)
                before = self._journal.outcomes(self._model.name, [item.id for item in batch])
                known: dict[str, Outcome] = {
                    id_: outcome for id_, outcome in before.items() if outcome != "error"
                }
                wanted = self._unanswered(batch, known)
                if self._part is not None:
                    here = [item for item in wanted if self._part.holds(item)]
                    complete &= len(here) == len(wanted)
                    wanted = here
                if not wanted:
                    await self._committer.commit(Batch(self._model.name, study.label, placed, {}))
                    self._progress.advance(
                        Step(len(batch), self._budget.spent, outcomes=_counted(batch, known))
                    )
                    continue
                while len(running) >= self._model.concurrency:
                    running = await self._settled(running)
                if self._stopped is not None:
                    break
                # What is under way costs less than was set aside for it: wait before giving up.
                while (reserved := self._budget.reserve(wanted)) is None and running:
                    running = await self._settled(running)
                if self._stopped is not None:
                    break
                if reserved is None:
                    self._stopped = IncompleteError(
                        f"stopped at ${self._budget.spent:.4f}: one more batch could cost more "
                        "than --max-cost allows."
                    )
                    break
                self._under_way.update(item.id for item in wanted)
                new = any(item.id not in before for item in wanted)
                running.add(
                    asyncio.ensure_future(
                        self._batch(study.label, placed, known, wanted, reserved, new=new)
                    )
                )
            while running:
                running = await self._settled(running)
        finally:
            for task in running:
                task.cancel()
        if self._stopped is not None:
            raise self._stopped
        return complete, position - start

    async def _settled(self, running: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
        done, pending = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        return pending

    def _unanswered(self, batch: list[Item], known: Mapping[str, Outcome]) -> list[Item]:
        distinct = {item.id: item for item in batch}
        return [
            item
            for id_, item in distinct.items()
            if id_ not in known and id_ not in self._under_way
        ]

    async def _batch(
        self,
        study: str,
        placed: list[tuple[int, Item]],
        known: dict[str, Outcome],
        wanted: list[Item],
        reserved: float,
        *,
        new: bool,
    ) -> None:
        try:
            cached = self._cache.get(wanted, self._seed) if self._cache is not None else {}
            to_ask = [item for item in wanted if item.id not in cached]
            answers = await self._answers(to_ask, new=new) if to_ask else []
            fresh = dict(zip((item.id for item in to_ask), answers, strict=True))
            # The cache keeps replies as they came: a later slant may read them better.
            heard = {
                item.id: read_answer(item, (cached if item.id in cached else fresh)[item.id])
                for item in wanted
            }
            await self._committer.commit(Batch(self._model.name, study, placed, heard))
            if self._cache is not None:
                self._cache.put(to_ask, answers, self._seed)
        except SlantError as error:  # ask nothing more, but let the other batches finish
            self._stopped = self._stopped or error
            return
        finally:
            self._under_way.difference_update(item.id for item in wanted)
        self._budget.settle(reserved, zip(to_ask, answers, strict=True))
        known |= {id_: answer.outcome for id_, answer in heard.items()}
        outcomes = _counted([item for _, item in placed], known)
        self._progress.advance(Step(len(placed), self._budget.spent, to_ask, answers, outcomes))

    async def _answers(self, items: list[Item], *, new: bool) -> list[Answer]:
        try:
            answers = await self._model.answer(items, self._seed)
            if len(answers) != len(items):
                raise ValueError(f"{len(answers)} answers to {len(items)} items")  # noqa: TRY301 - told to the user like any fault of the model
        except (SlantError, MemoryError):
            raise
        except Exception as error:  # a fault of one batch must not lose the others
            self._progress.note(f"{self._model.name}: {type(error).__name__}: {error}")
            answers = [Answer("error", reason=f"{type(error).__name__}: {error}")] * len(items)
        if all(answer.outcome == "error" for answer in answers):
            # What has failed before may do so for good, and must not keep a run from its end.
            self._failed_in_a_row += new
            if new and self._failed_in_a_row >= _HOPELESS:
                self._stopped = IncompleteError(
                    f"{self._model.name} failed on {_HOPELESS} batches in a row; the last reason: "
                    f"{answers[-1].reason}."
                )
        else:
            self._failed_in_a_row = 0
        return answers

    def interrupt(self) -> None:
        """Ask nothing more; let what is under way finish."""
        if self._stopped is None:
            count = len(self._under_way)
            self._progress.note(
                f"stopping: waiting for {count} question{'s' * (count != 1)} under way "
                "(Ctrl-C again to abandon them)"
            )
            self._stopped = InterruptedRunError("interrupted; everything answered so far is kept.")


def _counted(batch: Iterable[Item], known: Mapping[str, Outcome]) -> Counter[Outcome]:
    return Counter(known[item.id] for item in batch if item.id in known)


@contextmanager
def interruptible(interrupt: Callable[[], None], abandon: Callable[[], None]) -> Iterator[None]:
    """Call `interrupt` on the first Ctrl-C or termination signal, `abandon` on the second.

    Only the main thread can handle signals; elsewhere (a notebook) this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = itertools.count()
    loop = asyncio.get_running_loop()

    def handle(*_: object) -> None:
        if next(pressed) == 0:
            loop.call_soon_threadsafe(interrupt)
        else:
            abandon()  # at once: the loop may be busy

    before = {name: signal.signal(name, handle) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
