"""Texts in evidence: answers, triples and profiles that a finding counts, most telling first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.measures.measure import REFUSAL
from slant.reports.numbers import plain
from slant.reports.observations.asked import WHO, about
from slant.reports.observations.observation import Observation, side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Finding
    from slant.reports.observations.asked import Asked

_READ = 2_000
"""So many answers without a score are looked through for a word."""

_WHOM = ("group", "ethnicity", "gender")


def answers(asked: Asked, finding: Finding, most: int) -> list[Observation]:
    """Quote answers about the group, with what the finding's measure marked in them.

    Those with the highest score come first where the finding says that there is more than
    elsewhere, else those with the lowest; without scores, as they were asked.
    """
    table = about(asked.questions(finding.model, finding.study, finding.part), finding)
    if (table[WHO] == finding.group).any():
        table = table.filter(pl.col(WHO) == finding.group)
    if "outcome" not in table.columns:
        return []
    scores = asked.scores(finding)
    scored = table.join(scores, on="position", how="left", maintain_order="left")
    if finding.measure != REFUSAL:
        scored = scored.filter(outcome="answered")
    scored = scored.filter(pl.col("total").is_null())
    # A refusal that a server speaks has no text and no score: it comes before those that answer.
    value = pl.when(pl.col("outcome") == "refused").then(1.0).otherwise("value")
    scored = scored.with_columns(value.alias("value")).sort(
        "value", descending=(finding.value or 0.0) >= 0, nulls_last=True, maintain_order=True
    )
    counted = scored.drop_nulls("value")
    if counted.is_empty():
        return _holding(asked, scored, finding, most)
    rows = {row["position"]: row for row in scored.head(most).iter_rows(named=True)}
    told: list[Observation] = []
    for position, prompt, text in asked.texts(finding, list(rows)).iter_rows():
        row = rows[position]
        spans = [(start, end) for start, end in row["spans"] or ()]
        score = "not scored" if row["value"] is None else f"score {plain(row['value'])}"
        figure = "refused" if row["outcome"] == "refused" else score
        words = _share(counted, finding) if not told else ""
        told.append(Observation(words, (side(text or "(nothing)", figure, spans, prompt or ""),)))
    return told


def _holding(
    asked: Asked, unscored: pl.DataFrame, finding: Finding, most: int
) -> list[Observation]:
    """Quote answers that hold the word a finding is about; all alike where it is about none."""
    texts = asked.texts(finding, unscored["position"].head(_READ).to_list())
    word = finding.condition.lower()
    found = []
    for _, prompt, text in texts.iter_rows():
        at = (text or "").lower().find(word) if word else -1
        found.append((at, prompt or "", text or "(nothing)"))
    found.sort(key=lambda each: each[0] < 0)
    return [
        Observation("", (side(text, "", [(at, at + len(word))] if at >= 0 else [], prompt),))
        for at, prompt, text in found[:most]
    ]


def _share(counted: pl.DataFrame, finding: Finding) -> str:
    """Say of how many answers the first ones are examples."""
    if counted.is_empty():
        return ""
    values = counted["value"]
    if values.is_in([0.0, 1.0]).all():
        return f"{int(values.sum()):,} of {len(values):,} answers about this are counted."
    low, middle, high = values.min(), values.median(), values.max()
    return (
        f"Scores of {len(values):,} answers: from {plain(float(str(low)))} to "
        f"{plain(float(str(high)))}, {plain(float(str(middle)))} in the middle."
    )


def triples(tables: Mapping[str, pl.DataFrame], finding: Finding, most: int) -> list[Observation]:
    """Show triples about a subject with the prompts that made them, most telling first."""
    table = tables.get("triples")
    needed = {"subject", "predicate", "object", "prompt", "raw"}
    if table is None or not needed <= set(table.columns):
        return []
    own = table.filter(pl.col("subject").cast(pl.String) == finding.group)
    if "kept" in own.columns:
        own = own.filter(pl.col("kept"))
    column = finding.measure if finding.measure in own.columns else ""
    if finding.measure == "negative_regard" and "regard" in own.columns:
        column = "regard"
    if column and own.schema[column].is_numeric():
        most_first = (finding.value or 0.0) >= 0
        if finding.measure == "negative_regard":
            most_first = not most_first
        own = own.sort(column, descending=most_first, nulls_last=True, maintain_order=True)
    else:
        column = ""
    told: list[Observation] = []
    for row in own.head(most).iter_rows(named=True):
        sentence = f"{row['subject']} {row['predicate']} {row['object']}"
        figure = "" if not column or row[column] is None else f"{column} {plain(row[column])}"
        start = len(sentence) - len(str(row["object"]))
        shown = side(sentence, figure, [(start, len(sentence))], _last_line(str(row["prompt"])))
        told.append(Observation("", (shown,)))
    return told


def _last_line(prompt: str) -> str:
    """Leave out the examples before what is asked."""
    lines = prompt.strip().splitlines() or [""]
    return lines[-1] if len(lines) == 1 else f"… {lines[-1]}"


def profiles(tables: Mapping[str, pl.DataFrame], finding: Finding, most: int) -> list[Observation]:
    """Show made-up profiles of the group that hold the word a finding counts."""
    table = tables.get("profiles")
    field, _, rest = finding.condition.partition(": ")
    word, _, condition = rest.removesuffix(")").rpartition(" (")
    if table is None or not word or "name" not in table.columns:
        return []
    column = next((name for name in table.columns if name.split(".")[-1] == field), "")
    whom = [
        name for name in _WHOM if name in table.columns and (table[name] == finding.group).any()
    ]
    if not column or not whom:
        return []
    if condition and "condition" in table.columns:
        table = table.filter(condition=condition)
    holds = (
        pl.col(column).cast(pl.String).str.to_lowercase().str.contains(word.lower(), literal=True)
    )
    mine = pl.col(whom[0]) == finding.group
    counts = [
        (int(part.filter(holds).height), part.height)
        for part in (table.filter(mine), table.filter(~mine))
    ]
    words = (
        f"“{word}” stands in {counts[0][0]:,} of {counts[0][1]:,} profiles of the group, and in "
        f"{counts[1][0]:,} of {counts[1][1]:,} of others."
    )
    own = table.filter(mine).sort(
        holds, descending=(finding.value or 0.0) >= 0, maintain_order=True
    )
    told: list[Observation] = []
    for row in own.head(most).iter_rows(named=True):
        text = f"{row['name']}: {field}: {row[column]}"
        at = text.lower().find(word.lower())
        spans = [(at, at + len(word))] if at >= 0 else []
        told.append(Observation("" if told else words, (side(text, "", spans),)))
    return told
