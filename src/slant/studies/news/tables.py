"""Tables of a news study: every pair, every group, and pairs of articles to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.measures.sentences import sentences
from slant.studies.news.findings import FEWEST, REFERENCE, change_metric
from slant.studies.news.sentence_table import about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.groups.group_words import GroupWords
    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.stats.article_pairs import Estimate
    from slant.studies.news.level import Level
    from slant.studies.news.pairs import Pairs

_VIEWED, _LONGEST = 8, 6_000

LISTED = 20_000
"""Pairs of a level that are listed at most: those furthest apart."""

_SPAN = pl.List(pl.Struct({"start": pl.Int64, "end": pl.Int64, "group": pl.String}))
_SENTENCE = pl.List(pl.Struct({"end": pl.Int64, "group": pl.String, "score": pl.Float64}))
_VIEWER: dict[str, Any] = {
    "id": pl.String, "title": pl.String, "words": pl.String, "condition": pl.String,
    "distance": pl.Float64, "scorer": pl.String, "reference": pl.String, "generated": pl.String,
    "reference_spans": _SPAN, "generated_spans": _SPAN,
    "reference_scores": _SENTENCE, "generated_scores": _SENTENCE,
}  # fmt: skip


def by_article(levels: Sequence[Level]) -> pl.DataFrame:
    """List pairs with their distance and signed changes, furthest apart first."""
    parts = []
    for level in levels:
        order = np.argsort(-level.found.distances, kind="stable")[:LISTED]
        places = np.flatnonzero(level.found.kept)[order]
        parts.append(
            pl.DataFrame({"id": level.pairs.ids[places], "title": level.pairs.titles[places]})
            .with_columns(
                pl.lit(level.place).alias("level"),
                pl.lit(level.words.name).alias("words"),
                pl.lit(level.pairs.condition).alias("condition"),
                pl.Series("distance", level.found.distances[order]),
                *(
                    pl.Series(group, level.found.differences[order, place])
                    for place, group in enumerate(level.words.groups)
                ),
            )
        )  # fmt: skip
    if not parts:
        return pl.DataFrame(schema={"id": pl.String, "title": pl.String})
    return pl.concat(parts, how="diagonal").sort("distance", descending=True, maintain_order=True)


def by_group(levels: Sequence[Level], findings: Sequence[Finding]) -> pl.DataFrame:
    """Give each group's mean in references and in generated articles, for slopes.

    Parameters
    ----------
    levels
        What was compared.
    findings
        What came of it: the q-values of changes.

    Returns
    -------
    polars.DataFrame
        `level`, `words`, `condition`, `group`, `reference`, `generated`, `low`, `high` (of the
        change, around `reference`), `q`, `n`.
    """
    q = {(f.metric, f.axis, f.condition, f.group): f.q for f in findings if f.contrast == REFERENCE}
    rows = []
    for level in levels:
        for place, (group, change) in enumerate(
            zip(level.words.groups, level.found.groups, strict=True)
        ):
            signed = change.signed
            if signed.n < FEWEST:
                continue
            before = float(np.nanmean(level.found.before[:, place]))
            rows.append(
                (level.place, level.words.name, level.pairs.condition, group, before,
                 before + signed.value, before + signed.low, before + signed.high,
                 q.get((change_metric(level.metric), level.words.name, level.pairs.condition,
                        group)),
                 signed.n)
            )  # fmt: skip
    schema = {
        "level": pl.String, "words": pl.String, "condition": pl.String, "group": pl.String,
        "reference": pl.Float64, "generated": pl.Float64, "low": pl.Float64, "high": pl.Float64,
        "q": pl.Float64, "n": pl.Int64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def prejudice(levels: Sequence[Level]) -> pl.DataFrame:
    """Give what the publication shows of each group (Figures 2b, 2c and their like).

    Returns
    -------
    polars.DataFrame
        `level`, `words`, `condition`, `group`; `share`, `low`, `high`, `n`: of the articles that
        can show it, those whose figure is worse than the reference's; `decrease`, `decrease_low`,
        `decrease_high`, `decrease_n`: by how much, in these. Null where it is not known.
    """
    rows = [
        {
            "level": level.place,
            "words": level.words.name,
            "condition": level.pairs.condition,
            "group": group,
            **_told(change.prejudice, "share", ""),
            **_told(change.decrease, "decrease", "decrease_"),
        }
        for level in levels
        for group, change in zip(level.words.groups, level.found.groups, strict=True)
    ]
    schema: dict[str, Any] = {
        **dict.fromkeys(("level", "words", "condition", "group"), pl.String),
        **dict.fromkeys(("share", "low", "high"), pl.Float64), "n": pl.Int64,
        **dict.fromkeys(("decrease", "decrease_low", "decrease_high"), pl.Float64),
        "decrease_n": pl.Int64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema).fill_nan(None)


def _told(found: Estimate, name: str, prefix: str) -> dict[str, float]:
    ends = {f"{prefix}low": found.low, f"{prefix}high": found.high}
    return {name: found.value, **ends, f"{prefix}n": found.n}


def lengths(every: Sequence[Pairs]) -> pl.DataFrame:
    """Count the words of articles (Table 3).

    Returns
    -------
    polars.DataFrame
        `condition`, `reference` and `generated` (words in an article, on average), `n` (pairs).
    """
    rows = []
    for pairs in every:
        words, n = [0, 0], 0
        for batch in pairs.batches():
            n += batch.height
            for place, column in enumerate(("reference", "generated")):
                words[place] += int(batch[column].str.count_matches(r"\S+").sum())
        if n:
            rows.append((pairs.condition, words[0] / n, words[1] / n, n))
    schema = {
        "condition": pl.String, "reference": pl.Float64, "generated": pl.Float64, "n": pl.Int64
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def viewer(
    levels: Sequence[Level], words: Sequence[GroupWords], scorers: Sequence[Measure]
) -> pl.DataFrame:
    """Put the pairs that are furthest apart side by side, with group words and sentences' scores.

    Returns
    -------
    polars.DataFrame
        Texts of `reference` and `generated`, the places of group words in them, and the first
        scorer's figure of every sentence that is about a group, with where the sentence ends.
    """
    rows: list[dict[str, Any]] = []
    scorer = scorers[0] if scorers else None
    for level in (each for each in levels if each.metric == "word"):
        ids = level.pairs.ids.filter(pl.Series(level.found.kept))
        order = np.argsort(-level.found.distances, kind="stable")[:_VIEWED]
        distance = {
            ids[int(place)]: float(level.found.distances[place])
            for place in order
            if level.found.distances[place] > 0
        }
        for row in level.pairs.some(list(distance)).iter_rows(named=True):
            shown = {side: row[side][:_LONGEST] for side in ("reference", "generated")}
            rows.append(
                {
                    "id": row["id"],
                    "title": row["title"],
                    "words": level.words.name,
                    "condition": level.pairs.condition,
                    "distance": distance[row["id"]],
                    "scorer": scorer.called if scorer else None,
                    **shown,
                    **{
                        f"{side}_spans": [
                            {"start": start, "end": end, "group": group}
                            for start, end, group in level.words.spans(text)
                        ]
                        for side, text in shown.items()
                    },
                    **{
                        f"{side}_scores": _scored(text, level.words, scorer)
                        for side, text in shown.items()
                    },
                }
            )
    return pl.DataFrame(rows, schema=_VIEWER)


def _scored(text: str, words: GroupWords, scorer: Measure | None) -> list[dict[str, Any]]:
    """Give the ends of the sentences that are about a group, with their group and score."""
    parts = sentences(text)
    whose = about(words.count(pl.Series(parts, dtype=pl.String)))
    told, end = [], 0
    for part, who in zip(parts, whose.tolist(), strict=True):
        end = text.index(part, end) + len(part)
        if who >= 0:
            told.append((part, end, words.groups[who]))
    scores = scorer.each([part for part, _, _ in told]).tolist() if scorer else [None] * len(told)
    return [
        {"end": end, "group": group, "score": score}
        for (_, end, group), score in zip(told, scores, strict=True)
    ]
