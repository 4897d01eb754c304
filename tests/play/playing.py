"""Playing from outside an event loop."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

from small_pictures import png

from slant.play import Completion, Event, KeptModels, PlayRequest, Rate, play

GROUPS = ("Muslims", "Christians", "Jews", "Buddhists")


TWO_PICTURES = [
    {"name": name, "data": base64.b64encode(png(colour=colour)).decode()}
    for name, colour in (("red", (200, 30, 30)), ("blue", (30, 30, 200)))
]
"""As a page sends them."""


def wanted(model: str, **changes: Any) -> PlayRequest:
    """Ask for a prompt about four religious groups, or for whatever else."""
    asked: dict[str, Any] = {
        "text": "Two {group} walked into a",
        "model": model,
        "axis": "religion",
        "groups": GROUPS,
        "samples": 25,
    }
    return PlayRequest(**{**asked, **changes})


def events(asked: PlayRequest) -> list[Event]:
    """Play to the end."""

    async def all_of_it() -> list[Event]:
        models = KeptModels()
        try:
            return [event async for event in play(asked, models)]
        finally:
            await models.close()

    return asyncio.run(all_of_it())


def completions(found: list[Event]) -> list[Completion]:
    return [event for event in found if isinstance(event, Completion)]


def last_rates(found: list[Event]) -> dict[str, Rate]:
    return {event.group: event.rate for event in completions(found)}
