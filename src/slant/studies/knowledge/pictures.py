"""What of the triples a report shows: pictures, the graph, and some statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.measures.instruments import ATTACK
from slant.studies.knowledge.augmentation import augmentation_figures
from slant.studies.knowledge.findings import ENTROPY, REFUSALS, VALID
from slant.studies.study import Figure, Quote, View

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Finding
    from slant.studies.knowledge.measuring import Measured, Ruler

_QUOTES = 3


def figures_of(
    findings: Sequence[Finding], tables: dict[str, pl.DataFrame], ruler: Ruler
) -> list[Figure]:  # fmt: skip
    """Ask for the paper's figures, as far as there is something to show."""
    there = {(f.metric, f.contrast) for f in findings if f.value is not None}
    by = ruler.by
    wanted = [
        ("regard", "mean", "Overall regard of each subject: (N₊ − N₋) / N"),
        ("regard", "vs_rest", "Whose regard differs from the others'"),
        ("negative_regard", "vs_rest", "Of whom more of what is said is negative"),
        *(
            (
                name,
                "vs_rest",
                f"Whose {name.replace('_', ' ')} differs from the others' ({by[name]})",
            )
            for name in by
        ),
        ("warmth", "vs_rest", "Who is spoken of as warmer or colder than the others"),
        ("competence", "vs_rest", "Who is spoken of as more or less competent than the others"),
        (ENTROPY, "strength", "How far each subject's topics are from all others' (bits)"),
        (REFUSALS, "vs_rest", "About whom the model refuses more often"),
    ]
    figures = [
        Figure("forest", title, options={"metric": metric, "contrast": contrast})
        for metric, contrast, title in wanted
        if (metric, contrast) in there
    ]
    figures = [*figures, *_pictures(tables)]
    figures += [
        Figure("forest", f"What the way of asking does to {metric}",
               options={"metric": f"{metric}_change"})
        for metric in (ATTACK, "toxicity", "regard")
        if any(f.metric == f"{metric}_change" and f.value is not None for f in findings)
    ]  # fmt: skip
    figures += augmentation_figures(tables)
    if "regard_named" in tables:
        figures.append(Figure(
            "dumbbell", "Regard of what is said, and the same with the subject named",
            "regard_named",
            {"measure": "overall regard, as a share", "sides": "from “They …” to “SUBJECT …”"},
        ))  # fmt: skip
    if "drops" in tables and tables["drops"]["dropped"].sum():
        figures.append(Figure("outcomes", "How requests ended", options={"metric": VALID}))
    return figures


def graph_of(tables: Mapping[str, pl.DataFrame]) -> list[View]:
    """Show the graph, unless no triple was kept."""
    if not tables["triples"]["kept"].any():
        return []
    return [View("graph", "What the model says of whom: the graph to explore", "triples")]


def _pictures(tables: Mapping[str, pl.DataFrame]) -> list[Figure]:
    """Ask for pictures of triples, topics and requests: Figures 3, 4 and 7 of the paper."""
    found: list[Figure] = []
    subjects = tables.get("subjects")
    harm = _harm(tables["triples"])
    said = "Attacks on an identity" if harm == ATTACK else "Toxicity"
    if subjects is not None and subjects.drop_nulls(["regard", harm]).height > 1:
        options = {"x": "regard", "y": harm, "group": "subject", "panel": "class",
                   "x_label": "overall regard, as a share",
                   "y_label": f"mean {_in_words(harm)}"}  # fmt: skip
        title = f"Regard and {said[:1].lower()}{said[1:]} of what is said of each subject"
        found.append(Figure("scatter", title, "subjects", options))
    if "topic_shares" in tables and tables["topic_shares"].height:
        title = "Which topics each subject is spoken of in"
        found.append(Figure("shares", title, "topic_shares", {"group": "subject"}))
    kept = tables["triples"].filter("kept")
    if kept[harm].drop_nulls().len():
        options = {"value": harm, "group": "subject", "label": f"{_in_words(harm)} of a triple"}
        title = f"{said} of every triple, by subject"
        found.append(Figure("boxes", title, "triples", options))
    if "saturation" in tables and tables["saturation"].height:
        title = "How many distinct triples so many requests gave: is the graph grown enough?"
        found.append(Figure("saturation", title, "saturation"))
    return found


def _harm(triples: pl.DataFrame) -> str:
    """Name what Figures 3 and 7 show: attacks on an identity where told, else toxicity."""
    told = ATTACK in triples.columns and triples[ATTACK].count() > 0
    return ATTACK if told else "toxicity"


def _in_words(metric: str) -> str:
    return metric.replace("_", " ")


def quotes_of(measured: Measured) -> list[Quote]:
    """Show of each subject the triples of the lowest regard, and one of the highest."""
    quotes = []
    kept = measured.kept.filter(pl.col("regard").is_not_null())
    for _, own in kept.group_by("class", "subject", maintain_order=True):
        order = own.sort("regard", maintain_order=True)
        shown = pl.concat([order.head(_QUOTES - 1), order.tail(1)]).unique(maintain_order=True)
        quotes += [
            Quote(
                group=row["subject"], condition=row["variant"], prompt=row["prompt"],
                text=f"{row['subject']} {row['predicate']} {row['object']}.",
                value=row["regard"], sensitive=row["sign"] < 0,
            )
            for row in shown.iter_rows(named=True)
        ]  # fmt: skip
    return quotes
