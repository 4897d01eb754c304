"""Putting one question to a model, and reading the reply as a run would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.errors import InputError, SlantError
from slant.readings import read_answer
from slant.records import Answer

if TYPE_CHECKING:
    from slant.models.model import Model
    from slant.records import Item


@dataclass(frozen=True)
class Heard:
    """What came back to a question.

    Attributes
    ----------
    raw
        As the model gave it.
    read
        As a run would read it.
    """

    raw: Answer
    read: Answer

    @property
    def fault(self) -> str:
        """Why nothing came back; empty where something did."""
        return self.raw.reason or "no reason given" if self.raw.outcome == "error" else ""

    @property
    def thought(self) -> str:
        """What the model thought before it answered."""
        return self.read.aside.thought if self.read.aside is not None else ""


async def ask(model: Model, item: Item, seed: int = 0) -> Heard:
    """Put a question; whatever goes wrong is the answer's reason.

    Raises
    ------
    InputError
        Nobody is there, or the key is not taken: every question would end so.
    """
    try:
        (answer,) = await model.answer([item], seed)
    except InputError:
        raise
    except SlantError as error:
        answer = Answer("error", reason=str(error))
    except Exception as error:
        answer = Answer("error", reason=f"{type(error).__name__}: {error}")
    return Heard(answer, read_answer(item, answer))
