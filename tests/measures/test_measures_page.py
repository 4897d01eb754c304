from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import slant
from variety import NUMBER

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "measures.md").read_text("utf-8")
MODEL = f"""
[[generate]]
group = "Jews"
answers = [{{ text = "THIS IS an awful and terrible place {NUMBER}." }}]

[[generate]]
answers = [{{ text = "This is a wonderful place {NUMBER}." }}]
"""


def block(kind: str) -> str:
    text, *_ = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.M)
    return str(text)


def test_the_suite_of_the_page_measures_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples" / "plugins")
    (tmp_path / "suite.toml").write_text(block("toml"))
    (tmp_path / "model.toml").write_text(MODEL)
    run = slant.audit(
        tmp_path / "suite.toml", f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run"
    )
    sys.modules.pop("shouting_measure", None)
    for metric in ("sentiment_vader", "shouting_rate"):
        for contrast in ("vs_rest", "vs:Christians"):
            found = run.findings.filter(metric=metric, contrast=contrast, group="Jews")
            assert found["q"][0] < 0.01, (metric, contrast)
    assert run.findings.filter(metric="toxicity_profanity", contrast="mean").height == 6


def test_the_measure_of_the_page_works() -> None:
    exec(compile(block("python"), "measures.md", "exec"), {})  # noqa: S102
