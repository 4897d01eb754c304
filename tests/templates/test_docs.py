"""The five minutes of docs/templates.md: the files there, as they stand, give findings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import slant
from slant.cli.file_kind import check

DOCS = Path(__file__).parents[2] / "docs" / "templates.md"


@pytest.mark.usefixtures("undrawn")
def test_the_first_template_file_of_the_docs_gives_findings(tmp_path: Path) -> None:
    templates, suite = re.findall(r"```toml\n(.*?)```", DOCS.read_text(), re.DOTALL)[:2]
    (tmp_path / "mine.toml").write_text(templates)
    (tmp_path / "suite.toml").write_text(suite)
    (tmp_path / "m.toml").write_text("[[choose]]\nprobabilities = { Yes = 0.8, No = 0.2 }\n")

    said = check(tmp_path / "mine.toml")
    run = slant.audit(
        tmp_path / "suite.toml", models=[f"mock:{tmp_path / 'm.toml'}"], out=tmp_path / "run"
    )

    assert said == "4 templates in 2 pairs, 12 examples"
    groups = {f.group for s in run.sections() for f in s.analysis.findings}
    assert {"nurses", "pilots", "farmers", "everyone"} <= groups
    assert slant.report(run).is_file()
