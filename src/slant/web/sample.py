"""The answers behind a number as its page shows them: counted, filtered, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from slant.reports.interval_glyph import IntervalGlyph, Scale
from slant.reports.numbers import plain, quantity, span
from slant.web.numbers import page_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from slant.web.answer_rows import AnswerRow
    from slant.web.finding_answers import Behind

Order: TypeAlias = Literal["asked", "high", "low"]

ORDERS: dict[Order, str] = {
    "high": "highest score first",
    "low": "lowest score first",
    "asked": "as asked",
}
SCORES = {"some": "with a score above 0", "none": "with a score of 0", "null": "without a score"}
PAGE = 20
"""Answers that a page shows."""

_SHARES = Scale(0.0, 1.0)
_BINS = 20
_MOST_WORDS = 40
_MOST_CONDITIONS = 60


@dataclass(frozen=True)
class SampleQuery:
    """Which answers a reader asked to see, and in which order; page numbers count from 1."""

    condition: str = ""
    score: str = ""
    word: str = ""
    order: Order = "high"
    page: int = 1

    @classmethod
    def asked(cls, query: Mapping[str, str]) -> SampleQuery:
        """Read what an address asks for; what it cannot mean is passed over."""
        page, order = query.get("page", "1"), query.get("order", "high")
        return cls(
            condition=query.get("condition", ""),
            score=query["score"] if query.get("score") in SCORES else "",
            word=query.get("word", ""),
            order=order if order in ORDERS else "high",
            page=page_number(page),
        )

    def query(self, **changes: object) -> dict[str, object]:
        """Write it as a query, with changes; those to which nothing was changed begin at page 1."""
        plainly = {
            "condition": self.condition,
            "score": self.score,
            "word": self.word,
            "order": "" if self.order == "high" else self.order,
        }
        return {**plainly, **changes}


@dataclass(frozen=True)
class Bar:
    """A bar of a small chart: what it counts, how many, and its length in percent."""

    words: str
    count: int
    percent: float


@dataclass(frozen=True)
class ConditionRow:
    """One condition: how many answers have a score, what they score, and a bar in percent."""

    condition: str
    asked: int
    scored: int
    value: str
    interval: str
    glyph: IntervalGlyph | None


@dataclass(frozen=True)
class Sample:
    """Answers behind a number.

    Attributes
    ----------
    total, found
        How many there are, and how many fit what was asked for.
    rows
        Those of this page.
    pages
        How many pages there are.
    bars
        How the scores are spread.
    words
        What caused the scores, most frequent first, each with how many answers hold it.
    more_words
        How many words are not listed.
    conditions
        The same by condition, highest score first.
    more_conditions
        How many are not listed.
    mean
        Mean score in writing; empty without scores.
    """

    total: int
    found: int
    rows: list[AnswerRow]
    pages: int
    bars: list[Bar]
    words: list[tuple[str, int]]
    more_words: int
    conditions: list[ConditionRow]
    more_conditions: int
    mean: str


def sample(behind: Behind, wanted: SampleQuery) -> Sample:
    """Choose from the answers behind a number.

    Parameters
    ----------
    behind
        All of them.
    wanted
        Which ones, and which page.
    """
    import polars as pl

    table = behind.table()
    words = behind.words() if behind.measure else None
    counted = [] if words is None else _counted(words)
    chosen = table
    if wanted.condition:
        chosen = chosen.filter(pl.col("condition") == wanted.condition)
    if wanted.score:
        scored = {"some": pl.col("value") > 0, "none": pl.col("value") == 0}
        chosen = chosen.filter(scored.get(wanted.score, pl.col("value").is_null()))
    if wanted.word and words is not None:
        holding = words.filter(pl.col("word") == wanted.word.lower())
        chosen = chosen.join(holding, on="position", how="semi", maintain_order="left")
    if behind.measure and wanted.order != "asked":
        falling = wanted.order == "high"
        chosen = chosen.sort("value", descending=falling, nulls_last=True, maintain_order=True)
    pages = max(1, -(-chosen.height // PAGE))
    first = (min(wanted.page, pages) - 1) * PAGE
    conditions = _conditions(table) if behind.measure else []
    mean = table["value"].mean()
    return Sample(
        total=table.height,
        found=chosen.height,
        rows=behind.rows(chosen["position"].slice(first, PAGE).to_list()),
        pages=pages,
        bars=_bars(table) if behind.measure else [],
        words=counted[:_MOST_WORDS],
        more_words=max(0, len(counted) - _MOST_WORDS),
        conditions=conditions[:_MOST_CONDITIONS],
        more_conditions=max(0, len(conditions) - _MOST_CONDITIONS),
        mean=_score(mean, binary=_is_binary(table["value"])) if isinstance(mean, float) else "",
    )


def _counted(words: pl.DataFrame) -> list[tuple[str, int]]:
    import polars as pl

    counts = words.group_by("word").agg(pl.len().alias("answers"))
    return [
        (str(word), int(answers))
        for word, answers in counts.sort("answers", "word", descending=[True, False]).rows()
    ]


def _is_binary(values: pl.Series) -> bool:
    known = values.drop_nulls()
    return len(known) > 0 and bool(known.is_in([0.0, 1.0]).all())


def _score(value: float, *, binary: bool) -> str:
    return quantity(value, "share", fine=value < 0.1) if binary else plain(value)


def _bars(table: pl.DataFrame) -> list[Bar]:
    values = table["value"]
    missing = [("no score", values.null_count())] if values.null_count() else []
    if _is_binary(values):
        ones = int(values.sum())
        counted = [("score 1", ones), ("score 0", len(values.drop_nulls()) - ones), *missing]
    elif len(values.drop_nulls()):
        counts, edges = np.histogram(values.drop_nulls().to_numpy(), bins=_BINS)
        names = [f"{plain(float(low))} to {plain(float(high))}" for low, high in pairwise(edges)]
        counted = [*zip(names, map(int, counts), strict=True), *missing]
    else:
        counted = missing
    most = max((count for _, count in counted), default=1) or 1
    return [Bar(name, count, round(100 * count / most, 2)) for name, count in counted]


def _glyph(share: float, low: float, high: float) -> IntervalGlyph:
    return IntervalGlyph("within", _SHARES(share), _SHARES(low), _SHARES(high))


def _conditions(table: pl.DataFrame) -> list[ConditionRow]:
    import polars as pl

    from slant.stats.proportions import wilson

    if table["condition"].n_unique() < 2:
        return []
    binary = _is_binary(table["value"])
    counted = table.group_by("condition", maintain_order=True).agg(
        pl.len().alias("asked"),
        pl.col("value").count().alias("scored"),
        pl.col("value").sum().alias("sum"),
        pl.col("value").mean().alias("mean"),
    )
    counted = counted.sort("mean", descending=True, nulls_last=True, maintain_order=True)
    low, high = wilson(counted["sum"].to_numpy(), np.maximum(counted["scored"].to_numpy(), 1))
    rows = []
    for place, row in enumerate(counted.iter_rows(named=True)):
        mean, known = row["mean"], binary and row["scored"] > 0
        ends = (float(low[place]), float(high[place]))
        rows.append(
            ConditionRow(
                condition=row["condition"],
                asked=row["asked"],
                scored=row["scored"],
                value="–" if mean is None else _score(mean, binary=binary),
                interval=span(*ends, "share") if known else "",
                glyph=_glyph(mean, *ends) if known else None,
            )
        )
    return rows
