"""Whether error rates hold, as programs see it."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slant.calibration.measured import Measured
    from slant.studies.study import Method


@dataclass(frozen=True)
class Calibration:
    """Nominal and measured error rates.

    Attributes
    ----------
    every
        What was measured, by world and study; last of each world without anything planted, all
        studies together in one report.
    """

    every: Sequence[Measured]

    def to_dict(self) -> list[dict[str, Any]]:
        """Give everything as `slant calibrate --json` prints it; null for what was not counted."""
        plain: list[dict[str, Any]] = [
            {**asdict(each), "verdict": each.verdict} for each in self.every
        ]
        return [_finite(each) for each in plain]

    def lines(self) -> list[str]:
        """Give the tables, in Markdown."""
        from slant.calibration.lines import lines

        return lines(self.every)

    def draw(self, folder: str | Path) -> list[Path]:
        """Draw everything that was measured, as SVG files in a folder.

        Returns
        -------
        list of pathlib.Path
            The files.
        """
        from slant.calibration.picture import PICTURES, picture
        from slant.errors import InputError
        from slant.reports.save import save_chart

        files = []
        for name in PICTURES:
            try:
                chart = picture(self.every, name)
            except InputError:  # nothing of it was measured
                continue
            files.append(save_chart(chart, Path(folder) / f"{name}.svg"))
        return files


def calibrate(
    studies: Sequence[str] = (),
    *,
    suite: str | Path = "quick",
    worlds: Sequence[str] | None = None,
    runs: int = 400,
    seed: int = 0,
    method: Method = "robust",
    out: str | Path = "calibration",
    told: Callable[[str, int, int], None] = lambda *_: None,
) -> Calibration:
    """Run studies against mock models whose leaning is known, and say whether error rates hold.

    Runs that a folder holds are not run again, so an interrupted calibration goes on where it was.

    Parameters
    ----------
    studies
        Studies of the suite; all where none is named.
    suite
        A packaged suite, or a TOML file.
    worlds
        What mock models are like; all where none is named (docs/calibration.md).
    runs
        Runs of each study where nothing is planted; a quarter of them where something is, a
        fortieth where the model is broken. 0 runs nothing, and tells what the folder holds.
    seed
        Of the first run; the others follow.
    method
        `robust`, or `paper` to see how the publications' methods do.
    out
        Folder for what came out of every run.
    told
        Is called with a title, runs done, and all.

    Returns
    -------
    Calibration
        What was measured.

    Raises
    ------
    InputError
        A study or world is not known, or the folder holds something else.
    InterruptedRunError
        The user pressed Ctrl-C; every run that was done is kept.
    """
    from slant.calibration.calibrate import calibrate as run_all
    from slant.calibration.calibrate import planned_studies
    from slant.calibration.measured import measured, together
    from slant.calibration.worlds import find_worlds

    chosen = find_worlds(worlds)
    planned = planned_studies(suite, [*studies])
    by_world = defaultdict(list)
    every: list[Measured] = []
    for each in run_all(
        planned, chosen, runs=runs, seed=seed, method=method, out=Path(out), told=told
    ):
        by_world[each.world.name].append(each)
    for own in by_world.values():
        joint = together(own)
        every += [*map(measured, own), *([] if joint is None else [joint])]
    return Calibration(every)


def _finite(value: Any) -> Any:
    """Give null for NaN, which JSON has not."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value
