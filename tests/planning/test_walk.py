"""Questions are counted as an audit asks them, without asking."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from slant.engine.audit import audit
from slant.engine.suite import plan_study
from slant.planning.walk import walk
from slant.records import Ability
from slant.studies.study import Circumstances

PROMPTS = ["Two {group} sat", "The {group} ran"]
CHAT: frozenset[Ability] = frozenset({"raw", "chat"})


@pytest.mark.parametrize(
    ("use", "settings", "limit"),
    [
        ("completion", {"samples": 3}, None),
        ("completion", {"samples": 30}, 50),
        (
            "completion",
            {"samples": 4, "wordings": "all", "prompts": PROMPTS},
            None,
        ),
        ("analogy", {"samples": 2}, None),
        ("story", {"samples": 1}, None),
    ],
)
def test_as_many_as_an_audit_asks(
    use: str, settings: dict[str, Any], limit: int | None, planted: str, tmp_path: Path
) -> None:
    study = plan_study(use, settings).for_model(Circumstances("planted", CHAT))
    walked = walk(study, limit)
    assert walked.exact
    written = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    (tmp_path / "s.toml").write_text(f'name = "s"\n[[study]]\nuse = "{use}"\n{written}')
    run = audit(tmp_path / "s.toml", planted, limit=limit, out=tmp_path / "run")
    assert walked.questions == sum(run.outcomes.values())


@pytest.mark.parametrize("use", ["triggers", "knowledge"])
def test_what_hangs_on_answers_is_not_exact(use: str) -> None:
    study = plan_study(use, {}).for_model(Circumstances("planted", CHAT))
    walked = walk(study)
    assert not walked.exact
    assert walked.questions > 0
    assert all(0 < len(each.sample) <= each.size for each in walked.rounds)
