from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from slant.errors import InputError
from slant.groups import axis_names, load_axis

ABID = ["Muslims", "Christians", "Sikhs", "Jews", "Buddhists", "Atheists"]
SALINAS_RELIGIONS = [
    *("Baha'is", "Buddhists", "Christians", "Confucians", "Hindus", "Jains", "Jews", "Muslims"),
    *("Shintoists", "Sikhs", "Taoists", "Zoroastrians"),
]
SALINAS_NATIONALITIES = [
    *("American", "Australian", "Brazilian", "British", "Canadian", "Chilean", "Chinese", "Dutch"),
    *("French", "German", "Indian", "Irish", "Italian", "Japanese", "Korean", "Mexican"),
    *("Nigerian", "Russian", "South African", "Spanish"),
]
SALINAS_ETHNICITIES = [
    *("Asian", "Black", "Indigenous", "Latinx", "Middle Eastern", "Pacific Islander", "White"),
]
STANDARD_FORMS = {"plural", "singular", "adjective", "person", "people"}


def names(axis: str, set_name: str | None = None) -> list[str]:
    return [group.name for group in load_axis(axis).select(set_name=set_name)]


def people(adjectives: list[str]) -> list[str]:
    return [f"{adjective} people" for adjective in adjectives]


def test_the_publications_groups_are_there() -> None:
    assert axis_names() == ["disability", "ethnicity", "gender", "nationality", "religion"]
    assert names("religion") == names("religion", "abid2021") == ABID
    assert names("religion", "abid2021-supplement") == [*ABID, "Hindus", "Catholics"]
    assert sorted(names("religion", "salinas2023")) == SALINAS_RELIGIONS
    assert names("gender", "salinas2023") == ["Men", "Women", "Non-binary people"]
    assert names("ethnicity", "salinas2023") == people(SALINAS_ETHNICITIES)
    assert names("nationality", "salinas2023") == people(SALINAS_NATIONALITIES)
    assert len(names("religion", "all")) == 14


@pytest.mark.parametrize("axis", axis_names())
def test_packaged_groups_are_complete(axis: str) -> None:
    loaded = load_axis(axis)
    assert loaded.sources
    assert loaded.language == "en"
    for group in loaded.groups:
        # No adjective names people with schizophrenia as they would themselves.
        assert set(group.forms) >= STANDARD_FORMS - (
            {"adjective"} if axis == "disability" else set()
        )
        assert group.demonyms
        assert group.axis == axis
        assert group.sets
        own = {demonym.casefold() for demonym in group.demonyms}
        assert len(own) == len(group.demonyms)
        if axis != "disability":
            adjective = group.form("adjective")
            assert group.form("people") in (f"{adjective} people", group.form("plural"))
            assert adjective.casefold() in own


def test_no_two_groups_of_an_axis_share_a_demonym() -> None:
    for axis in axis_names():
        owned = [word.casefold() for group in load_axis(axis).groups for word in group.demonyms]
        assert len(owned) == len(set(owned))


def test_axes_can_be_hashed_compared_and_pickled() -> None:
    axis = load_axis("religion")
    assert axis == load_axis("religion")
    assert hash(axis) == hash(load_axis("religion"))
    assert pickle.loads(pickle.dumps(axis)) == axis  # noqa: S301


def test_groups_are_chosen_by_name_in_the_order_given() -> None:
    chosen = load_axis("religion").select(["Jains", "Muslims"])
    assert [group.name for group in chosen] == ["Jains", "Muslims"]


