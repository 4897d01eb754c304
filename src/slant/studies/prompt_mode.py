"""How a study that continues texts puts its questions: raw where the model can, else as a chat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from slant.records import Ability


def prompt_mode(
    prompting: Literal["auto", "raw", "chat"], abilities: AbstractSet[Ability]
) -> Literal["raw", "chat"]:
    """Choose between raw text and chat.

    Parameters
    ----------
    prompting
        What the suite asks for; `auto` is raw unless chat is all that the model can do.
    abilities
        What the model can do; a model that can do neither is told to lack `raw`.
    """
    if prompting != "auto":
        return prompting
    return "chat" if "chat" in abilities and "raw" not in abilities else "raw"
