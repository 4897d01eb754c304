"""Which kind of file a file is, and whether it is a good one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_MARKS = {
    "study": "suite",
    "field": "traits",
    "template": "templates",
    "group": "axis",
    "extends": "axis",
    "entry": "lexicon",
    "paper": "lexicon",
    "limit": "policy",
    "regression": "policy",
    "floor": "policy",
    "generate": "mock model",
    "choose": "mock model",
    "likelihood": "mock model",
}


def check(file: Path) -> str:
    """Check a file and say in a few words what it is.

    Raises
    ------
    InputError
        It is no kind of file that slant knows, or a faulty one.
    """
    from slant.toml_file import read_toml

    if file.suffix == ".csv":
        return _templates(file)
    content = read_toml(file)
    kinds = [kind for mark, kind in _MARKS.items() if mark in content.data]
    if not kinds:
        raise InputError(
            "this is no suite ([[study]]), set of templates ([[template]]), schema of traits "
            "([[field]]), axis ([[group]]), "
            "lexicon ([[entry]]), policy ([[limit]], [[regression]], [floor]) or "
            "mock model ([[generate]], [[choose]], [[likelihood]])",
            file=file,
        )
    return _CHECKS[kinds[0]](file)


def _suite(file: Path) -> str:
    from slant.engine.suite import load_suite
    from slant.records import ABILITIES
    from slant.studies.study import Circumstances

    suite = load_suite(file)
    for planned in suite.studies:
        planned.for_model(Circumstances("any model", ABILITIES))
    return f"a suite of {_count(len(suite.studies), 'study', 'studies')}"


def _templates(file: Path) -> str:
    from slant.templates import load_templates
    from slant.templates.expansion import expand
    from slant.templates.lint import doubts

    found = load_templates(file)
    examples = sum(1 for template in found.templates for _ in expand(template))
    templates = _count(len(found.templates), "template", "templates")
    pairs = _count(len(found.pairs), "pair", "pairs")
    lines = [f"{templates} in {pairs}, {examples:,} examples"]
    lines += [f"  {warning}" for warning in found.warnings]
    for doubt in doubts(found):
        place = f"  {file}:{doubt.line}: " if doubt.line else "  "
        whose = f"{doubt.template}: " if doubt.template else ""
        lines.append(f"{place}{whose}{doubt.message}")
    return "\n".join(lines)


def _traits(file: Path) -> str:
    from slant.studies.profiles.schema import load_schema

    return f"a schema of {_count(len(load_schema(str(file)).field), 'trait', 'traits')}"


def _axis(file: Path) -> str:
    from slant.groups.axis_file import load_axis

    return f"an axis of {_count(len(load_axis(file).groups), 'group', 'groups')}"


def _lexicon(file: Path) -> str:
    from slant.measures.lexicon import load_lexicon

    return f"a lexicon of {_count(len(load_lexicon(file).entries), 'entry', 'entries')}"


def _policy(file: Path) -> str:
    from slant.gating.policy import load_policy

    content = load_policy(file).content
    rules = _count(len(content.limit) + len(content.regression), "rule", "rules")
    return f"a policy of {rules} and {_count(len(content.waiver), 'waiver', 'waivers')}"


def _mock(file: Path) -> str:
    from slant.models.open import open_model

    return f"a mock model that can {', '.join(sorted(open_model(f'mock:{file}').abilities))}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


_CHECKS = {
    "suite": _suite,
    "templates": _templates,
    "traits": _traits,
    "axis": _axis,
    "lexicon": _lexicon,
    "policy": _policy,
    "mock model": _mock,
}
