"""The answers that count, a part at a time, and whom they are about."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.profiles.asking import FIELDS
from slant.studies.profiles.people import Person, ambiguous
from slant.studies.profiles.profile import Reply, reply_of
from slant.studies.profiles.profiles_file import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slant.records import Outcome

_SHOWN = 10
_AT_ONCE = 4_096
"""Answers that are read at a time."""

_COLUMNS = ("position", "group", "condition", "sample", "slots", "outcome", "text")


@dataclass(frozen=True)
class Gathered:
    """Answers of one way of asking.

    Attributes
    ----------
    way
        How was asked, or that a file was read; empty if nothing was.
    people
        Of a file, whom each name stands for; of a model, nobody.
    notes
        What was dealt with on the way.
    """

    way: str
    people: dict[str, Person]
    notes: list[str]
    _answers: pl.LazyFrame
    _counted: NDArray[np.int64]
    _refused: NDArray[np.int64]
    _several: frozenset[str] = frozenset()
    _keep_ambiguous: bool = field(default=False)

    def parts(self) -> Iterator[list[Reply]]:
        """Read the answers anew, in order; all answers about one profile are in the same part."""
        held: list[Reply] = []
        for rows in _in_order(self._answers, _COLUMNS):
            places = rows["position"].to_numpy()
            refused = _within(places, self._refused)
            for row, is_refused in zip(
                rows.filter(_within(places, self._counted)).iter_rows(),
                refused[_within(places, self._counted)],
                strict=True,
            ):
                reply = self._reply(row, is_refused=bool(is_refused))
                if reply is None:
                    continue
                # The fields of a profile are asked for one by one, but all within a run.
                apart = self.way != FIELDS or (held and held[-1].run != reply.run)
                if apart and len(held) >= _AT_ONCE:
                    yield held
                    held = []
                held.append(reply)
        if held:
            yield held

    def _reply(
        self, row: tuple[int, str, str, int, str, Outcome, str | None], *, is_refused: bool
    ) -> Reply | None:
        position, group, condition, run, slots, outcome, text = row
        # Of a file, every record is a profile, whatever its words are.
        if is_refused and outcome == "answered" and self.way != FILE and "{" not in (text or ""):
            outcome = "refused"
        reply = reply_of(position, condition, run, json.loads(slots), outcome, text)
        if self.way == FILE and reply.names[0] in self._several:
            name = reply.names[0]
            return replace(reply, names=(f"{name} ({group})",)) if self._keep_ambiguous else None
        return reply


def gather(answers: pl.LazyFrame, scores: pl.LazyFrame, *, keep_ambiguous: bool) -> Gathered:
    """Take the answers of the last way of asking: what came before was tried and given up.

    Parameters
    ----------
    answers, scores
        As a study gets them; the measure `refusal` tells refusals, where a text has no JSON.
    keep_ambiguous
        Of a file, keep a name that stands in two groups in both, as the paper does; else neither.
    """
    refused = scores.filter((pl.col("measure") == "refusal") & (pl.col("value") == 1))
    # A question that was tried first is there twice: the last counts.
    last = (
        answers.group_by("group", "condition", "sample", "slots")
        .agg(pl.col("position").max())
        .select("position", pl.col("slots").str.json_path_match("$.way").alias("way"))
        .collect()
        .sort("position")
    )
    way = last["way"][-1] if last.height else ""
    found = Gathered(
        way, {}, [], answers, last.filter(way=way)["position"].to_numpy(),
        refused.select("position").unique().collect()["position"].sort().to_numpy(),
    )  # fmt: skip
    return _of_file(found, keep_ambiguous=keep_ambiguous) if way == FILE else found


def _of_file(found: Gathered, *, keep_ambiguous: bool) -> Gathered:
    people: dict[tuple[str, str], Person] = {}
    for rows in _in_order(found._answers, ("position", "group", "slots")):
        for group, slots in rows.select("group", "slots").iter_rows():
            own = json.loads(slots)
            name = json.loads(own["names"])[0]
            people[name, group] = Person(group, own["gender"], own["ethnicity"])
    several = frozenset(ambiguous(people))
    known = {
        (f"{name} ({group})" if name in several else name): person
        for (name, group), person in people.items()
        if keep_ambiguous or name not in several
    }
    shown = ", ".join(sorted(several)[:_SHOWN])
    dealt = "kept in each, as published" if keep_ambiguous else "left out"
    notes = [f"Names in several groups, {dealt}: {shown}."] if several else []
    return replace(
        found, people=known, notes=notes, _several=several, _keep_ambiguous=keep_ambiguous
    )


def _in_order(answers: pl.LazyFrame, columns: tuple[str, ...]) -> Iterator[pl.DataFrame]:
    """Go through the rows by position, a few thousand at a time."""
    needed = answers.select(columns)
    if not answers.select("position").collect()["position"].is_sorted():
        needed = needed.sort("position")
    return needed.collect_batches(chunk_size=_AT_ONCE, maintain_order=True)


def _within(places: NDArray[np.int64], among: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which places are among others, which are sorted."""
    if not len(among):
        return np.zeros(len(places), dtype=np.bool_)
    found = np.minimum(np.searchsorted(among, places), len(among) - 1)
    return np.asarray(among[found] == places)
