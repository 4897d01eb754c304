"""What an earlier run tells of one to come: how much was asked, how long it took, what it saw."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from slant.errors import unknown
from slant.reports.visible import visible
from slant.studies.checksums import damaged
from slant.studies.section import reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.comparison.side import Side
    from slant.reports.visible import Visible

_LINES = 100_000


@dataclass(frozen=True)
class Earlier:
    """What is known of a study in an earlier run.

    Attributes
    ----------
    questions
        How many were asked.
    seconds
        How long that took; `None` where the log does not say.
    prompt_tokens, completion_tokens
        Means a question, as the model counted; `None` where it did not.
    visible
        What it could see.
    """

    questions: int
    seconds: float | None = None
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    visible: Sequence[Visible] = field(default_factory=tuple)


def earlier_studies(sides: Sequence[Side], model: str) -> Mapping[str, Earlier]:
    """Read what an earlier run tells, by study.

    Parameters
    ----------
    sides
        The models of that run.
    model
        Of which one; of a run with a single model, that one, whatever it is called.

    Raises
    ------
    InputError
        The run has several models, and none of them is called so; or its answers are damaged.
    """
    chosen = [side for side in sides if side.model == model] or [*sides]
    if len(chosen) > 1:
        raise unknown(f"model of {sides[0].run.directory}", model, [each.model for each in sides])
    (side,) = chosen
    seconds = _seconds(side)
    return {
        study: Earlier(size, seconds.get(study), prompt, completion, visible(side.findings, study))
        for study, size, prompt, completion in _answers(side)
    }


def _answers(side: Side) -> list[tuple[str, int, float | None, float | None]]:
    """Count the questions of each study, with the mean tokens of question and answer."""
    import polars as pl

    tokens = ("prompt_tokens", "completion_tokens")
    try:
        counted = (
            side.run.answers.filter(pl.col("model") == side.model)
            .group_by("study")
            .agg(pl.len(), *(pl.col(name).mean() for name in tokens))
            .collect()
        )
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        path = side.run.path("answers.parquet")
        raise damaged(side.run.directory, path, reason(error)) from error
    return counted.rows()


def _seconds(side: Side) -> dict[str, float]:
    """Read from a run's log how long each study was asked; nothing of a log that cannot be read."""
    path = side.run.path("log.jsonl")
    taken: dict[str, float] = {}
    begun: datetime | None = None
    try:
        with path.open(encoding="utf-8") as log:
            for _, line in zip(range(_LINES), log, strict=False):
                event = json.loads(line)
                if event.get("model") != side.model:
                    continue
                now = datetime.fromisoformat(event["time"])
                if event["event"] == "asked" and begun is not None:
                    name = str(event["study"])
                    taken[name] = taken.get(name, 0.0) + (now - begun).total_seconds()
                if event["event"] in ("model ready", "asked"):
                    begun = now
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return taken
