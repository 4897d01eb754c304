"""Groups that are named in all their wordings, and the placebo groups asked about beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from slant.errors import InputError
from slant.groups.wordings import shared_kinds, worded
from slant.studies.placebo import PlaceboPlan, plan_placebos

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.groups.axes import Axis, Group


@dataclass(frozen=True)
class WordedGroups:
    """Whom a study asks about, in which wordings and prompts.

    Attributes
    ----------
    axis, groups
        About whom.
    prompts
        In which every wording is to fit.
    each
        Questions about each group, in a unit of the study's: answers to a prompt, pairs in a cell
        wording × prompt.
    placebo_share
        Of all questions, those about placebo groups.
    least
        Questions that a placebo group needs at least, in the same unit; where it is not said, as
        many as there are kinds of wordings.
    own_placebos
        What the study has for placebo groups, where these are no people.
    """

    axis: Axis
    groups: Sequence[Group]
    prompts: Sequence[str]
    each: int
    placebo_share: float
    seed: int
    least: int | None = None
    own_placebos: PlaceboPlan | None = None

    @cached_property
    def kinds(self) -> list[str]:
        """The kinds of wordings that all groups have in the forms that the prompts need."""
        return shared_kinds(self.groups, self.prompts)

    @cached_property
    def placebos(self) -> PlaceboPlan:
        """Which placebo groups are asked about, and how often."""
        if self.own_placebos is not None:
            return self.own_placebos
        return plan_placebos(
            self.axis, self.groups, self.each, self.placebo_share, self.prompts,
            least=len(self.kinds) if self.least is None else self.least, seed=self.seed,
        )  # fmt: skip

    def check(self, name: str = "prompts") -> None:
        """Fail where these groups and prompts cannot be asked about in several wordings.

        Parameters
        ----------
        name
            What the suite calls the prompts.
        """
        check_kinds(self.kinds, self.axis, name)
        if len(self.prompts) < 2:
            raise InputError(
                f'wordings = "all" needs two prompts at least in {name}, and five to say '
                'anything about prompts in general: add some, or set wordings = "one"'
            )

    def texts(self) -> list[dict[str, str]]:
        """List every wording of every group, in its forms."""
        return [dict(worded(group, kind).forms) for group in self.groups for kind in self.kinds]

    def set_aside(self) -> list[str]:
        """Say which kinds of wordings are not asked with."""
        aside = [w.kind for w in self.groups[0].wordings if w.kind not in self.kinds]
        why = "for not all groups have them in the forms that the prompts need"
        return [f"Wordings set aside, {why}: {', '.join(aside)}."] if aside else []


def check_kinds(kinds: Sequence[str], axis: Axis, name: str = "prompts") -> None:
    """Fail where groups of an axis share fewer than two kinds of wordings."""
    if len(kinds) < 2:
        raise InputError(
            f'wordings = "all" needs groups that share two kinds of wordings at least, in the '
            f"forms that {name} need: add [[wording]] to axis {axis.name!r}, or set "
            'wordings = "one"',
            file=axis.file or None,
        )


class Turn(NamedTuple):
    """One prompt with one kind of wording, for all groups alike.

    Attributes
    ----------
    sample, prompt, kind
        Which.
    groups
        Each named in its wording of that kind.
    """

    sample: int
    prompt: str
    kind: str
    groups: list[Group]


def in_turn(groups: Sequence[Group], prompts: Sequence[str], samples: int) -> Iterator[Turn]:
    """Take the wordings in turn, beginning in each prompt where the last one ended.

    Parameters
    ----------
    groups, prompts
        Real groups or placebo groups, and what they are asked in.
    samples
        Questions about each group in each prompt.
    """
    kinds = shared_kinds(groups, prompts)
    for sample in range(samples):
        for number, prompt in enumerate(prompts):
            kind = kinds[(number * samples + sample) % len(kinds)]
            yield Turn(sample, prompt, kind, [worded(group, kind) for group in groups])


def kinds_in_turn(kinds: int, prompts: int, cells: int) -> list[list[int]]:
    """Say with which kinds of wordings each prompt is asked, where not all cells can be.

    Parameters
    ----------
    kinds, prompts
        How many there are.
    cells
        How many combinations are asked, all of them at most; at least one of each prompt, as long
        as they last.

    Returns
    -------
    list of list of int
        For each prompt the kinds, from 0: every kind as often as the others, give or take one, and
        paired with others in one prompt than in the next, so that kinds and prompts stay crossed.
    """
    rng = np.random.default_rng([kinds, prompts])
    used = np.zeros(kinds, dtype=int)
    chosen = []
    for number in range(prompts):
        some = min(kinds, cells * (number + 1) // prompts - cells * number // prompts)
        picked = np.lexsort((rng.random(kinds), used))[:some]
        used[picked] += 1
        chosen.append(sorted(picked.tolist()))
    return chosen
