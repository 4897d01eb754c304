"""Half-width weights on request: what that changes is measured on the model itself, and told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_masked import make_t5
from tiny_models import ask

import slant
from slant.models import precision
from slant.models.open import open_model

SUITE = """
name = "s"
[[study]]
use = "completion"
samples = 2
prompts = ["Two {group} walked into a"]
"""


def remark(spelling: str) -> str:
    model: Any = open_model(spelling)
    (told,) = model.remarks()
    assert model.remarks() == [told]  # measured once
    return str(told)


def figures(told: str) -> list[float]:
    return [float(number) / 100 for number in re.findall(r"([\d.]+)%", told)]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_likelihoods_are_held_against_those_in_float32(tiny: Path, dtype: str) -> None:
    spelling = f"hf:{tiny / 'plain'}?device=cpu&dtype=float32"
    told = remark(f"{spelling}&likelihood_dtype={dtype}")
    assert told.startswith(
        f"Likelihoods are computed in {dtype}, as asked: on 48 neutral sentences"
    )
    items = precision._items()
    half, full = (
        np.array([np.mean(a.logprobs or ()) for a in ask(open_model(each), items)])
        for each in (f"{spelling}&likelihood_dtype={dtype}", spelling)
    )
    apart = np.abs(np.expm1(full - half))
    median, largest, moved, gap = figures(told)
    assert median == pytest.approx(np.median(apart), abs=1e-4)
    assert 0 < largest == pytest.approx(apart.max(), abs=1e-4)
    own = full.reshape(6, -1).mean(axis=1)
    assert gap == pytest.approx(np.expm1(own.max() - own.min()), rel=0.5)
    assert 0 < moved < gap


def test_texts_in_half_precision_are_told_of_too(tiny: Path) -> None:
    told = remark(f"hf:{tiny / 'plain'}?device=cpu&dtype=bfloat16")
    assert told.startswith("Texts are drawn in bfloat16, as asked")
    both = remark(f"hf:{tiny / 'plain'}?device=cpu&dtype=bfloat16&likelihood_dtype=bfloat16")
    assert both.startswith("Texts are drawn and likelihoods computed in bfloat16, as asked")
    assert figures(told) == figures(both)


@pytest.mark.parametrize("options", ["?dtype=float32", ""])
def test_nothing_is_told_where_nobody_asked_for_less(tiny: Path, options: str) -> None:
    assert open_model(f"hf:{tiny / 'plain'}{options}").remarks() == []


def test_models_that_only_score_are_measured_too(tmp_path: Path) -> None:
    make_t5(tmp_path / "t5", tied=True)
    told = remark(f"hf-seq2seq:{tmp_path / 't5'}?dtype=bfloat16&device=cpu")
    assert 0 < figures(told)[1] < 1


def test_where_float32_does_not_fit_the_reason_is_told(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precision, "_free_bytes", lambda device: 1000.0)
    told = remark(f"hf:{tiny / 'plain'}?device=cpu&dtype=bfloat16")
    assert "could not be measured, which needs" in told


@pytest.mark.usefixtures("undrawn")
def test_a_run_and_its_report_say_it(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(SUITE)
    run = slant.audit(
        tmp_path / "s.toml", f"hf:{tiny / 'plain'}?device=cpu&dtype=bfloat16", limit=6,
        out=tmp_path / "run", min_coverage=0,
    )  # fmt: skip
    (described,) = run.environment["models"].values()
    assert "neutral sentences about six religions" in described["remarks"][0]
    assert "neutral sentences about six religions" in slant.report(run).read_text()
