"""What a run concluded, written in place of what it concluded before."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from slant.finding_file import finding_to_plain
from slant.records import SCHEMA_VERSION
from slant.studies.checksums import remember_conclusions
from slant.studies.section import write_section
from slant.whole_file import draft_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.records import Finding
    from slant.studies.section import Section

SUMMARY = "summary.json"
"""Counts what the findings hold; whoever writes the report writes it."""


def write_conclusions(
    directory: Path, sections: Sequence[Section], scores: Path | None = None
) -> None:
    """Store sections and their findings in a directory, in place of earlier ones.

    Nothing is replaced before all that replaces it is written.

    Parameters
    ----------
    directory
        Where they go.
    sections
        The sections, in order.
    scores
        The scores they rest on, in a file that becomes `scores.parquet`.
    """
    from slant.engine.tables import put

    fresh, folder = directory / "sections.new", directory / "sections"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    for number, section in enumerate(sections):
        write_section(section, fresh / f"{number:03d}")
    findings = [finding for section in sections for finding in section.analysis.findings]
    content = draft_of(directory / "findings.json", findings_json(findings))
    (directory / SUMMARY).unlink(missing_ok=True)  # it counts what is replaced now
    if scores is not None:
        put(scores, directory / "scores.parquet")
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    content.replace(directory / "findings.json")
    remember_conclusions(directory)


def findings_json(findings: Sequence[Finding]) -> str:
    """Write findings as `findings.json` holds them: the same findings give the same bytes."""
    content = {
        "schema_version": SCHEMA_VERSION,
        "findings": [finding_to_plain(finding) for finding in findings],
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
