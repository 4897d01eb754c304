"""Which words each group gets more or less often than the rest, field by field."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.records import SURE
from slant.stats.log_odds import LogOdds, weighted_log_odds
from slant.stats.word_shift import WordShift, published_words, word_shift
from slant.studies.filing import Measured, Subject, q_values
from slant.studies.profiles.metrics import SAYING, SHIFT, WORD, word_condition
from slant.studies.profiles.telling_apart import view_of
from slant.studies.selection import SELECTED, for_selected

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Finding
    from slant.stats.arrays import Floats
    from slant.studies.filing import Filing
    from slant.studies.profiles.outcomes import Outcomes
    from slant.studies.profiles.people import Cast
    from slant.studies.profiles.schema import TraitField

SCHEMA = pl.Schema(
    {
        "view": pl.String, "axis": pl.String, "condition": pl.String, "field": pl.String,
        "group": pl.String, "descriptor": pl.String, "count": pl.Int64, "rest_count": pl.Int64,
        "n": pl.Int64, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64,
        "p": pl.Float64, "q": pl.Float64, "effect": pl.Float64, "direction": pl.String,
        "shift": pl.Float64, "shift_share": pl.Float64, "paper": pl.Boolean,
    }
)  # fmt: skip
"""`value` is the weighted log-odds ratio, `effect` its z by Monroe et al.; `shift` what the word
adds to the Jensen-Shannon divergence, in bits; `paper` whether the published rule selects it."""

_SHOWN = 3
"""Words of each group that become findings whether or not they are significant."""


@dataclass(frozen=True)
class FieldWords:
    """The words of one field, by group."""

    cast: Cast
    field: TraitField
    words: list[str]
    counts: Floats
    odds: LogOdds
    shift: WordShift


def field_words(cast: Cast, field: TraitField) -> FieldWords | None:
    """Count the values of a field and compare groups; `None` if there are fewer than two words."""
    columns: dict[str, int] = {}
    cells = [
        (int(name), columns.setdefault(word, len(columns)))
        for profile, name in zip(cast.profiles, cast.who, strict=True)
        for word in _words(profile.values.get(field.name))
    ]
    if len(columns) < 2:
        return None
    used = np.zeros((len(cast.names), len(columns)))
    np.add.at(used, tuple(np.array(cells).T), 1)
    member = np.eye(len(cast.groups))[cast.code].T
    counts = member @ used
    return FieldWords(
        cast, field, list(columns), counts, weighted_log_odds(used, cast.code), word_shift(counts)
    )


def _words(value: Any) -> list[str]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [str(value)]


def word_table(found: Sequence[FieldWords]) -> pl.DataFrame:
    """List every group and word; q-values hold over all groups and words of a view's fields."""
    parts = []
    for view in dict.fromkeys(view_of(each.cast) for each in found):
        own = [each for each in found if view_of(each.cast) == view]
        table = pl.concat([_rows(each) for each in own])
        q = q_values(table["p"].to_numpy().astype(float))
        parts.append(table.with_columns(pl.Series("q", q, pl.Float64)))
    return pl.concat(parts) if parts else pl.DataFrame(schema=SCHEMA)


def _rows(found: FieldWords) -> pl.DataFrame:
    groups, words = found.counts.shape
    chosen = np.zeros((groups, words), dtype=bool)
    for cell in published_words(found.shift):
        chosen[cell] = True
    rest = found.counts.sum(axis=0) - found.counts
    difference = found.shift.difference.ravel()
    columns = {
        "view": [f"{view_of(found.cast)} · {found.field.short}"] * groups * words,
        "axis": [found.cast.axis] * groups * words,
        "condition": [found.cast.condition] * groups * words,
        "field": [found.field.short] * groups * words,
        "group": np.repeat(np.array(found.cast.groups, dtype=object), words).tolist(),
        "descriptor": found.words * groups,
        "count": found.counts.ravel().astype(int),
        "rest_count": rest.ravel().astype(int),
        "n": np.repeat(found.counts.sum(axis=1), words).astype(int),
        "value": found.odds.value.ravel(),
        "low": found.odds.low.ravel(),
        "high": found.odds.high.ravel(),
        "p": found.odds.p.ravel(),
        "q": np.full(groups * words, np.nan),
        "effect": found.odds.z.ravel(),
        "direction": [
            "more" if each > 0 else "less" if each < 0 else "same" for each in difference
        ],
        "shift": found.shift.contribution.ravel(),
        "shift_share": found.shift.share.ravel(),
        "paper": chosen.ravel(),
    }
    table = pl.DataFrame(columns, schema=SCHEMA)
    return table.with_columns(pl.col(pl.Float64).fill_nan(None))


def word_findings(file: Filing, became: Outcomes, table: pl.DataFrame) -> list[Finding]:
    """Give the significant words, and the strongest of every group and field in any case."""
    if table.is_empty():
        return []
    rank = pl.col("effect").abs().rank("ordinal", descending=True)
    ranked = table.filter(pl.col("p").is_not_null()).with_columns(
        rank.over("axis", "condition", "group").alias("rank")
    )
    chosen = (pl.col("q") < SURE) | (pl.col("rank") <= _SHOWN)
    kept = (
        pl.concat(
            for_selected(family.filter(chosen), family.height)
            for _, family in ranked.group_by("axis", "condition", maintain_order=True)
        )
        if ranked.height
        else ranked
    )
    what = replace(SAYING, effect_name="z", selected=True, how={
        "log_odds": "dirichlet(vocabulary)", "ci": f"names,{SELECTED}",
        "null": "median-test(names)",
    })  # fmt: skip
    return [
        file(
            what,
            _whom(row, became),
            Measured(row["value"], row["low"], row["high"], row["n"], p=row["p"], q=row["q"],
                     effect=row["effect"], family=f"{WORD} {row['axis']} {row['condition']}"),
        )
        for row in kept.iter_rows(named=True)
    ]  # fmt: skip


def _whom(row: Mapping[str, Any], became: Outcomes) -> Subject:
    word = word_condition(row["field"], row["descriptor"], row["condition"])
    return Subject(row["axis"], row["group"], became[row["condition"]], word)


def paper_word_findings(file: Filing, became: Outcomes, table: pl.DataFrame) -> list[Finding]:
    """Give the words that the published rule selects, their share signed by direction."""
    sign = pl.when(pl.col("direction") == "less").then(-1.0).otherwise(1.0)
    chosen = table.filter("paper").with_columns((pl.col("shift_share") * sign).alias("signed"))
    what = replace(
        SAYING, metric=SHIFT, how={"divergence": "jensen-shannon(bits,1/2)",
                                   "words": "3-of-a-group,10-of-all"},
    )  # fmt: skip
    return [
        file(what, _whom(row, became), Measured(row["signed"], n=row["n"]))
        for row in chosen.iter_rows(named=True)
    ]
