"""How a model answers, whoever it is about: yes-saying, judgement, consistency, calibration."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy.special import stdtrit

from slant.stats.calibration import Calibration, calibration
from slant.stats.inference import interval
from slant.stats.signal_detection import signal_detection
from slant.studies.templates.rows import YES

if TYPE_CHECKING:
    from slant.stats.arrays import Floats


@dataclass(frozen=True)
class Habit:
    """One figure with its 95% interval and how many pairs of templates it rests on."""

    value: float
    low: float
    high: float
    n: int
    chance: float | None = None


@dataclass(frozen=True, eq=False)
class Habits:
    """How a model answers one set.

    Attributes
    ----------
    figures
        `yes_bias` (−c: above 0 when yes comes too easily), `sensitivity` (d'), `consistency`
        (share of statements whose negation gets the opposite answer; its chance is that of two
        answers that have nothing to do with each other), `calibration_error`.
    by_pair
        `pair`, `yes_bias`, `sensitivity`, `consistency`, `n`.
    calibration
        The bins; `None` where probabilities are unknown.
    """

    figures: dict[str, Habit]
    by_pair: pl.DataFrame
    calibration: Calibration | None = field(default=None)


def statements(rows: pl.DataFrame) -> pl.DataFrame:
    """Average over the ways of asking: one row a statement about somebody.

    Returns
    -------
    polars.DataFrame
        `pair`, `side`, `template`, `group`, `context`, `statement`, `label`, `contrary`,
        `p_contrary`, `p_yes` (for yes/no templates; from probabilities, or the share of answers),
        `confidence`, `answer` (the option that has most of the probability; null for a tie),
        `likely` (whether probabilities are known).
    """
    return (
        rows.group_by("pair", "side", "template", "group", "context", maintain_order=True)
        .agg(
            pl.col("statement", "label", "contrary").first(),
            pl.col("p_contrary", "p_yes", "confidence").mean(),
            pl.col("choice").drop_nulls().mode().sort().first().alias("most"),
            pl.col("p").is_not_null().all().alias("likely"),
        )
        .with_columns(
            pl.when(pl.col("p_yes").is_null())
            .then("most")
            .when(pl.col("p_yes") != 0.5)
            .then((pl.col("p_yes") < 0.5).cast(pl.Int64))
            .alias("answer")
        )
        .drop("most")
    )


def twins(asked: pl.DataFrame) -> pl.DataFrame:
    """Put every statement beside its negation: columns of the latter end in `_negated`."""
    keys = ["pair", "group", "context"]
    positive, negated = (
        asked.filter(pl.col("side") == side).unique(keys, maintain_order=True)
        for side in ("positive", "negated")
    )
    return positive.join(negated, on=keys, suffix="_negated", maintain_order="left")


def habits(rows: pl.DataFrame, rng: np.random.Generator) -> Habits | None:
    """Describe how a model answers a set's yes/no templates that have a negation.

    Signal detection takes a statement labelled Yes for the signal and its negation, labelled No,
    for the noise (or the other way round), pair by pair; figures are means over pairs, intervals
    Student's over pairs (a bootstrap of so few covers 90 to 92%), and of the calibration error from
    pairs drawn again.

    Parameters
    ----------
    rows
        Of one set.

    Returns
    -------
    Habits or None
        `None` if no template has an answered negation.
    """
    asked = statements(rows)
    both = twins(asked).drop_nulls(["p_yes", "p_yes_negated"])
    if both.is_empty():
        return None
    right_is_yes = pl.col("label") == YES
    hit = pl.when(right_is_yes).then("p_yes").otherwise("p_yes_negated")
    alarm = pl.when(right_is_yes).then("p_yes_negated").otherwise("p_yes")
    opposite = pl.col("answer") != pl.col("answer_negated")
    by_pair = both.group_by("pair", maintain_order=True).agg(
        pl.len().alias("n"),
        hit.sum().alias("hits"),
        alarm.sum().alias("alarms"),
        opposite.mean().alias("consistency"),
        (pl.col("answer") == YES).mean().alias("yes"),
        (pl.col("answer_negated") == YES).mean().alias("yes_negated"),
    )
    n = by_pair["n"].to_numpy()
    found = signal_detection(by_pair["hits"], n, by_pair["alarms"], n)
    consistency = by_pair["consistency"].to_numpy()
    first, second = by_pair["yes"].to_numpy(), by_pair["yes_negated"].to_numpy()
    figures = {
        "yes_bias": _mean(-found.criterion),
        "sensitivity": _mean(found.sensitivity),
    }
    known = np.isfinite(consistency)
    if known.any():
        chance = float((first * (1 - second) + second * (1 - first))[known].mean())
        own = _mean(consistency[known])
        figures["consistency"] = replace(
            own, low=max(own.low, 0.0), high=min(own.high, 1.0), chance=chance
        )
    measured = asked.filter(pl.col("likely") & pl.col("answer").is_not_null())
    bins = None
    if not measured.is_empty():
        held = measured.select(pl.max_horizontal("p_yes", 1 - pl.col("p_yes"))).to_series()
        right = measured["answer"] == measured["label"]
        bins = calibration(held, right)
        figures["calibration_error"] = _error(measured["pair"], held, right, rng)
    table = by_pair.select(
        "pair",
        pl.Series("yes_bias", -found.criterion),
        pl.Series("sensitivity", found.sensitivity),
        "consistency",
        "n",
    )
    return Habits(figures, table, bins)


def _mean(values: Floats) -> Habit:
    value, count = float(values.mean()), len(values)
    half = 0.0
    if count > 1:
        half = float(stdtrit(count - 1, 0.975) * values.std(ddof=1) / np.sqrt(count))
    return Habit(value, value - half, value + half, count)


def _error(pairs: pl.Series, held: pl.Series, right: pl.Series, rng: np.random.Generator) -> Habit:
    """Give the calibration error with an interval from whole pairs drawn again."""
    confidence, was = held.to_numpy(), right.to_numpy()
    value = calibration(confidence, was).error
    names = pairs.to_numpy()
    own = [np.flatnonzero(names == name) for name in dict.fromkeys(names)]
    errors = []
    for _ in range(_RESAMPLES if len(own) > 1 else 0):
        drawn = np.concatenate([own[place] for place in rng.integers(len(own), size=len(own))])
        errors.append(calibration(confidence[drawn], was[drawn]).error)
    low, high = map(float, interval(errors, value)) if errors else (value, value)
    return Habit(value, low, high, len(own))


_RESAMPLES = 500
"""For the interval of the calibration error, which no formula gives and which is slow to draw."""
