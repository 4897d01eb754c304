"""Tables about annotations: who judged what, how far people agree, what they overruled."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.annotations.automatic import Scorer, own_texts
from slant.annotations.labels import latest
from slant.stats.cohen_kappa import cohen_kappa

if TYPE_CHECKING:
    from slant.annotations.annotation import Annotation
    from slant.annotations.effect import Effect
    from slant.annotations.ledger import Ledger
    from slant.engine.run import Run

_OVERRULED = pl.Schema(
    {
        "study": pl.String(),
        "measure": pl.String(),
        "group": pl.String(),
        "position": pl.Int64(),
        "score": pl.Int64(),
        "label": pl.Int64(),
        "by": pl.String(),
        "reason": pl.String(),
    }
)


def labels_table(model: str, ledger: Ledger, effect: Effect) -> pl.DataFrame:
    """Count what each author judged: one row a study, measure and author.

    Columns: `study`, `measure`, `author`, `judged`, `blind` (drawn at random, score hidden),
    `agree`, `overrule`, `cannot_tell`, `reason_missing`.
    """
    blind = {(line.author, line.key) for line in latest(ledger.lines, sampled=True)}
    counts: dict[tuple[str, str, str], list[int]] = {}
    for line in latest(ledger.lines):
        if line.model != model:
            continue
        count = counts.setdefault((line.study, line.measure, line.author), [0] * 6)
        score = effect.scores.get(line.key, line.automatic)
        differs = line.label is not None and line.label != score
        flags = (
            True, (line.author, line.key) in blind, line.label is not None and not differs,
            differs, line.label is None, line.overrules and not line.reason,
        )  # fmt: skip
        for place, flag in enumerate(flags):
            count[place] += flag
    names = ("judged", "blind", "agree", "overrule", "cannot_tell", "reason_missing")
    schema = dict.fromkeys(("study", "measure", "author"), pl.String()) | dict.fromkeys(
        names, pl.Int64()
    )
    rows = [(*who, *count) for who, count in counts.items()]
    return pl.DataFrame(rows, schema=schema, orient="row").sort("study", "measure", "author")


def authors_table(model: str, ledger: Ledger, effect: Effect, seed: int) -> pl.DataFrame:
    """Compare every two people on the answers that both judged blind.

    Columns: `study`, `measure`, `author`, `other_author`, `both` (answers), `same` (share on
    which they agree), `kappa`, `low`, `high`, `why_none`. Kappa holds for these answers, of which
    as many were drawn of each group and score; it is not weighed up to all answers.
    """
    said: dict[tuple[str, str], dict[str, dict[int, Annotation]]] = {}
    for line in latest(ledger.lines, sampled=True):
        if line.model == model and line.label is not None and line.key in effect.scores:
            by = said.setdefault((line.study, line.measure), {})
            by.setdefault(line.author, {})[line.position] = line
    rows = []
    for (study, measure), by in said.items():
        for one, other in combinations(sorted(by), 2):
            both = by[one].keys() & by[other].keys()
            if not both:
                continue
            table = np.zeros((2, 2), dtype=np.int64)
            for position in both:
                table[by[one][position].label or 0, by[other][position].label or 0] += 1
            rng = np.random.default_rng([seed, *f"{measure} {one} {other}".encode()])
            found = cohen_kappa(table, rng=rng)
            rows.append(
                (study, measure, one, other, len(both), float(np.trace(table) / len(both)),
                 found.value, found.low, found.high, found.reason)
            )  # fmt: skip
    schema = {
        **dict.fromkeys(("study", "measure", "author", "other_author"), pl.String()),
        "both": pl.Int64(),
        **dict.fromkeys(("same", "kappa", "low", "high"), pl.Float64()),
        "why_none": pl.String(),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def overruled_table(run: Run, model: str, effect: Effect) -> pl.DataFrame:
    """List the scores that labels replace, with who says so, why, and the text."""
    rows = [
        (
            study, measure, effect.groups[key][1], position, int(effect.scores[key]),
            agreed.label, ", ".join(each.author for each in against),
            "; ".join(dict.fromkeys(each.reason for each in against)),
        )
        for key, agreed in effect.standing.items()
        for _, study, position, measure in [key]
        for against in [[each for each in agreed.annotations if each.label == agreed.label]]
        if key[0] == model and agreed.label not in (None, effect.scores[key])
    ]  # fmt: skip
    table = pl.DataFrame(rows, schema=_OVERRULED, orient="row")
    if table.is_empty():
        return table
    frames = []
    for (study, measure), part in table.group_by("study", "measure", maintain_order=True):
        texts = own_texts(run, Scorer(model, str(study), str(measure)))
        if texts is None:
            texts = run.answers.filter(model=model, study=study)
        known = texts.filter(pl.col("position").is_in(part["position"].implode()))
        said = known.select("position", "text").collect()
        frames.append(part.join(said, on="position", how="left", maintain_order="left"))
    return pl.concat(frames).sort("study", "measure", "position")
