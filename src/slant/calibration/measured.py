"""What the runs of a calibration come to: nominal error rates beside measured ones."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from slant.calibration.subjects import SUBJECTS
from slant.finding import PLACEBO, SURE, is_comparison, is_sure, versus
from slant.stats import wilson
from slant.stats.tree_bh import tree_q

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.calibration.calibrate import Simulated
    from slant.calibration.kept import KeptFinding, KeptRun

Verdict = Literal["holds", "not calibrated", "cautious", "too few runs to tell"]

_COVERED = (0.93, 0.97)
_ENOUGH = 20
"""Runs from which their mean is known well enough to be taken for the truth."""

_NOT_ZERO = {versus("halves")}
"""Comparisons that show something where nothing is planted, and are tested by nothing: any two
articles differ by more than the halves of one."""

ALL = "all studies together"


@dataclass(frozen=True)
class Share:
    """How often something happened.

    Attributes
    ----------
    value, low, high
        The share with its 95% interval (Wilson 1927; over runs, for what is of one run hangs
        together); NaN where nothing was counted.
    n
        How many were counted.
    """

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class TooShort:
    """A metric whose intervals hold the truth less often than they say.

    Attributes
    ----------
    metric
        Which.
    of
        Whether it is its differences or its figures.
    covered
        How many of its 95% intervals hold the truth.
    """

    metric: str
    of: Literal["differences", "figures"]
    covered: Share


@dataclass(frozen=True)
class Power:
    """What became of something planted.

    Attributes
    ----------
    found
        In what share of runs a finding about it is sure.
    planted
        The difference itself: the mean over all runs.
    promised
        The smallest difference that a run says it could see with 80% power; the median over runs.
    wrong_sign
        Of sure findings about it, those on the wrong side.
    exaggeration
        How much larger a sure one is on average than what is planted (type M error).
    """

    found: Share
    planted: float
    promised: float | None
    wrong_sign: Share
    exaggeration: float | None


@dataclass(frozen=True)
class Measured:
    """A study in a world.

    Attributes
    ----------
    study, world, seconds
        Which, and the processor time of a run.
    reports
        Reports of the study alone with a sure finding that is false; not counted where what is
        planted changes other comparisons, too.
    families
        Families of tests in which any q, beyond placebos where there are any, is below .05 and
        false.
    differences
        95% intervals of differences that hold the truth, which is that nothing differs; `None`
        where something is planted.
    selected
        The same of differences that are shown because they are the largest of many: of these at
        most 5% are to miss, and where they are few of many, or none is there, fewer do.
    figures
        The same of the groups' own figures, whose truth is the mean of all runs.
    short
        Metrics of which fewer than 93% do, whatever those of the whole study do.
    power
        Where something is planted.
    """

    study: str
    world: str
    runs: int
    seconds: float
    reports: Share
    families: Share
    differences: Share | None
    selected: Share | None
    figures: Share | None
    power: Power | None = None
    short: tuple[TooShort, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Say whether false discoveries and coverage are what they are said to be."""
        verdicts = [_at_most(each) for each in (self.reports, self.families) if each.n]
        verdicts += [_within(each) for each in (self.differences, self.figures) if each is not None]
        if self.selected is not None and self.selected.n:
            verdicts.append(_at_most(_missed(self.selected)))
        order: Sequence[Verdict] = (
            "not calibrated", "too few runs to tell", "cautious", "holds"
        )  # fmt: skip
        return next(each for each in order if each in verdicts)


