"""Counterfactual pairs: the same question about two groups, with what came back to each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.reports.pairs import differing
from slant.reports.safe_text import safe_text
from slant.web.asked import recent

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.web.finding_answers import Behind

Order: TypeAlias = Literal["largest", "random", "smallest"]

ORDERS: dict[Order, str] = {
    "largest": "largest difference first",
    "random": "at random",
    "smallest": "smallest difference first",
}

_LONGEST = 2_000
_ALIKE = 0.3
"""Below this share of common words, marking what differs would mark everything."""

_SEED = 8


def answer_pairs(one: Behind, other: Behind) -> pl.DataFrame:
    """Pair the answers about two groups.

    Two answers are a pair when their questions differ in the group only: same study, condition and
    draw, and the same in every slot that does not follow from the group. A slot follows from the
    group when no value of it is shared by the two: a name, the sentence itself.

    Parameters
    ----------
    one, other
        Answers of one model to one study, about two groups.

    Returns
    -------
    polars.DataFrame
        `one` and `other` (positions), `condition`, `one_value`, `other_value` and `difference`
        (the one's minus the other's; null where either is not known).
    """
    return recent(one.run, "pairs").kept((one, other), lambda: _paired(one, other))


def _paired(one: Behind, other: Behind) -> pl.DataFrame:
    import polars as pl

    frames = [_keyed(one), _keyed(other)]
    slots = [set(frame["slots"].unique()) for frame in frames]
    keys = _keys(*slots)
    names = pl.DataFrame(
        {"slots": list(keys), "key": list(keys.values())},
        schema={"slots": pl.String, "key": pl.String},
    )
    turn = pl.int_range(pl.len()).over("condition", "key").alias("turn")
    left, right = (
        frame.join(names, on="slots", how="left", maintain_order="left")
        .with_columns(turn)
        .select("condition", "key", "turn", "position", "value")
        for frame in frames
    )
    paired = left.join(right, on=["condition", "key", "turn"], suffix="_other")
    return paired.select(
        pl.col("position").alias("one"),
        pl.col("position_other").alias("other"),
        "condition",
        pl.col("value").alias("one_value"),
        pl.col("value_other").alias("other_value"),
        (pl.col("value") - pl.col("value_other")).alias("difference"),
    ).sort("one", "other")


def _keyed(behind: Behind) -> pl.DataFrame:
    """Add slots to the answers, and a value where no measure gave one."""
    import polars as pl

    table = behind.table()
    logprobs = pl.col("logprobs")
    chosen = pl.col("slots").str.json_path_match("$.contrary").cast(pl.Int64, strict=False)
    shares = logprobs.list.get(chosen.fill_null(0), null_on_oob=True).exp()
    share = shares / logprobs.list.eval(pl.element().exp()).list.sum()
    options = pl.col("slots").str.json_path_match("$.options").is_not_null()
    likely = pl.when(options).then(share).otherwise(logprobs.list.mean())
    more = behind.narrowed().select("position", "slots", likely.alias("likely")).collect()
    joined = table.join(more, on="position", how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("value", "likely").alias("value"))


def _keys(one: set[str], other: set[str]) -> dict[str, str]:
    """Write slots without those that follow from the group."""
    parsed = [{text: json.loads(text or "{}") for text in texts} for texts in (one, other)]
    values: list[dict[str, set[str]]] = [{}, {}]
    for side, slots in enumerate(parsed):
        for each in slots.values():
            for name, value in each.items():
                values[side].setdefault(name, set()).add(str(value))
    shared = {name for name, found in values[0].items() if found & values[1].get(name, set())}
    return {
        text: json.dumps({name: each[name] for name in sorted(shared & set(each))})
        for slots in parsed
        for text, each in slots.items()
    }


def ordered(pairs: pl.DataFrame, order: Order) -> pl.DataFrame:
    """Sort pairs; those of which a value is not known come last, and order at random is fixed."""
    import polars as pl

    if order == "random":
        return pairs.sample(fraction=1, shuffle=True, seed=_SEED)
    size = pl.col("difference").abs()
    falling = order == "largest"
    return pairs.sort(size, descending=falling, nulls_last=True, maintain_order=True)


@dataclass(frozen=True)
class Piece:
    """A part of a text: whether it caused the score, and whether it differs from the other's."""

    text: str
    marked: bool
    differs: bool


@dataclass(frozen=True)
class TwoTexts:
    """Two texts in pieces; `alike` tells whether they have enough in common to be compared."""

    one: list[Piece]
    other: list[Piece]
    alike: bool
    notices: tuple[str, str]


def compared(
    one: str,
    other: str,
    marks: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]] = ((), ()),
) -> TwoTexts:
    """Take two texts apart word by word.

    Parameters
    ----------
    one, other
        Whatever was asked or said; of long ones, the beginning.
    marks
        [start, end) offsets in each that caused a score.
    """
    texts = (one[:_LONGEST], other[:_LONGEST])
    spans = differing(*texts)
    shares = [
        1 - sum(end - start for start, end in found) / max(1, len(text.strip()))
        for text, found in zip(texts, spans, strict=True)
    ]
    alike = min(shares) >= _ALIKE
    pieces = [
        _pieces(text, marked, found if alike else [])
        for text, marked, found in zip(texts, marks, spans, strict=True)
    ]
    notices = [
        f"Cut: the first {_LONGEST:,} of {len(text):,} characters are shown."
        if len(text) > _LONGEST
        else ""
        for text in (one, other)
    ]
    return TwoTexts(pieces[0], pieces[1], alike, (notices[0], notices[1]))


def _pieces(
    text: str, marked: Sequence[tuple[int, int]], differs: Sequence[tuple[int, int]]
) -> list[Piece]:
    ends = {0, len(text)} | {
        min(max(place, 0), len(text)) for span in (*marked, *differs) for place in span
    }
    cuts = sorted(ends)
    return [
        Piece(
            safe_text(text[start:end]),
            any(left <= start and end <= right for left, right in marked),
            any(left <= start and end <= right for left, right in differs),
        )
        for start, end in pairwise(cuts)
    ]
