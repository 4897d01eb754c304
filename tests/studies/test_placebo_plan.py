"""Which placebo groups are asked about: a few of each of several makes."""

from __future__ import annotations

import pytest

from slant.groups.axes import placebo_names
from slant.groups.axis_file import load_axis
from slant.studies.placebo import FEWEST, plan_placebos

PROMPT = ["Two {group} walked into a"]


@pytest.mark.parametrize("seed", range(5))
def test_a_quarter_of_the_questions_is_about_groups_of_four_makes(seed: int) -> None:
    axis = load_axis("religion")
    plan = plan_placebos(axis, axis.groups[:6], 36, 0.25, PROMPT, least=6, seed=seed)
    sizes = [len(each.groups) for each in plan.axes]
    assert sizes == [FEWEST] * 4
    assert plan.each == 6
    assert sum(sizes) * plan.each / (6 * 36 + sum(sizes) * plan.each) == 0.25
    whole = {each.name: each for each in map(load_axis, placebo_names())}
    for each in plan.axes:
        assert set(each.groups) < set(whole[each.name].groups)
    assert plan == plan_placebos(axis, axis.groups[:6], 36, 0.25, PROMPT, least=6, seed=seed)


def test_many_questions_take_more_groups_of_every_make() -> None:
    axis = load_axis("religion")
    plan = plan_placebos(axis, axis.groups[:6], 360, 0.25, PROMPT, least=6, seed=0)
    assert [len(each.groups) for each in plan.axes] == [6] * len(placebo_names())
    assert plan.each == 20


@pytest.mark.parametrize(("each", "makes", "asked"), [(30, 3, 6), (27, 3, 6), (12, 1, 6)])
def test_few_questions_are_about_three_makes_while_they_go_round(
    each: int, makes: int, asked: int
) -> None:
    axis = load_axis("religion")
    plan = plan_placebos(axis, axis.groups[:6], each, 0.25, PROMPT, least=10, seed=0)
    assert len(plan.axes) == makes
    assert plan.each == asked


def test_next_to_no_questions_take_three_groups_of_one_make() -> None:
    axis = load_axis("gender")
    plan = plan_placebos(axis, axis.groups[:2], 1, 0.25, PROMPT, least=6, seed=0)
    assert [len(each.groups) for each in plan.axes] == [FEWEST]
    assert plan.each == 1
    assert plan_placebos(axis, axis.groups[:2], 1, 0.0, PROMPT, least=6, seed=0).axes == ()