@pytest.mark.parametrize(
    ("groups", "set_name", "said"),
    [
        (["Muslim"], None, "unknown group on axis 'religion', 'Muslim': did you mean 'Muslims'?"),
        (None, "abid2020", "unknown set of axis 'religion', 'abid2020': did you mean 'abid2021'?"),
        (["Jews", "Jews"], None, "group 'Jews' is listed twice"),
        ([], None, "the list of groups is empty"),
        (["Jews"], "abid2021", "by name or by set, not both"),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused(
    groups: list[str] | None, set_name: str | None, said: str
) -> None:
    with pytest.raises(InputError) as error:
        load_axis("religion").select(groups, set_name)
    assert said in str(error.value)


def test_a_missing_form_names_group_file_and_remedy() -> None:
    with pytest.raises(InputError) as error:
        load_axis("religion").group("Jains").form("pronoun")
    assert str(error.value) == (
        "slant/data/groups/religion.toml: group 'Jains' of axis 'religion' has no form 'pronoun'; "
        'it has adjective, faith, people, person, place, plural, singular. Add forms.pronoun = "…" '
        "to this group, in that file or in one of your own that extends it"
    )


def test_an_unknown_axis_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown axis 'religoin': did you mean 'religion'"):
        load_axis("religoin")
    with pytest.raises(InputError, match=r"gone\.toml: there is no such file"):
        load_axis(tmp_path / "gone.toml")


def test_a_minimal_axis_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "drinks.toml"
    path.write_text('name = "drinks"\n[[group]]\nname = "Tea drinkers"\n', encoding="utf-8")
    axis = load_axis(str(path))
    assert axis.title == "Drinks"
    assert axis.file == str(path)
    [group] = axis.select()
    assert group.form("plural") == "Tea drinkers"


BASE = 'name = "drinks"\n[sets]\nhot = "Hot ones"\n[[group]]\nname = "Tea"\nsets = ["hot"]\n'


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", None, "name: missing: an axis needs a name"),
        ('name = "drinks"', None, "group: missing: an axis needs a name"),
        (BASE + '[[group]]\nname = "Tea"', 8, "group 'Tea' is there twice"),
        (BASE + 'forms.plural = " "', 7, "group[0].forms.plural: "),
        (BASE + 'forms.plural = ""', 7, "group[0].forms.plural: "),
        (BASE + 'forms.plural = ["Teas"]', 7, "group[0].forms.plural: it should be a valid string"),
        (BASE + 'form.plural = "Teas"', 7, "group[0].form: unknown key: did you mean 'forms'?"),
        (BASE + '[[group]]\nname = "Milk"\nsets = ["hott"]', 9, "did you mean 'hot'?"),
        (BASE.replace('["hot"]', "[]"), 3, "no group belongs to the set 'hot'"),
        ('default_set = "hat"\n' + BASE, 1, "unknown set 'hat': did you mean 'hot'?"),
        ('reference = "Te"\n' + BASE, 1, "unknown group 'Te': did you mean 'Tea'?"),
        (BASE.replace("hot", "all"), 3, "the set 'all' is every group"),
        ('extends = "relegion"\n', 1, "unknown axis 'relegion': did you mean 'religion'"),
    ],
)
def test_a_faulty_axis_is_refused_with_file_and_line(
    tmp_path: Path, text: str, line: int | None, said: str
) -> None:
    path = tmp_path / "drinks.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_axis(path)
    assert str(error.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert said in str(error.value)


def test_a_packaged_axis_is_extended_and_overridden(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        """
extends = "religion"
default_set = "mine"
reference = "Christians"
sources = ["our own survey"]
[sets]
mine = "The two we care about"
[[group]]
name = "Quakers"
sets = ["mine"]
[[group]]
name = "Muslims"
sets = ["mine", "abid2021"]
forms.pronoun = "they"
""",
        encoding="utf-8",
    )
    axis, original = load_axis(path), load_axis("religion")
    assert axis.name == "religion"
    assert [group.name for group in axis.select()] == ["Muslims", "Quakers"]
    assert axis.group("Muslims").forms == {**original.group("Muslims").forms, "pronoun": "they"}
    assert axis.group("Muslims").demonyms == original.group("Muslims").demonyms
    assert axis.group("Muslims").file == str(path)
    assert axis.group("Sikhs") == original.group("Sikhs")
    assert axis.sources == (*original.sources, "our own survey")
    assert axis.reference == "Christians"


def test_files_extend_files_beside_them(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(BASE, encoding="utf-8")
    top = tmp_path / "top.toml"
    top.write_text('extends = "base.toml"\nname = "more"\n[[group]]\nname = "Milk"\n')
    axis = load_axis(top)
    assert [(group.name, group.axis) for group in axis.groups] == [
        ("Tea", "more"),
        ("Milk", "more"),
    ]
    (tmp_path / "base.toml").write_text('extends = "top.toml"\n')
    with pytest.raises(InputError, match=r"top\.toml:1: the axis extends itself"):
        load_axis(top)
