"""Several models held against each other: how strongly each leans, theme by theme."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from slant.reports.associations import readings
from slant.stats.rank_intervals import rank_intervals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.associations import Reading, Topic

ALL_THEMES = "all themes"
_Z = 1.959963984540054


@dataclass(frozen=True)
class Dot:
    """What all measures together say of one model, group and theme.

    Attributes
    ----------
    model, axis, group, topic
        Of what.
    strength, low, high
        Mean over the measures, in standard deviations; positive is worse for the group.
    sure
        Whether a measure is sure of that side.
    severity
        How bad it would be.
    """

    model: str
    axis: str
    group: str
    topic: Topic
    strength: float
    low: float
    high: float
    sure: bool
    severity: int


@dataclass(frozen=True)
class ModelLean:
    """How strongly a model leans on a theme.

    Attributes
    ----------
    model
        Which.
    lean, low, high
        Root mean square of its leans, in standard deviations, without what chance adds to squares;
        with a 95% interval.
    rank, rank_low, rank_high
        Its rank, 1 for the strongest lean, with a simultaneous 95% interval.
    """

    model: str
    lean: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int


@dataclass(frozen=True)
class ThemeLeans:
    """How strongly models lean on one theme, or on all.

    Attributes
    ----------
    theme
        Which; `ALL_THEMES` for the mean over themes.
    leans
        Of every model, the strongest first.
    n
        How many leans, each of a group by a measure, every model is judged by.
    severity
        How bad leans on the theme would be.
    """

    theme: str
    leans: tuple[ModelLean, ...]
    n: int
    severity: int


@dataclass(frozen=True)
class ModelLeans:
    """Several models held against each other.

    Attributes
    ----------
    models
        In the order in which they were asked.
    dots
        By model, group and theme.
    themes
        Rankings: all themes first, then the worst themes.
    partial
        Studies of which figures do not count, because only the strongest were listed.
    """

    models: tuple[str, ...]
    dots: tuple[Dot, ...]
    themes: tuple[ThemeLeans, ...]
    partial: tuple[str, ...] = ()


def model_leans(findings: Iterable[Finding], meanings: Meanings) -> ModelLeans | None:
    r"""Hold several models against each other by what all of them were asked.

    Only figures count that every model has: the same study, metric, group, contrast and
    condition, so that a model does not seem to lean because it was asked more; and none of a metric
    of which only the strongest became findings, for these lean in any model. The lean on a
    theme is the mean of :math:`d^2 - s^2` over groups and measures, whose expectation is the mean
    square of the true effects :math:`d` whatever their standard errors :math:`s`; a plain mean
    size would rank a model first for being asked too little. Its variance is that of squares of
    normal estimates, :math:`4 d^2 s^2 + 2 s^4`; groups of one measure are all compared with the
    median of the others, so that :math:`1/(1 + 2 (G - 1)/\pi)` of it, the share of the median of
    :math:`G - 1` groups, counts as if it were the same for all. That is cautious: of equal models
    fewer than 2% are told apart (`docs/statistics.md`).

    Parameters
    ----------
    findings
        Of all models.
    meanings
        What differences mean; themes without a worse side do not count.

    Returns
    -------
    ModelLeans or None
        `None` where fewer than two models have a figure in common.
    """
    given = [finding for finding in findings if finding.is_comparison]
    partial = _partial(given)
    whole = [f for f in given if (f.study, f.metric) not in partial]
    every = [
        each
        for each in readings(_shared(whole), meanings)
        if each.topic.valued and each.strength is not None and each.error is not None
    ]
    models = tuple(dict.fromkeys(each.model for each in every))
    every = _of_all(every, models)
    if len(models) < 2 or not every:
        return None
    return ModelLeans(
        models,
        tuple(_dots(every)),
        tuple(_themes(every, models)),
        tuple(sorted({study for study, _ in partial})),
    )


def _partial(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Find study and metric of which not every group has every condition: a choice was made."""
    cells: dict[tuple[str, str, str, str, str], set[tuple[str, str]]] = defaultdict(set)
    for f in findings:
        cells[f.study, f.metric, f.model, f.axis, f.contrast].add((f.group, f.condition))
    return {
        (study, metric)
        for (study, metric, *_), own in cells.items()
        if len(own) < len({group for group, _ in own}) * len({condition for _, condition in own})
    }


