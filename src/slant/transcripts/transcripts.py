"""The transcripts of a run: which answers there are, in what order, and what they say."""

from __future__ import annotations

import json
from collections import OrderedDict
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.engine.journal import latest
from slant.engine.run_tables import fault
from slant.engine.tables import ANSWERS, SCORES, answers_frame
from slant.errors import InputError, SlantError
from slant.records import request_from_json
from slant.transcripts.answer import Row, Score, Span, Whole
from slant.transcripts.asked_order import starts
from slant.transcripts.index import INDEX, Index, Text, source
from slant.transcripts.narrow import NAMED, measures, narrow
from slant.transcripts.preparing import Preparation, prepare
from slant.transcripts.selection import Selection, check, choices, matching, order
from slant.transcripts.sensitive import sensitive
from slant.transcripts.set_aside import set_aside
from slant.transcripts.table_texts import given_numbers, held_texts, unindexed_texts
from slant.transcripts.words import pieces, places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from slant.engine.run import Run
    from slant.records import Request
    from slant.transcripts.words import Piece

SMALL = 20_000
"""Answers that are read and indexed while the reader waits: a fifth of a second."""

_LATEST = 2_000
"""Answers of each study that are shown of a run without tables."""

_KEPT = 8
"""Orders and searches that are remembered: of a million answers, four megabytes each."""

_GLANCE, _ALL = 20_000, 1 << 30
"""Characters of a text that are read for a table, where a model may have written millions; all."""


