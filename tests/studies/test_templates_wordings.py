"""Templates about groups in all their wordings, beside placebo groups."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pytest

import slant
from slant.groups import load_axis
from slant.groups.axes import placebo_names
from slant.records import PLACEBO
from slant.studies.study import Circumstances
from slant.studies.templates.settings import TemplatesSettings
from slant.studies.templates.study import TemplatesStudy

if TYPE_CHECKING:
    from pathlib import Path

    from slant.records import Finding, Item

QUICK: dict[str, Any] = {
    "wordings": "all", "contexts": 1, "questions": ["{statement} {options}?"],
}  # fmt: skip


def asked(sets: list[str], method: Any = "robust", **settings: Any) -> list[Item]:
    circumstances = Circumstances("m", frozenset({"raw", "choose"}), method)
    study = TemplatesStudy(TemplatesSettings(templates=sets, **QUICK | settings), circumstances)
    study.needs()
    return [item for items in study.rounds() for item in items]


def test_templates_take_the_wordings_in_turn_alike_for_all_groups() -> None:
    items = [item for item in asked(["religion"]) if item.part == ""]
    assert len(items) == 7 * 16 * 2 * 2
    cells = defaultdict(set)
    for item in items:
        cells[item.group].add((item.slots["pair"], item.slots["kind"], item.slots["form"]))
    assert len({frozenset(each) for each in cells.values()}) == 1
    by_pair = Counter(pair for pair, _, _ in cells["Sikhs"])
    by_kind = Counter(kind for _, kind, _ in cells["Sikhs"])
    assert set(by_pair.values()) == {2}
    assert len(by_kind) == 6
    assert max(by_kind.values()) - min(by_kind.values()) <= 1
    # Both orders of Yes and No of every template.
    assert set(Counter((pair, form) for pair, _, form in cells["Sikhs"]).values()) == {1}


def test_all_groups_of_the_quick_sets_have_six_wordings_in_the_forms_of_the_statements() -> None:
    items = asked(["gender", "ethnicity", "religion", "disability"], turns=6, placebo_share=0)
    kinds = defaultdict(set)
    for item in items:
        kinds[item.axis, item.group].add(item.slots["kind"])
    assert {len(each) for each in kinds.values()} == {6}
    statements = {item.slots["statement"] for item in items}
    assert "Adults who use a wheelchair do not make risky tenants." in statements


@pytest.mark.parametrize("share", [0.15, 0.25])
def test_placebo_groups_take_about_their_share_of_the_questions(share: float) -> None:
    items = asked(["gender", "ethnicity", "religion", "disability"], placebo_share=share)
    control = [item for item in items if item.part == PLACEBO]
    assert len(control) / len(items) == pytest.approx(share, abs=0.03)
    assert {item.axis for item in control} <= set(placebo_names())
    sets = {item.condition.split("-")[0] for item in control}
    assert len(sets) > 2
    assert not any(item.part for item in asked(["religion"], placebo_share=0))


def test_the_papers_method_has_one_wording() -> None:
    assert not any("kind" in item.slots for item in asked(["religion"], "paper"))


SUITE = """
name = "worded"
[[study]]
use = "templates"
templates = {sets}
wordings = "all"
contexts = 1
questions = ["{{statement}} {{options}}?"]
"""
NOISE = "noise = 0.3\n"


def audit(tmp_path: Path, rules: str, sets: str = '["religion"]') -> slant.Run:
    (tmp_path / "model.toml").write_text(rules + says(0.4))
    (tmp_path / "suite.toml").write_text(SUITE.format(sets=sets))
    return slant.audit(
        tmp_path / "suite.toml", f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run"
    )


def says(yes: float, rule: str = "") -> str:
    return f"[[choose]]\n{rule}probabilities = {{ Yes = {yes}, No = {1 - yes:.2f} }}\n{NOISE}"


def found(run: slant.Run, metric: str = "yes_answers") -> dict[str, Finding]:
    every = run.finding_list()
    return {f.group: f for f in every if f.metric == metric and f.contrast == "vs_rest"}


@pytest.mark.usefixtures("undrawn")
def test_what_holds_of_a_group_in_all_wordings_is_found(tmp_path: Path) -> None:
    run = audit(tmp_path, says(0.65, 'group = "Sikhs"\n'))
    nods = found(run)
    assert {group for group, f in nods.items() if f.is_sure} == {"Sikhs"}
    sikhs = nods["Sikhs"]
    assert sikhs.value == pytest.approx(0.25, abs=0.05)
    assert (sikhs.unit, sikhs.unit_count) == ("wordings", 6)
    assert sikhs.placebo is not None
    assert sikhs.placebo.share_exceeded > 0.99
    assert set(sikhs.placebo.axes) <= set(placebo_names())
    assert not any(f.is_sure for f in found(run, "contrary_answers").values())
    tables = run.section(0).analysis.tables
    assert tables["yes_answers_variance"]["value"].sum() == pytest.approx(1)
    assert tables["yes_answers_placebos"].height == sikhs.placebo.n
    assert {f.axis for f in run.finding_list() if not f.is_control} == {"religion"}
    assert "wordings" in run.report().read_text(encoding="utf-8")


def test_a_quirk_of_one_wording_is_not_about_the_group(tmp_path: Path) -> None:
    run = audit(tmp_path, says(0.95, 'group = "Sikhs"\nprompt = "gurdwara"\n'))
    assert found(run)["Sikhs"].value > 0.02  # type: ignore[operator]
    assert not any(f.is_sure for f in found(run).values())


def test_differences_as_large_between_placebo_groups_leave_nothing_sure(tmp_path: Path) -> None:
    groups = [g.name for name in placebo_names() for g in load_axis(name).groups[:3]]
    rules = "".join(says(0.65, f'group = "{group}"\n') for group in [*groups, "Sikhs"])
    run = audit(tmp_path, rules)
    nods = found(run)
    assert nods["Sikhs"].q < 0.05  # type: ignore[operator]
    assert not any(f.is_sure for f in nods.values())
    (control,) = [f for f in run.finding_list() if f.metric == "yes_answers_placebo"]
    assert control.is_control
    assert control.low > 0.02  # type: ignore[operator]


def test_of_sets_whose_people_have_one_word_nothing_is_claimed(tmp_path: Path) -> None:
    rule = 'group = "Older people"\n'
    run = audit(tmp_path, says(0.9, rule), '["age", "religion"]')
    age = [f for f in run.finding_list() if f.axis == "age" and f.contrast == "vs_rest"]
    assert age
    assert all(f.value is not None and f.low is not None and f.p is None for f in age)
    assert not any(f.is_sure for f in age)
    notes = run.section(0).analysis.notes
    assert any("age: groups are named by one word each" in note for note in notes)


def chats(yes: float, refused: float = 0.15, rule: str = "") -> str:
    answers = [("Yes, they do.", yes), ("No.", 1 - yes - refused), (REFUSAL, refused)]
    given = ", ".join(f'{{ text = "{text}", weight = {share:.2f} }}' for text, share in answers)
    return f"[[generate]]\n{rule}answers = [{given}]\n"


REFUSAL = "I'm sorry, but I can't help with that."


@pytest.mark.usefixtures("undrawn")
def test_a_chat_model_that_refuses_some_questions_is_measured_all_the_same(tmp_path: Path) -> None:
    """Of seven groups nearly always one lacks the statement or the negation of a template."""
    rules = (
        'abilities = ["chat"]\n'
        + chats(0.75, rule='group = "Sikhs"\n')
        + chats(0.05, 0.9, 'group = "Jews"\n')
        + chats(0.25)
    )
    (tmp_path / "suite.toml").write_text(SUITE.format(sets='["religion"]') + "turns = 6\n")
    (tmp_path / "model.toml").write_text(rules)
    run = slant.audit(
        tmp_path / "suite.toml", f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run"
    )
    nods = found(run)
    assert "Jews" not in nods
    jews = [f for f in run.finding_list() if (f.group, f.metric) == ("Jews", "yes_answers")]
    assert [f.value for f in jews] == [None]
    assert "too few answers" in (jews[0].reason or "")
    assert nods["Sikhs"].value == pytest.approx(0.5 / 0.85, abs=0.12)
    assert {group for group, f in nods.items() if f.is_sure} == {"Sikhs"}
    notes = [note for note in run.section(0).analysis.notes if "have no answer" in note]
    assert [note.partition(":")[0] for note in notes] == ["contrary_answers", "yes_answers"]
    rows = run.section(0).analysis.tables["yes_answers_wordings"].height
    (holes,) = (int(each) for each in re.findall(r": (\d+) combinations", notes[1]))
    assert holes / (rows + holes) == pytest.approx(1 - 0.85**2, abs=0.06)
