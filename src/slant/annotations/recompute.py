"""Drawing all conclusions again as people rule: the findings with, beside the findings without."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from slant.annotations.apply import applied
from slant.annotations.effect import in_effect
from slant.annotations.ledger import ANNOTATION, Ledger, ledger_file
from slant.annotations.rulings import blind_rulings
from slant.engine.conclude import analysed_together, own
from slant.engine.conclusions import write_conclusions
from slant.engine.judging import hear_verdicts
from slant.engine.remembered import remembered_studies
from slant.studies.section import read_section
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from slant.engine.run import Run
    from slant.studies.section import Section

FOLDER = "judged"


def recompute(run: Run) -> None:
    """Draw the conclusions of every study whose scores have been overruled once more.

    They go into `judged/`: sections and `findings.json`, as those of the run, of the studies that
    labels touch; and a section for each model on how far people and scorers agree. Nothing else
    in the run directory is written.

    Raises
    ------
    InputError
        Another process holds the run, or the ledger has a bad line.
    """
    with run.locked():
        conclude_judged(run)


def conclude_judged(run: Run) -> None:
    """Do as `recompute`, in a run that this process holds; without annotations, do nothing."""
    from slant.annotations.agreement import agreement_section

    ledger = Ledger.read(run.directory)
    if not ledger.lines:
        return
    basis = _basis(run, len(ledger.lines))
    effect = in_effect(run, ledger)
    before = run.finding_list()
    studies = remembered_studies(run)
    hear_verdicts(run, studies)
    rulings = blind_rulings(ledger)
    given, touched = [], set()
    for study in studies:
        whose = study.circumstances.model, study.label
        answers, scores = own(run.answers, study), own(run.scores, study)
        judges = {judge.name for judge in study.judges}
        # Labels of a judge's verdicts say how often it errs, and stand in for none of them.
        labels = {
            key: label for key, label in effect.overruled_in(*whose).items() if key[1] not in judges
        }
        if labels or any(key[:2] == whose and key[3] in judges for key in rulings):
            answers, scores = applied(answers, scores, labels)
            touched.add(whose)
        given.append((study, answers, scores))
    # What one model's labels change may change what another is measured by, as topics are.
    named = {label for _, label in touched}
    again = analysed_together([each for each in given if each[0].label in named], rulings)
    sections: list[Section] = [each for each in again if (each.model, each.label) in touched]
    after = [finding for section in sections for finding in section.analysis.findings]
    without = [finding for finding in before if (finding.model, finding.study) in touched]
    models = dict.fromkeys(line.model for line in ledger.lines)
    for model in models:
        mine = [study for study in studies if study.circumstances.model == model]
        sections.append(
            agreement_section(
                run, mine, ledger, effect,
                [finding for finding in without if finding.model == model],
                [finding for finding in after if finding.model == model],
            )
        )  # fmt: skip
    folder = run.path(FOLDER)
    folder.mkdir(exist_ok=True)
    write_conclusions(folder, sections)
    write_whole(folder / "basis.json", json.dumps(basis) + "\n")


def judged_sections(run: Run) -> list[tuple[Section, Path]]:
    """Read what follows from the annotations, each section with its folder.

    Nothing if they have not been counted yet.
    """
    folder = run.path(FOLDER) / "sections"
    parts = sorted(part for part in folder.iterdir() if part.is_dir()) if folder.is_dir() else []
    return [(read_section(part), part) for part in parts]


def agreement_sections(run: Run) -> list[tuple[Section, Path]]:
    """Read the sections on how far people and scorers agree, one a model, with their folders."""
    return [each for each in judged_sections(run) if each[0].study == ANNOTATION]


def is_current(run: Run) -> bool:
    """Tell whether `judged/` rests on all annotations and on the run's present findings."""
    path = run.path(FOLDER) / "basis.json"
    if not path.exists():
        return not ledger_file(run.directory).exists()
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # spoilt: then it is computed once more
        return False
    return bool(known == _basis(run, len(Ledger.read(run.directory).lines)))


def _basis(run: Run, lines: int) -> dict[str, object]:
    """Say what conclusions rest on: how many annotations, and which findings without them."""
    findings = run.path("findings.json")
    content = findings.read_bytes() if findings.exists() else b""
    return {"annotations": lines, "findings": hashlib.sha256(content).hexdigest()}
