"""What the tests of the study `likelihood` share: few names, few descriptors, and answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from slant.records import Ability, Item, Likelihood
from slant.studies.likelihood import LikelihoodStudy
from slant.studies.likelihood.sentences import PUBLISHED
from slant.studies.likelihood.settings import LikelihoodSettings
from slant.studies.study import Analysis, Circumstances, Method, Sized

ETHNICITIES = ("Arab", "Dutch", "Greek", "Thai", "Slav")
ABLE: frozenset[Ability] = frozenset({"likelihood"})


def write_names(
    folder: Path, per_group: int = 6, ethnicities: tuple[str, ...] = ETHNICITIES
) -> str:
    """Write made-up names of each ethnicity and gender."""
    rows = [
        f"{ethnicity}{gender[0]}{'abcdefghijklm'[number]},{gender},{ethnicity}"
        for ethnicity in ethnicities
        for gender in ("Male", "Female")
        for number in range(per_group)
    ]
    path = folder / "names.csv"
    path.write_text("name,gender,ethnicity\n" + "\n".join(rows) + "\n")
    return str(path)


def write_descriptors(
    folder: Path, count: int = 12, labels: Mapping[str, str] | None = None
) -> str:
    """Write the descriptors d0, d1, …; the last two are made-up words, the first is sensitive."""
    rows = []
    for number in range(count):
        text = f"d{number}"
        axis = "nonce" if number >= count - 2 else f"axis{number % 3}"
        label = (labels or {}).get(text, "")
        sensitive = str(number == 0).lower()
        rows.append(f"{text},am {text},was {text},is {text},{axis},{label},{sensitive}")
    path = folder / "descriptors.csv"
    path.write_text("descriptor,am,was,is,axis,label,sensitive\n" + "\n".join(rows) + "\n")
    return str(path)


def study(
    folder: Path,
    *,
    fingerprint: Mapping[str, str] | None = None,
    method: Method = "robust",
    **settings: Any,
) -> LikelihoodStudy:
    """Make a study of the made-up names and descriptors."""
    chosen = {
        "names": str(folder / "names.csv"),
        "descriptors": str(folder / "descriptors.csv"),
        "resamples": 400,
        "placebo_share": 0.0,
        "templates": list(PUBLISHED),
        **settings,
    }
    if not (folder / "names.csv").exists():
        write_names(folder)
    if not (folder / "descriptors.csv").exists():
        write_descriptors(folder)
    known = Circumstances("mock", ABLE, method, fingerprint=fingerprint or {})
    return LikelihoodStudy(LikelihoodSettings(**chosen), known)


def only_round(asked: LikelihoodStudy) -> Sized:
    """Give the study's one round."""
    (items,) = asked.rounds()
    assert isinstance(items, Sized)
    return items


def answers_of(asked: LikelihoodStudy, logprob: Callable[[Item], Any]) -> pl.DataFrame:
    """Answer every item with three tokens of a log-probability, with a list, or not at all."""
    rows = []
    for position, item in enumerate(only_round(asked)):
        value = logprob(item)
        scored = value if isinstance(value, list) else [value] * 3
        outcome = "error" if value is None else "answered"
        rows.append(
            (
                position, item.part, item.axis, item.group, item.condition,
                json.dumps(dict(item.slots)), _text(item), outcome,
                None if value is None else scored,
            )
        )  # fmt: skip
    columns = ("part", "axis", "group", "condition", "slots", "prompt", "outcome")
    schema: dict[str, pl.DataType] = {"position": pl.Int64()}
    schema |= {name: pl.String() for name in columns} | {"logprobs": pl.List(pl.Float64())}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _text(item: Item) -> str:
    assert isinstance(item.request, Likelihood)
    return item.request.text


def noise(seed: int, sd: float = 0.1) -> Callable[[Item], float]:
    """Draw a log-probability anew for every item, around −3; names differ as well."""
    rng = np.random.default_rng(seed)
    names: dict[str, float] = {}

    def draw(item: Item) -> float:
        own = names.setdefault(item.slots["name"], 0.2 * rng.normal())
        return float(-3 + own + sd * rng.normal())

    return draw


def analyse(asked: LikelihoodStudy, answers: pl.DataFrame) -> Analysis:
    """Let a study analyse answers."""
    return asked.analyse(answers.lazy(), pl.DataFrame({"position": []}).lazy())