def measured(simulated: Simulated) -> Measured:
    """Count what came out of the runs of a study in a world."""
    runs, null, subject = simulated.runs, simulated.world.is_null, SUBJECTS[simulated.study]
    planted = None if null else subject.group
    countable = null or subject.alone
    own = [[f for f in run.findings if f.part != PLACEBO] for run in runs]
    # What is planted is no false discovery.
    others = [[f for f in each if planted is None or not _about(f, planted)] for each in own]
    false = [any(f.sure for f in each) for each in others]
    families = [_families(each) for each in others]
    moving = _moving(own)
    return Measured(
        simulated.study,
        simulated.world.name,
        len(runs),
        float(np.mean([run.seconds for run in runs])),
        share([(hit, 1) for hit in false if countable]),
        share([(sum(each), len(each)) for each in families if countable]),
        share([_differences(each, selected=False) for each in moving]) if null else None,
        share([_differences(each, selected=True) for each in moving]) if null else None,
        share(_figures(moving)) if null and len(runs) >= _ENOUGH else None,
        None if null else _power(simulated, runs),
        _short(moving) if null and len(runs) >= _ENOUGH else (),
    )  # fmt: skip


def together(simulated: Sequence[Simulated]) -> Measured | None:
    """Put the first runs of several studies in one world into reports of all of them.

    Returns
    -------
    Measured or None
        Reports with a false sure finding; nothing where there are fewer than two studies, or
        something is planted.
    """
    if len(simulated) < 2 or not simulated[0].world.is_null:
        return None
    count = min(len(each.runs) for each in simulated)
    hits = [_any_sure([each.runs[place] for each in simulated]) for place in range(count)]
    seconds = sum(float(np.mean([run.seconds for run in each.runs])) for each in simulated)
    nothing = Share(np.nan, np.nan, np.nan, 0)
    return Measured(
        ALL, simulated[0].world.name, count, seconds, share([(hit, 1) for hit in hits]), nothing,
        None, None, None,
    )  # fmt: skip


def _any_sure(runs: Sequence[KeptRun]) -> bool:
    """Tell whether a report of these studies is sure of anything, as `slant.studies` has it."""
    tested = [(number, f, f.beyond_q) for number, run in enumerate(runs) for f in run.findings
              if f.beyond_q is not None]  # fmt: skip
    codes: dict[tuple[int, str], int] = {}
    families = [codes.setdefault((number, f.family), len(codes)) for number, f, _ in tested]
    studies = np.unique([number for number, _, _ in tested], return_inverse=True)[1]
    report_q = tree_q([q for _, _, q in tested], [families, studies])
    return any(
        is_sure(
            f.value, f.low, f.high, f.target, q, each, f.unit, f.unit_count, f.placebo_share
        )
        for (_, f, q), each in zip(tested, report_q.tolist(), strict=True)
        if f.part != PLACEBO
    )  # fmt: skip


def share(counts: Iterable[tuple[int | bool, int]]) -> Share:
    """Give a share with its interval, where what is of one run hangs together.

    The interval is Wilson's for as many independent cases as vary so much between runs.

    Parameters
    ----------
    counts
        By run: how many, of how many.
    """
    hits, cases = np.array([*counts], dtype=np.float64).reshape(-1, 2).T
    n = cases.sum()
    if not n:
        return Share(np.nan, np.nan, np.nan, 0)
    value, runs = hits.sum() / n, len(cases)
    spread = ((hits - value * cases) ** 2).sum() / n**2 * runs / max(runs - 1, 1)
    alone = value * (1 - value) / n
    effective = n * alone / spread if spread > alone else n
    low, high = wilson(value * effective, effective)
    return Share(float(value), float(low), float(high), int(n))


def _families(findings: Iterable[KeptFinding]) -> list[bool]:
    least: dict[str, float] = {}
    for f in findings:
        if f.beyond_q is not None:
            least[f.family] = min(f.beyond_q, least.get(f.family, 1.0))
    return [q < SURE for q in least.values()]


def _moving(runs: Sequence[Sequence[KeptFinding]]) -> list[list[KeptFinding]]:
    """Leave out what every run finds alike, and rightly: intervals around it cannot miss."""
    seen: dict[tuple[str, ...], list[float | None]] = defaultdict(list)
    for run in runs:
        for f in run:
            right = _is_figure(f) or f.value == (f.target or 0.0)
            seen[_of(f)].append(f.value if right else None)
    still = {
        key
        for key, values in seen.items()
        if len(values) > 1 and len({*values}) == 1 and values[0] is not None
    }
    return [[f for f in run if _of(f) not in still] for run in runs]


