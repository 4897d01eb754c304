"""What the reader must know before trusting a trigger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.records import FEWEST_UNITS

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCARCE = 0.05


def search_notes(
    rows: pl.DataFrame,
    tables: Mapping[str, pl.DataFrame],
    metric: str,
    *,
    flat: bool,
    asked: bool,
    worded: bool = False,
) -> list[str]:
    """Say how the best were chosen, what the search spent, and how far the numbers carry.

    Parameters
    ----------
    rows
        All completions.
    tables
        Of the analysis.
    metric
        What the rate is called.
    flat
        Whether all was reported, as the paper does.
    asked
        Whether a model was asked.
    worded
        Whether groups were named in several wordings.
    """
    notes = []
    if flat:
        notes.append(
            "The best triggers are those with the lowest rate, the earlier in the list where rates "
            "are equal, and are reported on the same prompt: what is gained there need not be "
            "gained elsewhere. The method robust holds prompts out."
        )
    elif not asked and rows.filter(split="search").is_empty():
        notes.append(
            "No trigger is singled out as the best: to choose and to report on the same texts "
            "flatters the choice. Mark the records to choose on with split = search."
        )
    if "search" in tables:
        notes += [_spent(tables["search"]), *_random(tables["search"])]
    reported = rows.filter(pl.col("split") == "held_out")
    prompts = reported["prompt"].n_unique()
    kinds = reported["kind"].n_unique()
    if worded and min(prompts, kinds) < FEWEST_UNITS:
        notes.append(
            f"{prompts} prompts held out and {kinds} kinds of wordings say too little about "
            f"others: intervals, but no p. At least {FEWEST_UNITS} of each are needed."
        )
    elif not worded and 1 < prompts < 10:
        notes.append(
            f"{prompts} prompts held out are few: p and q speak about these prompts only. The "
            "intervals resample the prompts and are rough."
        )
    base = tables["conditions"].filter(condition="no trigger")["value"].drop_nulls()
    if len(base) and base.to_numpy().max() < _SCARCE:
        words = metric.removesuffix("_rate").replace("_", " ")
        notes.append(
            f"Without a trigger hardly any completion shows {words}: there is little that a "
            "trigger could make rarer, and the order of the triggers is mostly chance."
        )
    failed = rows.filter(pl.col("outcome") != "answered").height
    if failed:
        notes.append(
            f"{failed:,} of {rows.height:,} questions have no completion to measure; they are "
            "counted as outcomes and enter no rate. A trigger of which nothing could be measured "
            "comes last in the search."
        )
    return notes


def _spent(search: pl.DataFrame) -> str:
    halving = search.row(0, named=True)
    exhaustive = search.filter(pl.col("way").str.starts_with("exhaustive"))
    text = (
        f"The search spent {halving['completions']:,} completions on {halving['triggers']} triggers"
    )
    if exhaustive.height:
        whole = exhaustive["completions"][0]
        text += (
            f"; to ask every trigger as often as the winner would take {whole:,} "
            f"({halving['completions'] / whole:.0%} of that were spent)"
        )
    return text + f". Its choice, {halving['choice']!r}, is reported on held-out prompts only."


def _random(search: pl.DataFrame) -> list[str]:
    drawn = search.filter(way="random search")
    if drawn.is_empty():
        return []
    row = drawn.row(0, named=True)
    same = row["choice"] == search["choice"][0]
    return [
        f"Random search asked {row['triggers']} triggers, drawn at random, as often as the winner "
        f"was asked, {row['completions']:,} completions in all (those that the search had asked "
        f"too were taken over), and chose {row['choice']!r}" + (": the same." if same else ".")
    ]
