"""The answers that count, and whom they are about."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from slant.studies.profiles.people import Person, ambiguous
from slant.studies.profiles.profile import Reply, reply_of
from slant.studies.profiles.profiles_file import FILE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Outcome

_SHOWN = 10


@dataclass(frozen=True)
class Gathered:
    """Answers of one way of asking.

    Attributes
    ----------
    way
        How was asked, or that a file was read; empty if nothing was.
    replies
        The answers.
    people
        Of a file, whom each name stands for; of a model, nobody.
    notes
        What was dealt with on the way.
    """

    way: str
    replies: list[Reply]
    people: dict[str, Person]
    notes: list[str]


def gather(answers: pl.LazyFrame, scores: pl.LazyFrame, *, keep_ambiguous: bool) -> Gathered:
    """Take the answers of the last way of asking: what came before was tried and given up.

    Parameters
    ----------
    answers, scores
        As a study gets them; the measure `refusal` tells refusals, where a text has no JSON.
    keep_ambiguous
        Of a file, keep a name that stands in two groups in both, as the paper does; else neither.
    """
    refused = (
        scores.filter((pl.col("measure") == "refusal") & (pl.col("value") == 1))
        .select("position", pl.lit("refused").alias("refused"))
        .unique("position")
    )
    rows = (
        answers.select("position", "group", "condition", "sample", "slots", "outcome", "text")
        .join(refused, on="position", how="left", maintain_order="left")
        .collect()
        .sort("position")
        # A question that was tried first is there twice.
        .unique(["group", "condition", "sample", "slots"], keep="last", maintain_order=True)
        .to_dicts()
    )
    slots = [json.loads(row["slots"]) for row in rows]
    way = slots[-1]["way"] if slots else ""
    replies: list[Reply] = []
    people: list[tuple[str, Person]] = []
    for row, own in zip(rows, slots, strict=True):
        if own["way"] != way:
            continue
        outcome: Outcome = row["outcome"]
        # Of a file, every record is a profile, whatever its words are.
        if row["refused"] and outcome == "answered" and way != FILE and "{" not in row["text"]:
            outcome = "refused"
        position, condition, run = row["position"], row["condition"], row["sample"]
        reply = reply_of(position, condition, run, own, outcome, row["text"])
        if way == FILE:
            person = Person(row["group"], own["gender"], own["ethnicity"])
            people.append((reply.names[0], person))
        replies.append(reply)
    if way != FILE:
        return Gathered(way, replies, {}, [])
    return _of_file(replies, people, keep_ambiguous=keep_ambiguous)


def _of_file(
    replies: Sequence[Reply], people: Sequence[tuple[str, Person]], *, keep_ambiguous: bool
) -> Gathered:
    several = set(ambiguous((name, person.group) for name, person in people))
    known: dict[str, Person] = {}
    kept = []
    for reply, (name, person) in zip(replies, people, strict=True):
        if name in several and not keep_ambiguous:
            continue
        key = f"{name} ({person.group})" if name in several else name
        known[key] = person
        kept.append(replace(reply, names=(key,)))
    shown = ", ".join(sorted(several)[:_SHOWN])
    dealt = "kept in each, as published" if keep_ambiguous else "left out"
    notes = [f"Names in several groups, {dealt}: {shown}."] if several else []
    return Gathered(FILE, kept, known, notes)
