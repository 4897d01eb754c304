"""The turns around a question, as an application puts them there."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from slant.records import Message

if TYPE_CHECKING:
    from slant.errors import InputError
    from slant.toml_file import TomlFile

PLACE = "{question}"
"""Where in a frame the question goes."""


class _Turn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    role: Literal["user", "assistant"]
    content: str


class _FrameFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    turn: list[_Turn] = Field(min_length=1)


@dataclass(frozen=True)
class Frame:
    """Turns of a conversation, one of which holds the question.

    Attributes
    ----------
    turns
        The turns; `{question}` stands in the content of exactly one, the user's.
    """

    turns: tuple[Message, ...]

    def around(self, asked: Message) -> list[Message]:
        """Put a question into the frame; what else its turn holds comes with it."""
        return [
            replace(turn, content=turn.content.replace(PLACE, asked.content), picture=asked.picture)
            if PLACE in turn.content
            else turn
            for turn in self.turns
        ]

    def before(self) -> list[Message]:
        """Give the turns before the question."""
        return list(self.turns[: self._place])

    def canonical(self) -> str:
        """Write it so that the same frame always gives the same text."""
        return json.dumps([[turn.role, turn.content] for turn in self.turns])

    @property
    def _place(self) -> int:
        return next(place for place, turn in enumerate(self.turns) if PLACE in turn.content)


def read_frame(file: TomlFile) -> Frame:
    """Read a frame from TOML: `[[turn]]` with `role` and `content`, in order.

    Raises
    ------
    InputError
        It is malformed, has not exactly one place for the question, has it elsewhere than in a
        turn of the user, or does not end with the user.
    """
    turns = file.validate(_FrameFile).turn
    counts = [turn.content.count(PLACE) for turn in turns]
    if sum(counts) != 1:
        found = "no place" if not any(counts) else f"{sum(counts)} places"
        raise _at_fault(
            file,
            max((at for at, count in enumerate(counts) if count), default=0),
            f"the frame has {found} for the question: write {PLACE} exactly once, in a turn of "
            "the user",
        )
    if turns[counts.index(1)].role != "user":
        raise _at_fault(
            file,
            counts.index(1),
            f"{PLACE} stands in a turn of the assistant: put it into one of the user",
        )
    if turns[-1].role != "user":
        raise _at_fault(
            file,
            len(turns) - 1,
            "the last turn is the assistant's, so nothing is left to answer: end with the user's",
        )
    return Frame(tuple(Message(turn.role, turn.content) for turn in turns))


def _at_fault(file: TomlFile, turn: int, message: str) -> InputError:
    return file.error(message, "turn", turn, "content")