class Transcripts:
    """The answers of a run in one state of its files.

    It is safe to use from several threads. What it holds in memory does not grow with the texts:
    thirty megabytes for a million answers.

    Parameters
    ----------
    run
        The run.

    Raises
    ------
    InputError
        There is nothing to read: no tables and no journal, or both are damaged.
    """

    def __init__(self, run: Run):
        self._run = run
        self._answers, self._scores = run.path("answers.parquet"), run.path("scores.parquet")
        self._journal = run.path("journal.sqlite")
        self.notes: list[str] = []
        """What the reader must know about the tables, a sentence each."""
        self._latest: pl.DataFrame | None = None
        self._index = Index(run.path(INDEX), source(self._answers, self._scores))
        trouble = fault(self._answers, ANSWERS)
        if trouble and not self._journal.exists():
            raise InputError(
                f"{trouble}, and there is no journal to rebuild it from: measure or ask again, or "
                "put back a copy of the file",
                file=self._answers,
            )
        if trouble:
            self._latest = answers_frame(latest(self._journal, _LATEST))
            self.frame = narrow(self._latest.lazy(), None)
            going = (
                "The run is still going"
                if run.in_use
                else f"answers.parquet: {trouble}; it is being rebuilt from the journal"
            )
            self.notes.append(
                f"{going}. These are the last {_LATEST:,} answers of each study, not scored."
            )
        else:
            self.frame = self._read()
        self.measures = measures(self.frame)
        self._starts = starts(self.frame.lazy(), run)
        self._as_asked = self._rows_as_asked()
        self._preparation: Preparation | None = None
        self._fault = ""
        self._lock = Lock()
        self._order = lru_cache(_KEPT)(self._ordered)
        self._occurring = lru_cache(64)(self._choices_of)
        self._found: OrderedDict[tuple[Piece, ...], np.ndarray] = OrderedDict()

    def _read(self) -> pl.DataFrame:
        trouble = fault(self._scores, SCORES)
        if trouble:
            self.notes.append(
                f"scores.parquet: {trouble}. `slant rescore` scores the answers again."
            )
        known = self._index.narrow()
        if known is not None:
            return known
        try:
            return narrow(
                pl.scan_parquet(self._answers), None if trouble else pl.scan_parquet(self._scores)
            )
        except pl.exceptions.PolarsError as error:
            raise InputError(
                f"the file is damaged ({error}): `slant rescore` rebuilds it from the journal, if "
                "there is one",
                file=self._answers,
            ) from error

    def __len__(self) -> int:
        return len(self.frame)

    # The index ------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Begin what makes search possible, unless it is done or under way.

        Few answers are indexed at once, many in a process of their own. What goes wrong there is
        told by `fault`.
        """
        with self._lock:
            if self._preparation is not None or self._fault or self.indexed == 1:
                return
            if self._latest is not None and self._run.in_use:
                self._fault = "the run is still going: words can be looked for when it has ended"
                return
            if self._latest is not None or len(self) > SMALL:
                self._preparation = Preparation(self._run)
                return
            try:
                prepare(self._run)
            except SlantError as error:
                self._fault = str(error)

    @property
    def fault(self) -> str:
        """Why search cannot be made possible; empty when nothing went wrong."""
        with self._lock:
            if self._preparation is not None and (ended := self._preparation.fault()) is not None:
                # Where it came to its end, or another process was at work already, nothing is said.
                self._preparation, self._fault = None, ended
            return self._fault

    @property
    def indexed(self) -> float:
        """Which share of the answers is indexed, from 0 to 1; search works at 1."""
        if self._latest is not None:
            return 0.0
        return self._index.done() / len(self) if len(self) else 1.0

    # Which answers ----------------------------------------------------------------------------

    def select(self, selection: Selection) -> np.ndarray:
        """Give the numbers of the answers selected, in order.

        Raises
        ------
        InputError
            The selection names what the run does not have; the search has too many words, or
            comes before the index is ready.
        """
        check(selection, self.frame)
        mask = matching(selection, self.frame)
        if selection.search:
            found = self._search(selection.search)
            mask = found if mask is None else mask & found
        if not selection.sort:
            rows = self._as_asked if mask is None else self._as_asked[mask[self._as_asked]]
            return rows[::-1] if selection.descending else rows
        rows = self._order(selection.sort, selection.descending)
        return rows if mask is None else rows[mask[rows]]

    def _rows_as_asked(self) -> np.ndarray:
        """Put rows in the order asked: the table has studies by their names."""
        blocks = self.frame.with_row_index("row").group_by("model", "study").agg("row", "position")
        ordered = sorted(blocks.rows(named=True), key=lambda own: self._starts[_block(own)])
        parts = [np.array(own["row"])[np.argsort(own["position"], kind="stable")]
                 for own in ordered]  # fmt: skip
        return np.concatenate(parts) if parts else np.arange(0)

    def choices(self, model: str = "", study: str = "") -> Mapping[str, list[str]]:
        """List what each column can be filtered by: the values that a model and a study have."""
        return self._occurring(model, study)

    def _choices_of(self, model: str, study: str) -> Mapping[str, list[str]]:
        every = choices(self.frame)
        own = Selection(
            model=model if model in every["model"] else "",
            study=study if study in every["study"] else "",
        )
        mask = matching(own, self.frame)
        if mask is None:
            return every
        part = self.frame.lazy().filter(pl.Series(mask)).select(*every)
        found = part.select(pl.all().unique().drop_nulls().sort().implode()).collect()
        narrowed = {name: [each for each in found[name][0] if each] for name in found.columns}
        return {**narrowed, "model": every["model"], "study": every["study"]}

    def _ordered(self, column: str, descending: bool) -> np.ndarray:
        return order(self.frame, column, descending=descending)

    def _search(self, words: str) -> np.ndarray:
        search = pieces(words)
        if not search:
            # What holds no word is found nowhere.
            return np.zeros(len(self), dtype=bool)
        with self._lock:
            if search in self._found:
                self._found.move_to_end(search)
                return self._found[search]
        found = self._index.find(search, len(self))
        if found is None:
            raise InputError("the answers are being indexed for search: try again in a moment")
        with self._lock:
            self._found[search] = found
            while len(self._found) > _KEPT:
                self._found.popitem(last=False)
        return found

    def number(self, model: str, study: str, position: int) -> int:
        """Give the row of an answer.

        Raises
        ------
        InputError
            There is none.
        """
        check(Selection(model=model, study=study), self.frame)
        here = (
            (pl.col("model") == model) & (pl.col("study") == study)
            & (pl.col("position") == position)
        )  # fmt: skip
        rows = self.frame.select(here.arg_true()).to_series()
        if rows.is_empty():
            raise InputError(f"{study} has asked {model} nothing at position {position}")
        return int(rows[0])

    # What they say --------------------------------------------------------------------------------

    def rows(
        self, numbers: Sequence[int] | np.ndarray, search: str = "", *, longest: int = _GLANCE
    ) -> list[Row]:
        """Read answers by their numbers.

        Parameters
        ----------
        numbers
            Rows of the answers, in any order.
        search
            Words to mark.
        longest
            Characters after which prompts and texts are cut.
        """
        wanted = [int(number) for number in numbers]
        texts, looked_for = self._texts(wanted, longest), pieces(search)
        prompts = [texts[number].prompt for number in wanted]
        said = [texts[number].text for number in wanted]
        plain = self.frame[wanted].rows(named=True)
        scores = [
            {name: value for name in self.measures if (value := row[f"score:{name}"]) is not None}
            for row in plain
        ]
        hurts = sensitive(prompts, said, scores)
        if looked_for:
            found = places([*prompts, *(text or "" for text in said)], looked_for)
        else:
            found = [[]] * (2 * len(wanted))
        return [
            Row(
                number=number,
                place=self._starts[_block(row)] + row["position"],
                model=row["model"],
                study=row["study"],
                axis=row["axis"] or "",
                group=row["group"] or "",
                condition=row.get("condition") or "",
                outcome=row["outcome"],
                sample=row["sample"],
                position=row["position"],
                prompt=texts[number].prompt,
                text=texts[number].text,
                scores=scores[place],
                marks=texts[number].marks,
                in_prompt=found[place],
                in_text=found[len(wanted) + place],
                sensitive=hurts[place],
            )
            for place, (number, row) in enumerate(zip(wanted, plain, strict=True))
        ]

    def _texts(self, numbers: Sequence[int], longest: int = _ALL) -> dict[int, Text]:
        if self._latest is not None:
            return held_texts(self._latest, numbers, longest)
        found = self._index.texts(numbers, longest)
        if missing := sorted(set(numbers) - set(found)):
            found |= unindexed_texts(self._answers, missing, longest)
        return found

    def logprobs(self, numbers: Sequence[int] | np.ndarray) -> Mapping[int, Mapping[str, Any]]:
        """Read `logprobs` and `slots` of answers, by number, of as many as lie near each other."""
        table = pl.scan_parquet(self._answers) if self._latest is None else self._latest.lazy()
        return given_numbers(table, [int(number) for number in numbers])

    def asides(
        self, numbers: Sequence[int] | np.ndarray, longest: int = _GLANCE
    ) -> Mapping[int, Mapping[str, str]] | None:
        """Read what was set aside of replies: see `slant.transcripts.set_aside`."""
        table = pl.scan_parquet(self._answers) if self._latest is None else self._latest.lazy()
        return set_aside(table, [int(number) for number in numbers], longest)

    def whole(self, number: int, search: str = "") -> Whole:
        """Read all that is known of one answer.

        Parameters
        ----------
        number
            Row of the answer.
        search
            Words to mark.
        """
        (row,) = self.rows([number], search, longest=_ALL)
        table = pl.scan_parquet(self._answers) if self._latest is None else self._latest.lazy()
        answer = table.slice(number, 1).collect().row(0, named=True)
        return Whole(
            row,
            self._request(number, answer["item"]),
            json.loads(answer["slots"] or "{}"),
            answer["logprobs"],
            answer["prompt_tokens"],
            answer["completion_tokens"],
            answer["finish_reason"],
            answer["reason"],
            self._scores_of(row),
        )

    def _request(self, number: int, item: str) -> Request | None:
        """Find what was asked: items stand in the order of the answers."""
        items = self._run.path("items.parquet")
        if self._latest is not None or not items.exists():
            return None
        try:
            found = pl.scan_parquet(items).select("item", "request").slice(number, 1).collect()
        except pl.exceptions.PolarsError:
            return None
        if found.is_empty() or found["item"][0] != item:
            return None
        return request_from_json(found["request"][0])

    def _scores_of(self, row: Row) -> list[Score]:
        if self._latest is not None or fault(self._scores, SCORES):
            return []
        own = (
            (pl.col("model") == row.model) & (pl.col("study") == row.study)
            & (pl.col("position") == row.position)
        )  # fmt: skip
        found = pl.scan_parquet(self._scores).filter(own).collect(engine="streaming")
        return [
            Score(each["measure"], each["value"], each["reason"], _spans(each["spans"]))
            for each in found.sort("measure").iter_rows(named=True)
        ]

    def export(self, numbers: np.ndarray, size: int = 1_000) -> Iterator[pl.DataFrame]:
        """Read answers by their numbers, some at a time: columns as named, texts and scores."""
        for start in range(0, max(1, len(numbers)), size):  # a file without rows has its header
            part = [int(number) for number in numbers[start : start + size]]
            texts = self._texts(part)
            named = [pl.col(name).cast(pl.String) for name in NAMED if name in self.frame.columns]
            scores = [pl.col(f"score:{name}").alias(name) for name in self.measures]
            yield self.frame[part].select(
                *named, "sample", "position",
                pl.Series("prompt", [texts[each].prompt for each in part], dtype=pl.String),
                pl.Series("text", [texts[each].text for each in part], dtype=pl.String),
                *scores,
            )  # fmt: skip


def quick(run: Run) -> bool:
    """Say whether a run's transcripts open at once: few answers, or read before."""
    answers, scores = run.path("answers.parquet"), run.path("scores.parquet")
    if fault(answers, ANSWERS):  # the latest answers are few
        return True
    if pl.scan_parquet(answers).select(pl.len()).collect().item() <= SMALL:
        return True
    return Index(run.path(INDEX), source(answers, scores)).opens()


def _block(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["model"], row["study"]


def _spans(spans: Sequence[Sequence[int]] | None) -> list[Span]:
    return [(start, end) for start, end in spans or ()]
