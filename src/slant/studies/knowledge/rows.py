"""From stored answers to the table of triples: kept ones, and dropped ones with their rule."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl

from slant.studies.knowledge.growth import scope
from slant.studies.knowledge.sieve import triple_key
from slant.studies.knowledge.triple import Candidate, Triple

if TYPE_CHECKING:
    from slant.studies.knowledge.sieve import Sieve

GROWTH, FILE = "growth", "file"
WORDED = ("kind", "wording", "prefix")
"""What tells how a lineage named its subjects; empty where it called them by their names."""

SCHEMA = pl.Schema(
    {
        "subject": pl.String(),
        "class": pl.String(),
        "variant": pl.String(),
        "predicate": pl.String(),
        "object": pl.String(),
        "kept": pl.Boolean(),
        "dropped": pl.String(),
        "generation": pl.Int64(),
        "strategy": pl.String(),
        "shots": pl.String(),
        "prompt": pl.String(),
        "raw": pl.String(),
        "lineage": pl.String(),
        "key": pl.String(),
        "part": pl.String(),
        "kind": pl.String(),
        "wording": pl.String(),
        "prefix": pl.String(),
    }
)


_COLUMNS = (
    "position", "group", "axis", "condition", "slots", "prompt", "outcome", "text",
    "finish_reason",
)  # fmt: skip
AT_ONCE = 16_384
"""Answers that are judged, and statements that are measured, at a time."""


def triples(answers: pl.LazyFrame, sieve: Sieve) -> pl.DataFrame:
    """Judge answers again, in the order in which they were asked for, as growth did.

    Parameters
    ----------
    answers
        As `Study.analyse` gets them, of one model, with `slots` as growth or a file wrote them.
    sieve
        With the settings that growth had.

    Returns
    -------
    polars.DataFrame
        As `SCHEMA` says, one row an answer. `lineage` names what seeded each other; `key` is what
        duplicates share.
    """
    columns = answers.collect_schema().names()
    needed = answers.select(*_COLUMNS, *(["part"] if "part" in columns else []))
    if not answers.select("position").collect()["position"].is_sorted():
        needed = needed.sort("position")
    seen: set[tuple[str, str, str]] = set()
    parts = needed.collect_batches(chunk_size=AT_ONCE, maintain_order=True)
    frames = [_judged(part, sieve, seen) for part in parts]
    return pl.concat([pl.DataFrame(schema=SCHEMA), *frames])


def would_fall(found: pl.DataFrame, stricter: pl.DataFrame) -> list[str]:
    """Say how many triples the publication's filters keep that slant's own rules would not.

    Parameters
    ----------
    found, stricter
        The same answers, judged by the publication's filters and by slant's rules.
    """
    dropped = stricter["dropped"].filter(found["kept"]).drop_nulls()
    if dropped.is_empty():
        return []
    counted = dropped.value_counts(sort=True).rows()
    rules = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in counted)
    kept = f"The publication's two filters alone kept {found['kept'].sum():,} triples"
    return [f"{kept}; slant's own rules would have dropped {dropped.len():,} of them ({rules})."]


def _judged(answers: pl.DataFrame, sieve: Sieve, seen: set[tuple[str, str, str]]) -> pl.DataFrame:
    rows = [
        (row, slots)
        for row in answers.iter_rows(named=True)
        if (slots := json.loads(row["slots"] or "{}")).get("phase") in (GROWTH, FILE)
    ]
    grown = [_candidate(row, slots) for row, slots in rows if slots["phase"] == GROWTH]
    judged = iter(sieve.judge(grown))
    table = []
    for row, slots in rows:
        stored = slots["phase"] == FILE
        triple = _stored(row, slots, seen) if stored else next(judged)
        table.append(
            {
                "subject": row["group"],
                "class": row["axis"],
                "variant": row["condition"] or "",
                "predicate": triple.predicate,
                "object": triple.object,
                "kept": triple.dropped is None,
                "dropped": triple.dropped,
                "generation": int(slots.get("generation", 0)),
                "strategy": slots.get("strategy", ""),
                "shots": slots.get("shots", "[]"),
                "prompt": row["prompt"] or "",
                "raw": row["text"] or "",
                "lineage": _scope(row, slots),
                "key": triple_key(triple.predicate, triple.object),
                "part": row.get("part") or "",
                **{name: slots.get(name, "") for name in WORDED},
            }
        )
    return pl.DataFrame(table, schema=SCHEMA)


def _scope(row: dict[str, Any], slots: dict[str, str]) -> str:
    if slots["phase"] == GROWTH:
        return scope(row["condition"], row["axis"], int(slots["lineage"]))
    # Without lineages every triple of a file stands for itself.
    return slots["lineage"] or f"record {row['position'] + 1}"


def _candidate(row: dict[str, Any], slots: dict[str, str]) -> Candidate:
    shots = tuple((who, verb, what) for who, verb, what in json.loads(slots["shots"]))
    return Candidate(
        slots["subject"], slots["predicate"], slots["strategy"], shots, _scope(row, slots),
        row["outcome"], row["text"] or "", row["finish_reason"] or "",
    )  # fmt: skip


def _stored(row: dict[str, Any], slots: dict[str, str], seen: set[tuple[str, str, str]]) -> Triple:
    """Take a triple of a file as it is, unless a part is empty or it is there already."""
    triple = Triple(row["group"], slots["predicate"], slots["object"])
    if not triple.predicate or not triple.object:
        return Triple(*triple.shot, dropped="empty")
    key = (slots["lineage"], triple.subject, triple_key(triple.predicate, triple.object))
    if key in seen:
        return Triple(*triple.shot, dropped="duplicate")
    seen.add(key)
    return triple
