"""A model that is asked by files: what is open goes out, what has come in is read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from slant.engine.batches.outbox import Outbox
from slant.engine.batches.results import Results
from slant.errors import InputError
from slant.models.model import Model
from slant.records import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.engine.journal import Journal
    from slant.engine.progress import Progress
    from slant.models.effective import Effective
    from slant.records import Ability, Item

_AT_ONCE = 500
_LONGEST_REASON = 200


class ByPost(Model):
    """A model whose answers come in files.

    Parameters
    ----------
    model
        The model; it is never asked.
    answers
        Files with results of batches.
    batch_out
        Where requests for what is still open go; `None` if it stays open.
    seed
        Of the run.
    tag
        What the ids of its requests end with, in a run of several models.

    Raises
    ------
    InputError
        Its questions cannot be written as a batch, or a file cannot be used.
    """

    batch_size = _AT_ONCE

    def __init__(
        self,
        model: Model,
        answers: Sequence[str | Path],
        batch_out: str | Path | None,
        seed: int,
        tag: str = "",
    ):
        form = model.batch_form()
        if form is None:
            raise InputError(
                f"{model.name!r} cannot be asked in batches: they are written for models spelt "
                "openai:NAME, anthropic:NAME or http://HOST/v1?api=chat#NAME"
            )
        self._model, self._form = model, form
        self.name, self.price = model.name, model.price
        self.restriction, self.thought_tokens = model.restriction, model.thought_tokens
        paths = [Path(each) for each in answers]
        self._results = Results(paths, tag) if paths else None
        self._outbox = None if batch_out is None else Outbox(Path(batch_out), form, seed, tag)
        self._whose = f" for {model.name}" if tag else ""
        self.of_no_model: dict[str, str] = {}
        self._ready: dict[str, Answer] = {}
        self._open: set[str] = set()
        self._failed: Counter[str] = Counter()
        self._taken = 0

    def begin(self, journal: Journal, effective: Effective) -> None:
        """See that the results are those of a run, and recall what it has learned.

        Raises
        ------
        InputError
            None of them is an answer to a question of this run.
        """
        self._form.recall(effective)
        if self._results is None or not self._results.ids():
            return
        known = journal.known(self.name, self._results.ids())
        if not known:
            raise InputError(
                f"none of these results{self._whose} answers a question of this run: they belong "
                "to another one (a result is known by its custom_id). Nothing was changed"
            )

    @property
    def others(self) -> dict[str, str]:
        """Where results stand whose ids do not end as this model's do."""
        return {} if self._results is None else self._results.others

    @property
    def has_results(self) -> bool:
        """Whether any result is this model's, going by its id."""
        return self._results is not None and bool(self._results.ids())

    @property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override] # some must look
        """Those of the model."""
        return self._model.abilities

    def fingerprint(self) -> Mapping[str, str]:
        """Say what the model says."""
        known = self._model.fingerprint()
        self.thinks = self._model.thinks
        return known

    def holds(self, item: Item) -> bool:
        """Say whether the answer to a question is here; one that is not goes out, or stays open."""
        answer = self._answer_to(item)
        if answer is None:
            self._open.add(item.id)
            if self._outbox is not None:
                self._outbox.add(item)
            return False
        self._ready[item.id] = answer
        return True

    def _answer_to(self, item: Item) -> Answer | None:
        result = None if self._results is None else self._results.get(item.id)
        if result is None:
            return None
        if result.text is not None:
            return Answer("answered", result.text)
        if result.body is None or result.status is None:
            self._failed[result.open[:_LONGEST_REASON]] += 1
            return None
        answer = self._form.read(item, result.status, result.body)
        if answer is None:
            self._failed["a parameter was refused, which is left out from now on"] += 1
        elif answer.outcome == "error":
            self._failed[(answer.reason or "")[:_LONGEST_REASON]] += 1
        return answer

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Give the answers that have come in."""
        self._taken += len(items)
        return [self._ready.pop(item.id) for item in items]

    def finish(self, journal: Journal, progress: Progress) -> int:
        """Put the requests where they are to be, and tell what came in and what goes out.

        Returns
        -------
        int
            How many questions are still open.
        """
        if self._results is not None:
            self._tell_results(journal, progress)
        if self._outbox is not None and len(self._outbox):
            files = self._outbox.finish()
            named = ", ".join(map(str, files))
            each = "each" if len(files) > 1 else "it"
            progress.note(
                f"{len(self._outbox):,} questions{self._whose} are written to {named}, in "
                f"{self._form.api}'s form: {self._form.how.replace('it', each, 1)}."
            )
        return len(self._open)

    def _tell_results(self, journal: Journal, progress: Progress) -> None:
        assert self._results is not None  # noqa: S101 - for the type checker
        ids = set(self._results.ids())
        known = journal.known(self.name, ids)
        progress.note(f"{_results(self._taken)} taken into the run{self._whose}.")
        before = len(known) - self._taken - len(known & self._open)
        if before > 0:
            progress.note(
                f"{_results(before)} not needed: the questions were answered already, and the "
                "first answer stays."
            )
        unknown = {id_: self._results.place(id_) for id_ in ids - known} | self.of_no_model
        if unknown:
            first = min(unknown.values())
            progress.note(
                f"{_results(len(unknown))} left out: no question of this run has such a custom_id "
                f"(the first is {first})."
            )
        if doubled := len(self._results.doubled):
            progress.note(f"{_results(doubled)} there more than once: the first that is an answer "
                          "counts.")  # fmt: skip
        for reason, count in self._failed.most_common(5):
            progress.note(f"{_results(count)} no answer: {reason}")

    def remarks(self) -> list[str]:
        """Say that answers came in files, where they did, and what the model says."""
        told = ["The answers came in files of results, which slant did not fetch itself."]
        return [*(told if self._results is not None else []), *self._model.remarks()]

    def effective(self) -> Effective:
        """Say what the model says."""
        return self._model.effective()

    async def close(self) -> None:
        """Release what the model holds, and leave no half-written file behind."""
        if self._outbox is not None:
            self._outbox.discard()
        await self._model.close()


def _results(count: int) -> str:
    return f"{count:,} results were" if count != 1 else "1 result was"
