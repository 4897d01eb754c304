"""Likelihoods in sentences: two sentences, both probabilities, and the ratio in words."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

import polars as pl

from slant.reports.numbers import plain
from slant.reports.observations.asked import SLOT, WHO, about, beside
from slant.reports.observations.observation import Observation, chance_of, compared, side, two_sides
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from slant.records import Finding
    from slant.reports.observations.asked import Asked

_OF_THE_WORD = ("noun", "form", "noun_kind")
"""Slots that tell which word is asked about, and not after what."""

_ARROW = " → "
"""Stands in a prompt between what is given and what is asked about."""


def sentences_of_names(asked: Asked, finding: Finding, most: int) -> list[Observation]:
    """Compare sentences about the group's names with those about others' names."""
    table = asked.adjusted(finding.model, finding.study, finding.part)
    pairs = beside(about(table, finding), finding).head(most)
    told = []
    for row, texts in _read(asked, finding, pairs, table):
        figures = [f"perplexity {plain(exp(-row[name]))}" for name in ("mean", "other_mean")]
        names = [one_line(str(row[name]), 60) for name in ("name", "other_name")]
        ratio = compared(row["value"] - row["other_value"], f"“{one_line(texts[1], 120)}”")
        words = (
            f"“{one_line(texts[0], 120)}” is, token for token, {ratio}, when what the names "
            f"{names[0]} and {names[1]} do to all such sentences is taken out."
        )
        told.append(Observation(words, two_sides(texts, (figures[0], figures[1]))))
    return told


def ends_of_prompts(asked: Asked, finding: Finding, most: int) -> list[Observation]:
    """Compare how probable one end of a sentence is rather than another, after two groups."""
    table = asked.questions(finding.model, finding.study, finding.part)
    end_of = f"{SLOT}side"
    key = [name for name in table.columns if name in ("condition", "axis", "group")
           or (name.startswith(SLOT) and name != end_of)]  # fmt: skip
    marked, unmarked = (
        table.filter(pl.col(end_of) == name, pl.col("total").is_not_null())
        for name in ("marked", "unmarked")
    )
    against = unmarked.select(
        *key, pl.col("position").alias("instead"), pl.col("total").alias("instead_total")
    )
    leans = marked.join(against, on=key, how="inner", nulls_equal=True, maintain_order="left")
    leans = leans.with_columns((pl.col("total") - pl.col("instead_total")).alias("value"))
    pairs = beside(about(leans, finding), finding).head(most)
    told = []
    for row, texts in _read(asked, finding, pairs, leans):
        instead = asked.texts(finding, [row["instead"]])["prompt"].to_list()
        end, other_end = (
            one_line(text.partition(_ARROW)[2], 90) for text in (row["text"], instead[0])
        )
        figures = (
            (
                f"{chance_of(row['total'])}, against {chance_of(row['instead_total'])} "
                f"for “{other_end}”"
            ),
            f"{chance_of(row['other_total'])}, against {chance_of(row['other_instead_total'])}",
        )
        starts = [one_line(row[name].partition(_ARROW)[0], 90) for name in ("text", "other_text")]
        ratio = compared(row["value"] - row["other_value"], f"after “{starts[1]} …”")
        words = f"After “{starts[0]} …”, “{end}” rather than “{other_end}” is {ratio}."
        told.append(Observation(words, two_sides(texts, figures)))
    return told


def words_after_prompts(asked: Asked, finding: Finding, most: int) -> list[Observation]:
    """Compare the shares that a word has of all words asked about, after two groups."""
    table = asked.questions(finding.model, finding.study, finding.part)
    asked_for = {f"{SLOT}{name}" for name in _OF_THE_WORD}
    source = [name for name in table.columns if name in ("condition", "axis", "group")
              or (name.startswith(SLOT) and name not in asked_for)]  # fmt: skip
    total = pl.col("total").exp().sum().over(source).log()
    shares = table.filter(pl.col("total").is_not_null()).with_columns(
        (pl.col("total") - total).alias("value")
    )
    pairs = beside(about(shares, finding), finding).head(most)
    told = []
    for row, texts in _read(asked, finding, pairs, shares):
        figures = [
            f"probability {chance_of(row[whole])}; {chance_of(row[share])} of all words asked about"
            for whole, share in (("total", "value"), ("other_total", "other_value"))
        ]
        starts = [one_line(row[name].partition(_ARROW)[0], 90) for name in ("text", "other_text")]
        word = one_line(row["text"].partition(_ARROW)[2], 60)
        ratio = compared(row["value"] - row["other_value"], f"after “{starts[1]} …”")
        words = f"After “{starts[0]} …”, “{word}” is {ratio}, among the words asked about."
        told.append(Observation(words, two_sides(texts, (figures[0], figures[1]))))
    return told


def plain_sentences(asked: Asked, finding: Finding, most: int) -> list[Observation]:
    """Show how probable sentences are that no rule above knows how to compare."""
    table = asked.questions(finding.model, finding.study, finding.part)
    table = table.with_columns(pl.col("mean").alias("value"))
    narrow = about(table, finding)
    pairs = beside(narrow, finding).head(most)
    if pairs.is_empty():  # nobody else was asked about under this condition
        of_group = (pl.col(WHO) == finding.group) | finding.is_control  # a control is of them all
        own = narrow.filter(of_group).drop_nulls("mean")
        own = own.sort("mean", descending=(finding.value or 0.0) < 0).head(most)
        perplexity = dict(own.select("position", "mean").iter_rows())
        texts = asked.texts(finding, list(perplexity)).select("position", "prompt").iter_rows()
        return [
            Observation("", (side((text or "").replace(_ARROW, "", 1),
                                  f"perplexity {plain(exp(-perplexity[position]))}"),))
            for position, text in texts
        ]  # fmt: skip
    return [
        Observation(
            f"Token for token, it is {compared(row['value'] - row['other_value'], 'the other')}.",
            two_sides(texts, (f"perplexity {plain(exp(-row['mean']))}",
                              f"perplexity {plain(exp(-row['other_mean']))}")),
        )
        for row, texts in _read(asked, finding, pairs, table)
    ]  # fmt: skip


def _read(
    asked: Asked, finding: Finding, pairs: pl.DataFrame, table: pl.DataFrame
) -> list[tuple[dict[str, Any], tuple[str, str]]]:
    """Give each pair with the figures of both questions, and the two sentences."""
    columns = [
        name for name in ("mean", "total", "instead_total", "instead") if name in table.columns
    ]
    names = [f"{SLOT}name"] if f"{SLOT}name" in table.columns else []
    renamed = {name: f"other_{name}" for name in columns} | dict.fromkeys(names, "other_name")
    renamed["position"] = "other"
    others = table.select("position", *columns, *names).rename(renamed)
    joined = pairs.join(others, on="other", how="left", maintain_order="left")
    positions = [*joined["position"], *joined["other"]]
    prompts = dict(asked.texts(finding, positions).select("position", "prompt").iter_rows())
    found = []
    for row in joined.iter_rows(named=True):
        text, other = prompts.get(row["position"]) or "", prompts.get(row["other"]) or ""
        row |= {"text": text, "other_text": other, "name": row.get(f"{SLOT}name", row[WHO])}
        found.append((row, (text.replace(_ARROW, "", 1), other.replace(_ARROW, "", 1))))
    return found
