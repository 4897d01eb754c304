"""What a news study shows: its figures, and sentences as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.news.findings import (
    FEWEST,
    REFERENCE,
    change_metric,
    decrease_metric,
    distance_metric,
    prejudice_metric,
)
from slant.studies.study import Figure, Quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.studies.news.level import Level

_QUOTES, _LONGEST = 3, 600
_TITLES = {
    "word": (
        "{words}: how the share of each group's words changes from the reference",
        "{words}: in how many articles a group's share of words is smaller than in the reference",
    ),
    "document": (
        "{words}: how the share of each group's topics changes from the reference",
        "{words}: in how many articles a group's share of topics is smaller than in the reference",
    ),
    "sentiment": (
        "{words}: how the mean sentiment of sentences about each group changes ({scorer})",
        "{words}: how often sentences about a group sound worse than before ({scorer})",
    ),
    "toxicity": (
        "{words}: how the mean toxicity of sentences about each group changes ({scorer})",
        "{words}: how often sentences about a group are more toxic than before ({scorer})",
    ),
}

_OF_SENTENCES = (
    "{words}: how {scorer} of sentences about each group changes",
    "{words}: how often sentences about a group are worse in {scorer} than before",
)


def figures(levels: Sequence[Level], tables: Mapping[str, pl.DataFrame]) -> list[Figure]:
    """Ask for pictures of every level that has anything to show."""
    shown = [
        level for level in levels if any(group.signed.n >= FEWEST for group in level.found.groups)
    ]
    result = []
    for place in dict.fromkeys(level.place for level in shown):
        level = next(each for each in shown if each.place == place)
        kind = level.metric if not level.scorer else place.split(".")[2]
        told = {"words": level.words.title, "scorer": level.scorer}
        change, fewer = (title.format(**told) for title in _TITLES.get(kind, _OF_SENTENCES))
        axis = {"axis": level.words.name}
        result += [
            Figure("forest", change, options={
                "metric": change_metric(level.metric), "contrast": REFERENCE, **axis}),
            Figure("forest", fewer, options={
                "metric": prejudice_metric(level.metric), "contrast": "rate", **axis}),
        ]  # fmt: skip
        if level.metric in ("word", "document"):
            title = f"{level.words.title}: mean shares, from the references to what was generated"
            what = "topics" if level.metric == "document" else "words"
            options = {"level": place, "measure": f"share of all groups' {what}"}
            result.append(Figure("slope", title, "groups", options))
        if level.metric == "document":
            title = f"{level.words.title}: topics, and whose sentences they gather"
            first = {"words": level.words.name, "condition": level.pairs.condition}
            result.append(Figure("topics", title, "topics", first))
    return result


def headline(levels: Sequence[Level]) -> list[Figure]:
    """Ask for the publication's first figures: how far articles are from references, by model.

    Every level of a set of words in one picture (Eq. 4, 5 and 9; Figures 2a, 3a, 4a …), each with
    what two halves of a reference give for a chance line.
    """
    return [
        Figure("forest", f"{title}: how far articles are from their references, level by level",
               options={"metric": [distance_metric(metric) for metric, _ in metrics],
                        "axis": axis, "contrast": "mean", "rows": "model"})
        for (axis, title), metrics in _metrics_by_words(levels).items()
    ]  # fmt: skip


def paper_figures(levels: Sequence[Level]) -> list[Figure]:
    """Ask for the publication's figures of each level (Figures 2 to 7, A.1, A.2), by model.

    How far articles are from their references (a), how many are worse for a group (b), and by how
    much worse these are (c).
    """
    return [
        Figure("forest", f"{title}, {what}: how far, how often worse, how much worse",
               options={"metric": [of(metric) for of in _OF_LEVEL], "axis": axis,
                        "contrast": ["mean", "rate"], "rows": "model"})
        for (axis, title), metrics in _metrics_by_words(levels).items()
        for metric, what in metrics
    ]  # fmt: skip


_COUNTED = {"word": "words", "document": "topics"}
_OF_LEVEL = (distance_metric, prejudice_metric, decrease_metric)


def _metrics_by_words(levels: Sequence[Level]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """List the levels of which something was found, with what they count, by set of words."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for level in levels:
        own = found.setdefault((level.words.name, level.words.title), [])
        what = (
            f"{level.place.split('.')[2]} ({level.scorer})"
            if level.scorer
            else _COUNTED[level.metric]
        )
        if level.found.distance.n >= FEWEST and (level.metric, what) not in own:
            own.append((level.metric, what))
    return {words: metrics for words, metrics in found.items() if metrics}


def quotes(levels: Sequence[Level]) -> list[Quote]:
    """Show for each group the articles in which its share fell most, its words marked."""
    found = []
    for level in (each for each in levels if each.metric == "word"):
        ids = level.pairs.ids.filter(pl.Series(level.found.kept))
        for place, group in enumerate(level.words.groups):
            change = level.found.differences[:, place]
            fell = {
                ids[int(row)]: float(change[row])
                for row in np.argsort(change, kind="stable")[:_QUOTES]
            }
            for row in level.pairs.some(list(fell)).iter_rows(named=True):
                text = row["generated"][:_LONGEST]
                found.append(
                    Quote(
                        group=group,
                        condition=level.pairs.condition,
                        prompt=row["title"],
                        text=text,
                        value=fell[row["id"]],
                        spans=tuple((start, end) for start, end, _ in level.words.spans(text)),
                    )
                )
    return found
