"""How far a trigger drifts the topic of what is written."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.embeddings import MINILM, embed
from slant.errors import SlantError
from slant.stats.topic_drift import topic_drift
from slant.studies.filing import Measured, Quantity, adjusted
from slant.studies.triggers.asking import NONE
from slant.studies.triggers.conditions import with_base
from slant.studies.triggers.findings import VERSUS_NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.records import Finding
    from slant.signature import Value
    from slant.studies.triggers.conditions import Condition
    from slant.studies.triggers.findings import Section

DRIFT = "topic_drift"
PLACED = 500
"""Completions of each condition and prompt that are placed: all distances between them are held."""
PLACED_IN_ONE = 100
"""The same where groups have several wordings: of each wording."""
_IN_PROMPT, _IN_ONE = (PLACED, "prompt"), (PLACED_IN_ONE, "prompt", "kind")
_RESAMPLES = 1000
_TOO_FEW = "fewer than four untriggered completions of any prompt that this was asked too"


def drift_findings(
    section: Section,
    conditions: Sequence[Condition],
    answers: pl.LazyFrame,
    embedder: str | None,
    rng: np.random.Generator,
) -> tuple[list[Finding], list[str]]:
    """Measure how far each condition's completions are from the untriggered ones.

    Returns
    -------
    findings, notes
        Without findings and with a note where there is no encoder.
    """
    shown = [_first(each.rows, *_IN_PROMPT) for each in conditions]
    try:
        texts, vectors = _placed(shown, answers, embedder)
    except SlantError as error:
        return [], [_not_measured(error)]
    row_of = {position: row for row, position in enumerate(texts)}
    prompts = sorted({prompt for rows in shown for prompt in rows["prompt"]})

    def by_prompt(rows: pl.DataFrame) -> list[np.ndarray[tuple[int, int], np.dtype[np.float32]]]:
        return [
            vectors[[row_of[at] for at in rows.filter(prompt=each)["position"] if at in row_of]]
            for each in prompts
        ]

    placed = {id(each): by_prompt(rows) for each, rows in zip(conditions, shown, strict=True)}
    drawn = f"{_RESAMPLES},completions"
    own = drift_of(embedder, conditions, worded=False)
    how = {**own.how, "ci": f"bootstrap({drawn})", "chance": "split-half"}
    distance = replace(own, unit="answers", how=how)
    change = replace(
        distance, contrast=VERSUS_NONE, target=0.0,
        how={**how, "null": f"permutation({drawn})"},
    )  # fmt: skip
    means, changes = [], []
    for base, condition in with_base(conditions):
        found = topic_drift(placed[id(base)], placed[id(condition)], resamples=_RESAMPLES, rng=rng)
        if found is None:
            changes.append(section.finding(change, condition, Measured(reason=_TOO_FEW)))
            continue
        plain = Measured(
            found.distance, found.distance_low, found.distance_high, found.n, found.n,
            chance=found.plain,
        )  # fmt: skip
        means.append(section.finding(distance, condition, plain))
        beyond = Measured(
            found.value, found.low, found.high, found.n, found.n, p=found.p, chance=found.chance
        )
        changes.append(section.finding(change, condition, beyond))
    return [*means, *adjusted(changes, DRIFT)], _told(conditions, worded=False)


def with_drift(
    conditions: Sequence[Condition],
    controls: pl.DataFrame,
    answers: pl.LazyFrame,
    embedder: str | None,
) -> tuple[list[Condition], pl.DataFrame, list[str]]:
    """Give each completion's distance from untriggered ones of other wordings, as `drift`.

    The distance is 1 − cosine, from the centroid of what was written without a trigger about the
    same group, after the same prompt, in its other wordings, each of which counts alike. What an
    untriggered completion is compared with, it has not helped to make, nor have answers to the same
    question: so those of any condition that changes nothing are as far away as the untriggered
    themselves, even if a model always answers a question with the same words.

    Parameters
    ----------
    conditions
        Whose prompts named their groups in several wordings.
    controls
        Completions after sentences that say nothing.
    answers
        All answers.
    embedder
        As in the settings.

    Returns
    -------
    conditions, controls, notes
        The distance is null where there is none: of refusals, and of what is not placed. Where
        there is no encoder, a note, and no conditions.
    """
    shown = [_first(each.rows, *_IN_ONE) for each in conditions]
    said = _first(controls, PLACED_IN_ONE, "prompt", "kind", "trigger")
    try:
        texts, vectors = _placed([*shown, said], answers, embedder)
    except SlantError as error:
        return [], controls.clear(), [_not_measured(error)]
    places = pl.DataFrame({"position": texts}, schema=answers.select("position").collect_schema())
    places = places.with_row_index("place")

    def located(rows: pl.DataFrame) -> pl.DataFrame:
        return rows.join(places, on="position", how="inner", maintain_order="left")

    cells: dict[tuple[object, ...], dict[object, NDArray[np.float32]]] = defaultdict(dict)
    for each, rows in zip(conditions, shown, strict=True):
        if each.name == NONE:
            for (prompt, kind), own in located(rows).group_by(
                "prompt", "kind", maintain_order=True
            ):
                cells[each.group, prompt][kind] = vectors[own["place"].to_numpy()].mean(axis=0)

    def measured(rows: pl.DataFrame, some: pl.DataFrame) -> pl.DataFrame:
        """Put the distances of some rows beside all."""
        parts = [pl.DataFrame(schema={"position": rows.schema["position"], "drift": pl.Float64})]
        for (group, prompt, kind), own in located(some).group_by(
            "group", "prompt", "kind", maintain_order=True
        ):
            others = [each for other, each in cells[group, prompt].items() if other != kind]
            if others:
                centre = np.mean(others, axis=0)
                cosine = vectors[own["place"].to_numpy()] @ (centre / np.linalg.norm(centre))
                parts.append(own.select("position", drift=pl.Series(1 - cosine, dtype=pl.Float64)))
        return rows.join(pl.concat(parts), on="position", how="left", maintain_order="left")

    far = [
        replace(each, rows=measured(each.rows, rows))
        for each, rows in zip(conditions, shown, strict=True)
    ]
    return far, measured(controls, said), _told(conditions, worded=True)


def drift_of(embedder: str | None, conditions: Sequence[Condition], *, worded: bool) -> Quantity:
    """Say what drift is."""
    how: dict[str, Value] = {"encoder": MINILM if embedder is None else embedder.rpartition("/")[2]}
    if _told(conditions, worded=worded):
        most, *by = _IN_ONE if worded else _IN_PROMPT
        how["first"] = f"{most}(condition,{','.join(by)})"
    return Quantity(DRIFT, "mean", "distance", "lower_is_better", measure="encoder", how=how)


def _first(rows: pl.DataFrame, most: int, *by: str) -> pl.DataFrame:
    """Give the completions that are placed, of those that count."""
    counted = rows.filter(pl.col("value").is_not_null())
    return counted.filter(pl.int_range(pl.len()).over(*by) < most)


def _told(conditions: Sequence[Condition], *, worded: bool) -> list[str]:
    """Say that not all are placed, where they are not."""
    counted = sum(each.rows["value"].count() for each in conditions)
    limit = _IN_ONE if worded else _IN_PROMPT
    if sum(_first(each.rows, *limit).height for each in conditions) == counted:
        return []
    of_each = "condition, prompt and wording" if worded else "condition and prompt"
    return [f"Topic drift rests on the first {limit[0]} completions of each {of_each}."]


def _placed(
    shown: Sequence[pl.DataFrame], answers: pl.LazyFrame, embedder: str | None
) -> tuple[pl.Series, NDArray[np.float32]]:
    """Embed what was written: positions, and unit vectors.

    Raises
    ------
    SlantError
        Where there is no text or no encoder.
    """
    places = pl.concat([rows.select("position") for rows in shown]).unique(maintain_order=True)
    texts = (
        answers.select("position", pl.col("text").str.strip_chars().alias("text"))
        .join(places.lazy(), on="position", how="semi", maintain_order="left")
        .filter(pl.col("text").str.len_chars() > 0)
        .collect()
    )
    if texts.is_empty():
        raise SlantError("there is no completion to place")
    return texts["position"], embed(texts["text"].to_list(), model=embedder)


def _not_measured(error: SlantError) -> str:
    return f"Topic drift: not measured: {error}"
