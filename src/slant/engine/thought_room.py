"""Whether a model that thinks has room for its thoughts, said before anything is asked."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from slant.records import Choose, Generate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.models.model import Model
    from slant.studies.study import Study

LEAST_ROOM = 512
"""Tokens for thought and answer under which most thoughts are cut off."""

_CHOICE = 48
"""Tokens that an answer to a choice is given."""


def too_little_room(model: Model, studies: Sequence[Study]) -> str | None:
    """Say which studies leave a model that thinks too few tokens, and how to give it more.

    Parameters
    ----------
    model
        The model; whether it thinks is known once its fingerprint is.
    studies
        What it is to be asked.

    Returns
    -------
    str or None
        `None` where nothing is known to be too little.
    """
    if not model.thinks:
        return None
    limits = {study.label: _limit(study) for study in studies}
    short = {
        label: limit
        for label, limit in limits.items()
        if limit is not None and limit + model.thought_tokens < LEAST_ROOM
    }
    if not short:
        return None
    listed = ", ".join(f"{label} {limit + model.thought_tokens}" for label, limit in short.items())
    return (
        f"{model.name} thinks before it answers, and has few tokens for both ({listed}): thoughts "
        "that are cut off leave no answer. Give them room of their own with the model's option "
        "thinking=2000, or have it think less with effort=low or effort=none"
    )


def _limit(study: Study) -> int | None:
    """Give the tokens that the first question of a study allows; `None` where it asks no text."""
    for item in itertools.islice(next(study.rounds(), ()), 1):
        if isinstance(item.request, Generate):
            return item.request.sampling.max_tokens
        if isinstance(item.request, Choose):
            return _CHOICE
    return None
