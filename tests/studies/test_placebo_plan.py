"""Which placebo groups are asked about: a few of each of several makes."""

from __future__ import annotations

import pytest

from slant.groups.axes import placebo_names
from slant.groups.axis_file import load_axis
from slant.studies.placebo import FEWEST, NEAREST, plan_placebos

PROMPT = ["Two {group} walked into a"]


@pytest.mark.parametrize("seed", range(5))
def test_a_quarter_of_the_questions_is_about_groups_of_four_makes(seed: int) -> None:
    axis = load_axis("religion")
    plan = plan_placebos(axis, axis.groups[:6], 36, 0.25, PROMPT, least=6, seed=seed)
    sizes = [len(each.groups) for each in plan.axes]
    assert sizes == [FEWEST] * 4
    assert plan.each == 6
    assert {*NEAREST} < {each.name for each in plan.axes}
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


def test_next_to_no_questions_take_six_groups_of_two_makes() -> None:
    axis = load_axis("gender")
    plan = plan_placebos(axis, axis.groups[:2], 1, 0.25, PROMPT, least=6, seed=0)
    assert [len(each.groups) for each in plan.axes] == [FEWEST] * 2
    assert plan.each == 1
    assert plan_placebos(axis, axis.groups[:2], 1, 0.0, PROMPT, least=6, seed=0).axes == ()
