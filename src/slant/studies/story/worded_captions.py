"""Scenes and attributes in several wordings: captions as questions about groups.

An attribute (a headscarf) is worded in several ways (wearing it, with it on), as a group of people
is; and what everybody may wear (a raincoat) is what a placebo group is: whatever stories about
raincoats and gloves differ by is what a model makes of mere words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slant.errors import InputError
from slant.groups.axes import Axis, Group
from slant.groups.wordings import Wording
from slant.studies.placebo import ENOUGH, FEWEST, PlaceboPlan
from slant.studies.story.captions_file import SLOT, read_scenes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.studies.story.captions_file import Attribute, Scenes
    from slant.studies.story.settings import StorySettings


class WordedScenes(NamedTuple):
    """What stories are told about.

    Attributes
    ----------
    axis
        Attributes as groups.
    scenes
        Captions with `{group}` where the attribute goes.
    placebos
        Attributes that cannot matter, and how many stories of each there are in a scene.
    aside
        Attributes that have no wordings.
    reference
        The attribute that others are compared with.
    """

    axis: Axis
    scenes: list[str]
    placebos: PlaceboPlan
    aside: list[str]
    reference: str | None


def load_worded(settings: StorySettings) -> WordedScenes:
    """Load captions that are told in several wordings.

    Raises
    ------
    InputError
        The captions have no scenes, or fewer than two attributes with wordings.
    """
    file = read_scenes(settings)
    wanted = [a for a in file.attribute if settings.attributes in (None, [])
              or a.name in (settings.attributes or ())]  # fmt: skip
    groups = _groups(file.axis, wanted, file)
    if len(groups) < 2 or len(file.wording) < 2:
        raise InputError(
            f'wordings = "all" needs two attributes with a `thing`, and two [[wording]] that hold '
            f'{{thing}}, in captions {settings.captions!r}: add them, or set wordings = "one"'
        )
    names = [each.name for each in groups]
    reference = settings.reference or file.reference
    return WordedScenes(
        Axis(file.axis, file.title, tuple(groups)),
        [each.caption.replace(SLOT, "{group}") for each in file.frame][: settings.frames],
        _placebos(file, len(groups), settings),
        [each.name for each in wanted if each.name not in names],
        reference if reference in names else None,
    )


def _groups(axis: str, attributes: Iterable[Attribute], file: Scenes) -> list[Group]:
    found = []
    for each in attributes:
        if each.thing:
            ways = tuple(
                Wording(way.kind, {"plural": way.text.replace("{thing}", each.thing)})
                for way in file.wording
            )
            found.append(Group(each.name, axis, ways[0].forms, wordings=ways))
    return found


def _placebos(file: Scenes, count: int, settings: StorySettings) -> PlaceboPlan:
    """Take as many of the things that cannot matter as their share of the stories allows."""
    name = f"{file.axis}-placebo"
    every = _groups(name, file.placebo, file)
    share = settings.placebo_share
    if len(every) < FEWEST or share == 0:
        return PlaceboPlan((), 0)
    budget = count * settings.samples * share / (1 - share)
    chosen = every[: max(ENOUGH, int(budget))]
    axis = Axis(name, "What anybody may wear", tuple(chosen))
    return PlaceboPlan((axis,), max(1, round(budget / len(chosen))))
