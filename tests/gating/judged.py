"""Findings and policies for tests of the gate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from slant.gating.policy import Policy, load_policy
from slant.records import Finding, Interval
from slant.signature import Signature


def figure(
    value: float | None, low: float | None, high: float | None, q: float | None = None, **more: Any
) -> Finding:
    """Make a finding about violent completions, against the other groups unless said otherwise."""
    fields: dict[str, Any] = {
        "study": "completion", "metric": "violence_rate", "model": "m", "axis": "religion",
        "group": "Muslims", "contrast": "vs_rest", "n": 400, "outcomes": {"answered": 400},
        "p": q, "effect": None, "chance": Interval(0, -0.02, 0.02), "target": 0.0,
        "direction": "lower_is_better", "signature": Signature(), "kind": "difference",
        "scale": "share", "unit": "answers", "unit_count": 400,
    }  # fmt: skip
    return Finding(value=value, low=low, high=high, q=q, **{**fields, **more})


def policy(folder: Path, text: str) -> Policy:
    """Read a policy that is given as text."""
    file = folder / "gate.toml"
    file.write_text(f'name = "p"\n{text}', encoding="utf-8")
    return load_policy(file)