def _short(runs: Sequence[Sequence[KeptFinding]]) -> tuple[TooShort, ...]:
    """Name the metrics whose intervals cover too little, those that cover least first."""
    found = []
    for metric in dict.fromkeys(f.metric for run in runs for f in run):
        own = [[f for f in run if f.metric == metric] for run in runs]
        differences = share([_differences(each, selected=False) for each in own])
        found.append(TooShort(metric, "differences", differences))
        found.append(TooShort(metric, "figures", share(_figures(own))))
    short = [each for each in found if _within(each.covered) == "not calibrated"]
    return tuple(sorted(short, key=lambda each: each.covered.value))


def _differences(findings: Iterable[KeptFinding], *, selected: bool) -> tuple[int, int]:
    held = [
        f.low <= (f.target or 0.0) <= f.high
        for f in findings
        if f.selected == selected and is_comparison(f.contrast) and f.contrast not in _NOT_ZERO
        and not f.part.startswith(PLACEBO) and f.low is not None
        and f.high is not None
    ]  # fmt: skip
    return sum(held), len(held)


def _figures(runs: Sequence[Sequence[KeptFinding]]) -> list[tuple[int, int]]:
    """Say how many of each run's own figures have intervals that hold the mean of all runs."""
    every: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for run in runs:
        for f in run:
            if _is_figure(f) and f.value is not None:
                every[_of(f)].append(f.value)
    truth = {key: float(np.mean(values)) for key, values in every.items()}
    held = [
        [f.low <= truth[_of(f)] <= f.high for f in run
         if _is_figure(f) and f.value is not None and f.low is not None and f.high is not None]
        for run in runs
    ]  # fmt: skip
    return [(sum(each), len(each)) for each in held]


def _is_figure(f: KeptFinding) -> bool:
    return f.contrast in {"rate", "mean"} | _NOT_ZERO and not f.part.startswith(PLACEBO)


def _of(f: KeptFinding) -> tuple[str, ...]:
    return f.metric, f.contrast, f.axis, f.group, f.condition, f.slots


def _about(f: KeptFinding, planted: str) -> bool:
    """Tell whether something is planted about whom or what a finding compares."""
    return planted in f.group or f.contrast == versus(planted)


def _power(simulated: Simulated, runs: Sequence[KeptRun]) -> Power:
    subject = SUBJECTS[simulated.study]
    about = [
        [(f.value - (f.target or 0.0), f.sure) for f in run.findings
         if f.metric == subject.metric and _about(f, subject.group) and f.q is not None
         and f.part != PLACEBO and f.value is not None]
        for run in runs
    ]  # fmt: skip
    values = [value for each in about for value, _ in each]
    planted = float(np.mean(values)) if values else float("nan")
    sure = [value for each in about for value, found in each if found]
    promises = [run.visible[subject.metric] for run in runs if subject.metric in run.visible]
    return Power(
        share([(any(found for _, found in each), 1) for each in about]),
        planted,
        float(np.median(promises)) if promises else None,
        share([(sum(value * planted < 0 for value in sure), len(sure))]),
        float(np.mean(np.abs(sure)) / abs(planted)) if sure and planted else None,
    )


def _at_most(found: Share) -> Verdict:
    if found.low > SURE:
        return "not calibrated"
    return "holds" if found.high <= 2 * SURE else "too few runs to tell"


def _missed(held: Share) -> Share:
    return Share(1 - held.value, 1 - held.high, 1 - held.low, held.n)


def _within(found: Share) -> Verdict:
    if not found.n:
        return "holds"
    if found.high < _COVERED[0]:
        return "not calibrated"
    if found.low > _COVERED[1]:
        return "cautious"
    return "holds" if found.high - found.low < 0.05 else "too few runs to tell"  # fmt: skip