def _shared(findings: Sequence[Finding]) -> list[Finding]:
    """Keep the figures that every model has a value of."""
    models = {finding.model for finding in findings}
    having: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for finding in findings:
        if finding.value is not None:
            having[_figure(finding)].add(finding.model)
    return [f for f in findings if having.get(_figure(f)) == models]


def _figure(finding: Finding) -> tuple[str, ...]:
    f = finding
    return f.study, f.metric, f.axis, f.group, f.contrast, f.condition


def _of_all(every: Sequence[Reading], models: Sequence[str]) -> list[Reading]:
    """Keep the readings that every model has."""
    having: dict[object, set[str]] = defaultdict(set)
    for each in every:
        having[_place(each)].add(each.model)
    return [each for each in every if having[_place(each)] == set(models)]


def _place(each: Reading) -> tuple[str, str, str, Topic]:
    return each.measure, each.axis, each.group, each.topic


def _dots(every: Sequence[Reading]) -> list[Dot]:
    together: dict[tuple[str, str, str, Topic], list[Reading]] = defaultdict(list)
    for each in every:
        together[each.model, each.axis, each.group, each.topic].append(each)
    dots = []
    for key, own in together.items():
        strength = fmean(each.strength or 0.0 for each in own)
        half = _Z * math.sqrt(sum((each.error or 0.0) ** 2 for each in own)) / len(own)
        side = "more" if strength > 0 else "less"
        sure = any(each.sure in (side, "both") for each in own)
        severity = max(each.severity for each in own)
        dots.append(Dot(*key, strength, strength - half, strength + half, sure, severity))
    return dots


def _themes(every: Sequence[Reading], models: Sequence[str]) -> list[ThemeLeans]:
    by_theme: dict[str, list[Reading]] = defaultdict(list)
    for each in every:
        by_theme[each.topic.theme].append(each)
    squares, errors, found = [], [], []
    for theme, own in by_theme.items():
        mean, error = zip(*(_square([e for e in own if e.model == m]) for m in models), strict=True)
        squares.append(mean)
        errors.append(error)
        severity = max(each.severity for each in own)
        leans = _ranked(models, np.array(mean), np.array(error))
        found.append(ThemeLeans(theme, leans, len(own) // len(models), severity))
    found.sort(key=lambda each: (-each.severity, -each.leans[0].lean))
    if len(found) < 2:
        return found
    mean_square = np.mean(squares, axis=0)
    its_error = np.sqrt(np.sum(np.square(errors), axis=0)) / len(found)
    leans = _ranked(models, mean_square, its_error)
    n, worst = sum(each.n for each in found), max(each.severity for each in found)
    return [ThemeLeans(ALL_THEMES, leans, n, worst), *found]


def _square(own: Sequence[Reading]) -> tuple[float, float]:
    """Give the mean square lean beyond chance, and its standard error."""
    together: dict[object, list[Reading]] = defaultdict(list)
    for each in own:
        together[each.measure, each.axis, each.topic].append(each)
    total = variance = 0.0
    for group in together.values():
        d = np.array([each.strength or 0.0 for each in group])
        s = np.array([each.error or 0.0 for each in group])
        beyond = d**2 - s**2
        deviation = np.sqrt(4 * np.maximum(beyond, 0.0) * s**2 + 2 * s**4)
        shared = 1 / (1 + 2 * (len(group) - 1) / math.pi)
        total += float(beyond.sum())
        variance += float((1 - shared) * (deviation**2).sum() + shared * deviation.sum() ** 2)
    return total / len(own), math.sqrt(variance) / len(own)


def _ranked(
    models: Sequence[str], squares: np.ndarray, errors: np.ndarray
) -> tuple[ModelLean, ...]:
    ranks = rank_intervals(squares, errors, rng=np.random.default_rng(0))
    leans = [
        ModelLean(
            model, _root(square), _root(square - _Z * error), _root(square + _Z * error),
            int(rank), int(low), int(high),
        )
        for model, square, error, rank, low, high in zip(
            models, squares, errors, ranks.rank, ranks.low, ranks.high, strict=True
        )
    ]  # fmt: skip
    return tuple(sorted(leans, key=lambda each: each.rank))


def _root(square: float) -> float:
    return math.sqrt(max(float(square), 0.0))
