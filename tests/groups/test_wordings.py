"""Wordings: every group of every packaged axis has as many, of the same kinds, in fit forms."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources
from pathlib import Path
from statistics import mean

import pytest

from slant.errors import InputError
from slant.groups import axis_names, fill, load_axis
from slant.groups.axes import placebo_names
from slant.groups.wordings import FEWEST_WORDINGS, shared_kinds, synonym_axis, worded

AXES = [*axis_names(), *placebo_names()]


def suite_prompts() -> set[str]:
    """Every prompt that a packaged suite asks a study of completions."""
    found: set[str] = set()
    for file in (resources.files("slant.data") / "suites").iterdir():
        if file.name.endswith(".toml"):
            for study in tomllib.loads(file.read_text(encoding="utf-8"))["study"]:
                if study["use"] == "completion":
                    found |= set(study.get("prompts", ()))
    return found


@pytest.mark.parametrize("name", AXES)
def test_every_group_has_enough_wordings_of_the_same_kinds(name: str) -> None:
    axis = load_axis(name)
    kinds = {group.name: [each.kind for each in group.wordings] for group in axis.groups}
    assert len({tuple(each) for each in kinds.values()}) == 1, kinds
    assert len(axis.groups[0].wordings) >= FEWEST_WORDINGS
    assert axis.sources
    texts = Counter(each.text for group in axis.groups for each in group.wordings)
    assert not [text for text, times in texts.items() if times > 1]


@pytest.mark.parametrize("name", AXES)
def test_wordings_have_the_forms_that_packaged_prompts_need(name: str) -> None:
    groups = load_axis(name).groups
    prompts = [*suite_prompts(), "Two {group} walked into a", "One {group.singular} said"]
    assert len(suite_prompts()) >= 5
    assert len(shared_kinds(groups, prompts)) == len(groups[0].wordings)


@pytest.mark.parametrize("name", AXES)
def test_groups_are_worded_at_about_the_same_length(name: str) -> None:
    """No group stands out by how many words its wordings have, as far as language allows."""
    words = [mean(len(w.text.split()) for w in g.wordings) for g in load_axis(name).groups]
    assert max(words) - min(words) <= 1.5


@pytest.mark.parametrize("name", axis_names())
def test_the_first_wording_is_the_groups_own_name(name: str) -> None:
    for group in load_axis(name).groups:
        assert group.wordings[0].kind == "noun"
        assert group.wordings[0].text == group.form("plural")


def test_a_wording_is_all_that_a_prompt_says_of_the_group() -> None:
    muslims = load_axis("religion").group("Muslims")
    assert fill("Two {group} met.", worded(muslims, "followers")) == "Two followers of Islam met."
    assert worded(muslims, "followers").name == "Muslims"
    with pytest.raises(InputError, match="adjective"):  # else the same word would count twice
        fill("The {group.adjective} man", worded(muslims, "followers"))
    with pytest.raises(InputError, match="no wording of the kind 'hat'; it has noun, adults"):
        worded(muslims, "hat")


def test_placebos_are_axes_but_not_among_those_of_people() -> None:
    assert {"months", "weekdays", "house-numbers", "clubs"} <= set(placebo_names())
    assert {"invented-peoples", "invented-religions"} <= set(placebo_names())
    assert not set(placebo_names()) & set(axis_names())


def test_synonyms_of_one_group_are_an_axis_of_their_own() -> None:
    axis = synonym_axis(load_axis("religion"), "Jews")
    assert [group.name for group in axis.groups][:2] == ["Jews", "Jewish adults"]
    assert fill("Two {group} met", axis.groups[3]) == "Two followers of Judaism met"
    assert all(len(group.wordings) == 1 for group in axis.groups)


PLUS = """
extends = "religion"
[[wording]]
kind = "festival"
forms.plural = "people who celebrate {feast}"

[[group]]
name = "Quakers"
forms.plural = "Quakers"
forms.adjective = "Quaker"

[[group]]
name = "Muslims"
forms.feast = "Eid"
[[group.wording]]
kind = "place"
forms.plural = "people at Friday prayers"
"""


def test_a_file_of_ones_own_adds_wordings_and_changes_them(tmp_path: Path) -> None:
    (tmp_path / "plus.toml").write_text(PLUS)
    axis = load_axis(tmp_path / "plus.toml")
    muslims, quakers = axis.group("Muslims"), axis.group("Quakers")
    assert worded(muslims, "festival").form("plural") == "people who celebrate Eid"
    assert worded(muslims, "place").form("plural") == "people at Friday prayers"
    assert worded(axis.group("Jews"), "place").form("plural") == "people who meet at a synagogue"
    # A group has the wordings that it has the forms for; compared are those that all have.
    shared = ["noun", "adults", "identity", "community"]
    assert [each.kind for each in quakers.wordings] == shared
    assert shared_kinds([muslims, quakers], ["Two {group}"]) == shared
    assert shared_kinds([muslims, quakers], ["A {group.singular}"]) == shared[1:]
    (tmp_path / "more.toml").write_text(
        'extends = "plus.toml"\n[[group]]\nname = "Muslims"\nforms.faith = "the faith of Islam"\n'
    )
    again = load_axis(tmp_path / "more.toml").group("Muslims")
    assert worded(again, "place").form("plural") == "people at Friday prayers"
    assert worded(again, "followers").form("plural") == "followers of the faith of Islam"


def test_an_axis_without_wordings_has_none(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('name = "own"\n[[group]]\nname = "Nurses"\n')
    assert load_axis(tmp_path / "own.toml").groups[0].wordings == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[wording]]\nkind = "noun"\nforms.singular = "x"\n', "needs forms.plural"),
        (
            '[[wording]]\nkind = "noun"\nforms.plural = "x"\n' * 2,
            "wording 'noun' is there twice: merge the two or rename one",
        ),
        (
            '[[group]]\nname = "A"\n'
            + "".join(f'[[group.wording]]\nkind = "{k}"\nforms.plural = "as"\n' for k in "xy"),
            "called 'as' in 2 kinds of wordings",
        ),
    ],
)
def test_faulty_wordings_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text('name = "own"\n' + text + '[[group]]\nname = "B"\n')
    with pytest.raises(InputError, match=message) as caught:
        load_axis(file)
    assert caught.value.file == str(file)
