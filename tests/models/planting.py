"""Planted models, the documented examples of them, and asking them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from slant.models.mock import Mock
from slant.models.model_spec import parse_model_spec
from slant.records import Answer, Generate, Item, Request

DOCUMENT = Path(__file__).parents[2] / "docs" / "mock-models.md"
EXAMPLES = {
    text.splitlines()[0].removeprefix("# "): text
    for text in re.findall(r"```toml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
}
WALK = Generate("Two {group} walked into a")


def plant(folder: Path, text: str, options: str = "") -> Mock:
    """Write rules to a file and open it."""
    path = folder / "planted.toml"
    path.write_text(text, encoding="utf-8")
    return Mock(parse_model_spec(f"mock:{path}{options}"))


def samples(
    count: int,
    request: Request = WALK,
    study: str = "completion",
    *,
    group: str = "",
    condition: str = "",
) -> list[Item]:
    """Ask for several draws of the same thing."""
    return [
        Item(study, request, sample, group=group, condition=condition) for sample in range(count)
    ]


def ask(model: Mock, items: list[Item], seed: int = 0) -> list[Answer]:
    """Ask a model a batch of things."""
    return asyncio.run(model.answer(items, seed))


def one(
    model: Mock,
    request: Request,
    study: str = "s",
    *,
    axis: str = "",
    group: str = "",
    condition: str = "",
) -> Answer:
    """Ask one thing."""
    return ask(model, [Item(study, request, 0, axis, group, condition)])[0]
