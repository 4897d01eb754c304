"""Running studies against mock models, again and again, and keeping what came out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.calibration.kept import KeptFinding, KeptRun, read_runs, write_run
from slant.calibration.mocks import mock_rules
from slant.calibration.pipeline import Pipeline
from slant.calibration.subjects import SUBJECTS
from slant.engine.environment import short_hash
from slant.engine.suite import load_suite
from slant.errors import InputError, InterruptedRunError, SlantError, unknown
from slant.reports.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from slant.calibration.worlds import World
    from slant.engine.suite import PlannedStudy
    from slant.studies.study import Method

    Told = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Simulated:
    """The runs of one study in one world.

    Attributes
    ----------
    study
        Its name.
    world
        What the model is like.
    runs
        Those that there are.
    """

    study: str
    world: World
    runs: Sequence[KeptRun]


def calibrate(
    planned: Sequence[PlannedStudy],
    worlds: Sequence[World],
    *,
    runs: int,
    seed: int,
    method: Method,
    out: Path,
    told: Told,
) -> Iterator[Simulated]:
    """Run every study in every world; what is there already is not run again.

    Parameters
    ----------
    planned
        Studies, in order.
    worlds
        In order; each study is run in the first before any is in the second.
    runs
        Of each study in a world without anything planted; a quarter where something is planted,
        a fortieth where the model is broken. 0 runs nothing, and takes whatever the folder holds.
    seed
        Of the first run; the others follow.
    method
        `robust` or `paper`.
    out
        Directory for a file a study and world.
    told
        Is called with study and world, runs done, and all.

    Yields
    ------
    Simulated
        As soon as all of its runs are done.

    Raises
    ------
    SlantError
        It was interrupted, or a file cannot be written or is of another calibration.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        for world in worlds:
            for study in planned:
                count = max(round(runs * world.share), 1) if runs else 0
                done = _simulated(study, world, range(seed, seed + count), method, out, told)
                if done.runs:
                    yield done
    except KeyboardInterrupt as error:
        raise InterruptedRunError(
            f"interrupted; every run that was done is kept in {out}. To continue: the same command"
        ) from error
    except OSError as error:
        raise SlantError(f"{out} cannot be written: {error}") from error


def _simulated(
    planned: PlannedStudy, world: World, seeds: range, method: Method, out: Path, told: Told
) -> Simulated:
    name = planned.kind.name
    file = out / f"{name}-{world.name}{'-paper' if method == 'paper' else ''}.jsonl"
    # Those that are set: a parameter that comes to a study later makes no difference.
    settings = planned.settings.model_dump(mode="json", exclude_defaults=True)
    about = {
        "study": name, "world": world.name, "method": method,
        "settings": short_hash({key: str(value) for key, value in settings.items()}),
        "mock": short_hash({"rules": mock_rules(name, world, method=method)}),
    }  # fmt: skip
    known = {run.seed: run for run in read_runs(file, about)}
    if not seeds:
        return Simulated(name, world, [known[each] for each in sorted(known)])
    title = f"{name} · {world.name}"
    told(title, sum(seed in known for seed in seeds), len(seeds))
    pipeline: Pipeline | None = None
    for place, seed in enumerate(seeds, start=1):
        if seed not in known:
            pipeline = pipeline or Pipeline(planned, world, method)
            begun = time.process_time()
            findings = pipeline.run(seed)
            run = KeptRun(
                seed, time.process_time() - begun, [KeptFinding.of(each) for each in findings],
                {each.metric: each.difference for each in visible(findings, planned.label)},
            )  # fmt: skip
            write_run(file, about, run)
            known[seed] = run
            told(title, place, len(seeds))
    return Simulated(name, world, [known[seed] for seed in seeds])


def planned_studies(suite: str | Path, studies: Sequence[str]) -> list[PlannedStudy]:
    """Find studies in a suite, in the order in which they are named.

    Raises
    ------
    InputError
        There is no such suite, it has no such study, or no mock model knows a study.
    """
    found = {each.kind.name: each for each in load_suite(suite).studies}
    for name in studies:
        if name not in found:
            raise unknown(f"study of suite {str(suite)!r},", name, found)
    chosen = [found[name] for name in studies or found]
    for each in chosen:
        if each.kind.name not in SUBJECTS:
            raise InputError(
                f"no mock model knows what to say to study {each.kind.name!r}: those of slant are "
                f"{', '.join(SUBJECTS)}"
            )
    return chosen
