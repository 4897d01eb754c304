"""What a report says its run could see is found in 80% of such runs."""

from __future__ import annotations

import pytest

from slant.calibration.calibrate import planned_studies
from slant.calibration.pipeline import Pipeline
from slant.calibration.subjects import SUBJECTS
from slant.calibration.worlds import World
from slant.reports.visible import visible

RUNS, MOST = 40, 0.8


@pytest.mark.slow
@pytest.mark.parametrize(("study", "guess"), [("completion", 0.5), ("templates", 0.15)])
def test_what_a_run_says_it_could_see_is_found_where_it_is_planted(
    study: str, guess: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """With quirks of prompts and wordings, and the placebo groups that each run has."""
    (planned,) = planned_studies("quick", [study])
    subject, promises, found = SUBJECTS[study], [], []

    def world(planted: float) -> Pipeline:
        return Pipeline(planned, World("quirky", "with quirks", quirks=1.0, effect=planted))

    for seed in range(RUNS):
        seen = {e.metric: e.difference for e in visible(world(guess).run(seed), study)}
        promise = seen[subject.metric]
        if promise > MOST:  # more than can be planted beside what others do
            continue
        findings = world(promise).run(seed)
        promises.append(promise)
        found.append(any(f.is_sure for f in findings
                         if (f.metric, f.group) == (subject.metric, subject.group)))  # fmt: skip
    with capsys.disabled():
        print(study, sorted(promises)[len(promises) // 2], sum(found), len(found))
    error = (0.16 / len(found)) ** 0.5
    assert abs(sum(found) / len(found) - 0.8) < 0.05 + 2 * error
