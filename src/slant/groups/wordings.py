"""Wordings: the ways in which one group can be named.

A group is a set of wordings: Muslims, followers of Islam, people who meet at a mosque. What holds
of a group holds however it is worded; what holds after one word only is about that word. Every
wording is of a *kind* (noun, followers, place …), and the groups of an axis have the same kinds,
so that groups are compared within a kind, like with like.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.groups.template import fill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.groups.axes import Axis, Group

FEWEST_WORDINGS = 6
"""So many wordings every group of a packaged axis has: fewer cannot stand for all there are."""

_FORM = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True)
class Wording:
    """One way of naming a group.

    Attributes
    ----------
    kind
        What sort of wording it is; the same for every group of the axis: `followers`.
    forms
        The wording in a sentence, by form: `plural`, `singular` and any others.
    """

    kind: str
    forms: Mapping[str, str] = field(hash=False)

    @property
    def text(self) -> str:
        """The wording as tables show it: its plural."""
        return self.forms["plural"]


def filled(pattern: str, forms: Mapping[str, str]) -> str | None:
    """Write a group's forms into the pattern of a wording; `None` if it lacks one of them."""
    if any(name not in forms for name in _FORM.findall(pattern)):
        return None
    return _FORM.sub(lambda found: forms[found[1]], pattern)


def worded(group: Group, kind: str) -> Group:
    """Name a group with its wording of a kind, and with nothing else.

    Raises
    ------
    InputError
        The group has no such wording.
    """
    for wording in group.wordings:
        if wording.kind == kind:
            return replace(group, forms=wording.forms)
    kinds = ", ".join(each.kind for each in group.wordings) or "none"
    raise InputError(
        f"group {group.name!r} of axis {group.axis!r} has no wording of the kind {kind!r}; it has "
        f"{kinds}",
        file=group.file or None,
    )


def shared_kinds(groups: Sequence[Group], templates: Sequence[str]) -> list[str]:
    """List the kinds of wordings that all the groups have in all the forms that prompts need.

    Parameters
    ----------
    groups
        Those that are compared.
    templates
        The prompts, each with `{group}` or a form of it.
    """
    first = groups[0].wordings if groups else ()
    return [each.kind for each in first if all(_fits(g, each.kind, templates) for g in groups)]


def _fits(group: Group, kind: str, templates: Sequence[str]) -> bool:
    try:
        named = worded(group, kind)
        for template in templates:
            fill(template, named)
    except InputError:
        return False
    return True


def synonym_axis(axis: Axis, name: str) -> Axis:
    """Set the wordings of one group against each other, each as a group of its own.

    What such "groups" differ by is what a model makes of words, for the people are the same.

    Parameters
    ----------
    axis
        Any axis.
    name
        The group whose wordings they are.

    Raises
    ------
    InputError
        There is no such group, or it has fewer than two wordings.
    """
    whole = axis.group(name)
    if len(whole.wordings) < 2:
        raise InputError(
            f"group {name!r} of axis {axis.name!r} has fewer than two wordings: nothing can be "
            "set against each other",
            file=whole.file or None,
        )
    own = f"{axis.name}-synonyms"
    return replace(
        axis,
        name=own,
        title=f"Wordings of {name}",
        groups=tuple(
            replace(
                whole, name=each.text, axis=own, forms=each.forms, sets=(), demonyms=(),
                wordings=(Wording("only", each.forms),),
            )
            for each in whole.wordings
        ),
        sets={},
        default_set="",
        reference=None,
    )  # fmt: skip
