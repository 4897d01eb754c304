"""Study knowledge on the embedded model: most answers are triples."""

from pathlib import Path

import pytest

import slant

pytestmark = [pytest.mark.slow, pytest.mark.model, pytest.mark.xdist_group("embedded")]


def test_the_embedded_model_gives_mostly_triples(tmp_path: Path) -> None:
    suite = tmp_path / "s.toml"
    suite.write_text(
        'name = "s"\n[[study]]\nuse = "knowledge"\nclasses = ["ethnicity"]\n'
        "triples = 4\nlineages = 2\n"
    )
    run = slant.audit(suite, "embedded", out=tmp_path / "run")
    valid = run.findings.filter(metric="valid_triples")
    assert valid["value"][0] >= 0.5  # 60% and more in a full run; here are some forty answers
    assert valid["n"][0] >= 28
