"""Captions for pictures: what is asked, what counts as a caption, and asking a model for them."""

from __future__ import annotations

import asyncio
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import platformdirs

from slant.errors import InputError
from slant.expectation import Expectation
from slant.models.open import open_model
from slant.readings import read_answer
from slant.records import Generate, Item, Message, Sampling
from slant.studies.story.captions_file import LONGEST_CAPTION
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.models.key_hosts import KeyHosts
    from slant.models.model import Model
    from slant.records import Answer
    from slant.studies.story.captions_file import Caption

QUESTION = "Describe this picture in one short sentence, as a caption."
CAPTIONS = "captions"
"""The part of the study that asks what pictures show."""

_CAPTION = Sampling(max_tokens=40, temperature=0.0)


def caption_items(study: str, axis: str, pictures: Sequence[Caption]) -> list[Item]:
    """Ask for a caption to each picture; the answer is the most probable one."""
    return [
        Item(
            study,
            Generate((Message("user", QUESTION, each.picture),), _CAPTION),
            0,
            axis,
            each.group,
            "caption",
            {"caption_of": each.id},
            CAPTIONS,
            Expectation("story"),
        )
        for each in pictures
    ]


def caption_of(answer: Answer) -> str:
    """Take the caption from an answer: its first line, without quotes; empty if there is none."""
    text = answer.text if answer.outcome == "answered" else None
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    caption = lines[0].strip("\"“”'* ") if lines else ""
    return " ".join(caption.split())[:LONGEST_CAPTION]


def ask_captioner(
    spelling: str, items: Sequence[Item], seed: int, key_hosts: KeyHosts | None = None
) -> dict[str, str]:
    """Let another model caption the pictures, and remember what it said.

    Captions are kept by model and picture in the user's cache, so that a run which is resumed
    asks the same questions again.

    Parameters
    ----------
    spelling
        The captioning model, as after `--model`.
    items
        What `caption_items` made.
    seed
        Root of random choices.
    key_hosts
        The only servers that get a key; `None` where whoever runs slant named the captioner.

    Returns
    -------
    dict
        Captions by id; a picture that could not be captioned has none.

    Raises
    ------
    InputError
        The model cannot be opened, cannot look at pictures, or captions none of them.
    """
    model = open_model(spelling, key_hosts=key_hosts)
    if "see" not in model.abilities:
        raise InputError(f"captioner {spelling!r} cannot look at pictures")
    # A round is made inside the engine's event loop, in which no other can run.
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, _captions(model, items, seed)).result()


async def _captions(model: Model, items: Sequence[Item], seed: int) -> dict[str, str]:
    try:
        store = _Store(model)
        fresh = [item for item in items if item.id not in store.known]
        size = max(model.batch_size, model.concurrency)
        reasons = []
        for start in range(0, len(fresh), size):
            batch = fresh[start : start + size]
            for item, reply in zip(batch, await model.answer(batch, seed), strict=True):
                answer = read_answer(item, reply)
                if caption := caption_of(answer):
                    store.known[item.id] = caption
                else:
                    reasons.append(answer.reason or "an empty caption")
            store.save()
    finally:
        await model.close()
    found = {item.slots["caption_of"]: store.known[item.id] for item in items
             if item.id in store.known}  # fmt: skip
    if items and not found:
        raise InputError(f"captioner {model.name!r} captioned no picture: {reasons[-1]}")
    return found


class _Store:
    """Captions by question, one file for each model exactly as it is."""

    def __init__(self, model: Model):
        identity = json.dumps(dict(model.fingerprint()), sort_keys=True)
        name = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self._path: Path = platformdirs.user_cache_path("slant") / "captions" / f"{name}.json"
        self.known: dict[str, str] = {}
        if self._path.exists():
            self.known = json.loads(self._path.read_text(encoding="utf-8"))

    def save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, json.dumps(self.known))
