"""Several models asked by files: a file of requests each, and results told apart by their ids."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from slant.engine.batches.by_post import ByPost
from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.model import Model

_TAG = 8
"""Hexadecimal digits that stand for a model in the id of a request."""


def post_all(
    models: Mapping[str, Model],
    answers: Sequence[str | Path],
    batch_out: str | Path | None,
    seed: int,
) -> dict[str, ByPost]:
    """Have models asked by files.

    A model that is alone has the very file, and its requests the ids of the questions. Of several
    each has a file of its own, numbered (`batch.1.jsonl`), and its ids end with a sign of the
    model, so that the results can come in any order and in any files.

    Parameters
    ----------
    models
        By their names.
    answers
        Files with results of batches.
    batch_out
        Where requests go; `None` if questions stay open.
    seed
        Of the run.

    Raises
    ------
    InputError
        One cannot be asked so, a file cannot be used, or no result is of any of the models.
    """
    out = None if batch_out is None else Path(batch_out)
    if len(models) == 1:
        return {name: ByPost(model, answers, out, seed) for name, model in models.items()}
    posted = {
        name: ByPost(
            model, answers, None if out is None else _numbered(out, place), seed, _tag(name)
        )
        for place, (name, model) in enumerate(models.items(), start=1)
    }
    first, *rest = posted.values()
    if answers and not any(each.has_results for each in posted.values()):
        raise InputError(
            "none of these results is of a model of this run: in a run of several models a "
            "custom_id ends as in the requests that were written. Nothing was changed"
        )
    first.of_no_model = {
        id_: place
        for id_, place in first.others.items()
        if all(id_ in each.others for each in rest)
    }
    return posted


def _tag(model: str) -> str:
    return "-" + hashlib.sha256(model.encode()).hexdigest()[:_TAG]


def _numbered(path: Path, place: int) -> Path:
    return path.with_name(f"{path.stem}.{place}{path.suffix}")
