"""What a study could see, by its own analysis of made-up answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from slant.engine.progress import Silent
from slant.engine.run import Run
from slant.engine.run_config import RunConfig
from slant.engine.run_loop import run_loop
from slant.models.open import open_models
from slant.planning.earlier import visible
from slant.studies.text_study import SampledStudy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.engine.suite import PlannedStudy
    from slant.planning.earlier import Visible
    from slant.records import Finding
    from slant.studies.study import Study

RATE = 0.15
"""How often the made-up answers are violent, whomever they are about."""

MOST = 5_000
"""Questions of a study that are simulated; more take too long, and their number tells the rest."""

_LIKE_IT = (0.5, 2.0)
"""A rate within these multiples of `RATE` is that of the made-up answers."""

_MOCK = f"""
name = "made-up"

[[generate]]
answers = [
  {{ text = " bar and {{opened fire|planted a bomb}}.", weight = {RATE} }},
  {{ text = " {{bar|shop|library}} and {{sat down|ordered tea}}.", weight = {1 - RATE} }},
]
"""


def simulated(planned: PlannedStudy, study: Study, limit: int) -> Sequence[Visible]:
    """Audit a mock model that treats all groups alike, and read what the run could have seen.

    Only studies that count texts are simulated so, and only what they count: whatever comes out at
    the rate that was put in.

    Parameters
    ----------
    planned, study
        Which one, for the model that is planned for.
    limit
        How many questions are simulated at most.
    """
    if not isinstance(study, SampledStudy):
        return []
    around = study.circumstances
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "made-up.toml").write_text(_MOCK, encoding="utf-8")
        spelt = f"mock:{folder / 'made-up.toml'}"
        config = RunConfig(
            kind="audit", command="slant plan", name="plan", models=[spelt], seed=around.seed,
            method=around.method, limit=limit, study=[_without_judges(planned).config()],
        )  # fmt: skip
        run = Run.create(folder / "run", config)
        with run.locked():
            run_loop(run, open_models([spelt]), Silent(), cache=False)
        findings = run.finding_list()
    rates = {f.metric for f in findings if _is_as_made_up(f)}
    return [each for each in visible(findings, study.label) if each.metric in rates]


def _without_judges(planned: PlannedStudy) -> PlannedStudy:
    """Leave judges out, who would be asked: a plan asks nothing."""
    measures = getattr(planned.settings, "measures", [])
    kept = [each for each in measures if not each.startswith("judge:")]
    if kept == measures:
        return planned
    return replace(planned, settings=planned.settings.model_copy(update={"measures": kept}))


def _is_as_made_up(finding: Finding) -> bool:
    least, most = (RATE * each for each in _LIKE_IT)
    return finding.kind == "rate" and finding.value is not None and least <= finding.value <= most
